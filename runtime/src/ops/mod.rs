//! The ops: functions of tensors, and of types that give the ops a meaning of their own.
//!
//! Operands are tensors, plain numbers, arrays, or values of your own types (see [`dispatch`](macro@crate::dispatch)).
//! Calling an op that a type does not implement does not compile. Most functions are methods too (see [`methods`]), and
//! arithmetic has Rust's operators.
//!
//! ```
//! use extype::prelude::*;
//! let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
//! let y = ops::sum(ops::matmul(&x, &x)?, 0)?;
//! assert_eq!(y.as_slice::<f32>()?, &[22.0, 32.0]);
//! assert_eq!(x.matmul(&x)?.sum(0)?.as_slice::<f32>()?, &[22.0, 32.0]);
//! # Ok::<(), Error>(())
//! ```
//!
//! Many functions take their options, such as axes and [`KeepDims`], as one last argument: `..` for none, one option, or
//! a tuple of several (see [`options`]). Elsewhere are random numbers ([`random`](crate::random)), decompositions and
//! linear systems (`linalg`), Fourier transforms (`fft`), and lists of tensors
//! ([`TensorArray`](crate::control::TensorArray)).
//!
//! # Arithmetic
//!
//! | functions | result |
//! | --- | --- |
//! | [`add()`], [`sub()`], [`mul()`] | sums, differences and products, as the operators `+`, `-`, `*` |
//! | [`div()`], [`rem()`] | quotients and remainders, as the operators `/` and `%`: integers are truncated towards zero |
//! | [`true_div()`], [`true_divide()`], [`truediv()`] | quotients in floats; `true_div` takes no integers |
//! | [`floor_div()`], [`floor_divide()`], [`floor_mod()`] | quotients rounded down, and remainders with the sign of the divisor |
//! | [`truncate_div()`], [`truncate_mod()`] | quotients truncated towards zero, and their remainders |
//! | [`divmod()`] | the results of `floor_divide` and `floor_mod` |
//! | [`div_no_nan()`], [`mul_no_nan()`], [`reciprocal_no_nan()`] | zero where the divisor, or the second factor, is zero |
//! | [`neg()`], [`abs()`], [`sign()`], [`reciprocal()`] | negatives, absolute values, signs, reciprocals |
//! | [`square()`], [`squared_difference()`], [`hypot()`] | squares, squares of differences, hypotenuses |
//! | [`maximum()`], [`minimum()`] | the larger or the smaller of two elements; NaN if either is NaN |
//! | [`fmax()`], [`fmin()`] | the larger or the smaller of two elements; a number if only one is NaN |
//! | [`gcd()`], [`lcm()`] | greatest common divisors, least common multiples |
//! | [`add_n()`] | the sum of several tensors of one shape |
//!
//! # Comparison and logic
//!
//! | functions | result |
//! | --- | --- |
//! | [`equal()`], [`not_equal()`] | true where two elements are equal, or are not |
//! | [`less()`], [`less_equal()`], [`greater()`], [`greater_equal()`] | true where the first element is less, and so on |
//! | [`approximate_equal()`], [`isclose()`] | true where two elements are nearly equal |
//! | [`allclose()`], [`array_equal()`], [`array_equal_with()`], [`array_equiv()`] | one bool: all elements equal, or all close |
//! | [`check_numerics()`] | the same tensor, or an error if it has NaN or infinity |
//! | [`is_nan()`], [`is_inf()`], [`is_finite()`] | true where a float is NaN, is infinite, or is neither |
//! | [`isnan()`], [`isinf()`], [`isfinite()`] | the same, also for integers, bools and complex numbers |
//! | [`isposinf()`], [`isneginf()`], [`signbit()`] | true for positive or negative infinity, or a minus sign |
//! | [`logical_and()`], [`logical_or()`], [`logical_xor()`], [`logical_not()`] | logic of bools |
//! | [`bitwise_and()`], [`bitwise_or()`], [`bitwise_xor()`], [`invert()`] | bits of integers |
//! | [`bitand()`], [`bitor()`], [`bitxor()`], [`not()`] | the operators `&`, `\|`, `^`, `!`: bits of integers, logic of bools |
//! | [`left_shift()`], [`right_shift()`] | bits shifted |
//! | [`population_count()`] | the number of bits that are set |
//! | [`heaviside()`] | zero, one, or a given value at zero: the step function |
//!
//! # Exponentials, powers and logarithms
//!
//! | functions | result |
//! | --- | --- |
//! | [`exp()`], [`exp2()`], [`expm1()`] | powers of e and of two, `exp(x) - 1` |
//! | [`log()`], [`log2()`], [`log10()`], [`log1p()`] | logarithms to the bases e, 2 and 10, `log(1 + x)` |
//! | [`pow()`], [`float_power()`] | `x` to the power of `y`; `float_power` computes integers in float64 |
//! | [`sqrt()`], [`rsqrt()`], [`cbrt()`] | square roots, their reciprocals, cube roots |
//! | [`logaddexp()`], [`logaddexp2()`] | `log(exp(x) + exp(y))` and `log2(2^x + 2^y)`, without overflow |
//! | [`xlogy()`], [`xlog1py()`], [`xdivy()`] | `x * log(y)`, `x * log(1 + y)`, `x / y`; zero where `x` is zero |
//!
//! # Trigonometry
//!
//! | functions | result |
//! | --- | --- |
//! | [`sin()`], [`cos()`], [`tan()`] | trigonometric functions of radians |
//! | [`asin()`], [`acos()`], [`atan()`], [`atan2()`] | their inverses, in radians |
//! | [`sinh()`], [`cosh()`], [`tanh()`] | hyperbolic functions |
//! | [`asinh()`], [`acosh()`], [`atanh()`] | their inverses |
//! | [`deg2rad()`], [`rad2deg()`], [`unwrap()`] | degrees as radians, radians as degrees, angles without jumps |
//! | [`sinc()`] | `sin(πx) / (πx)` |
//!
//! # Rounding and parts of numbers
//!
//! | functions | result |
//! | --- | --- |
//! | [`floor()`], [`ceil()`], [`trunc()`] | integers below, above, towards zero |
//! | [`round()`], [`round_to()`] | the nearest integer, a number of decimals |
//! | [`clip()`], [`clip_by_value()`] | elements within bounds |
//! | [`modf()`], [`frexp()`], [`ldexp()`] | fraction and whole part, fraction and exponent, `x · 2^n` |
//! | [`copysign()`], [`spacing()`], [`next_after()`] | another sign, the distance to the next float, the next float |
//! | [`nan_to_num()`] | numbers in place of NaN and infinities |
//!
//! # Complex numbers
//!
//! | functions | result |
//! | --- | --- |
//! | [`complex()`] | complex numbers from two parts |
//! | [`real()`], [`imag()`], [`angle()`] | real part, imaginary part, angle |
//! | [`conj()`], [`conjugate()`] | complex conjugates; `conjugate` leaves real numbers unchanged |
//! | [`isreal()`], [`iscomplex()`] | true where the imaginary part is zero, or is not |
//!
//! # Special functions
//!
//! | functions | result |
//! | --- | --- |
//! | [`erf()`], [`erfc()`], [`erfinv()`], [`erfcinv()`] | the error function, its complement, the inverses of both |
//! | [`ndtri()`] | the quantiles of the normal distribution |
//! | [`lgamma()`], [`digamma()`], [`polygamma()`] | the logarithm of the gamma function, and its derivatives |
//! | [`igamma()`], [`igammac()`], [`igamma_grad_a()`], [`random_gamma_grad()`] | the regularized incomplete gamma functions, the derivatives by `a` |
//! | [`betainc()`], [`zeta()`] | the regularized incomplete beta function, Hurwitz's zeta function |
//! | [`bessel_i0()`], [`bessel_i1()`], [`bessel_i0e()`], [`bessel_i1e()`] | modified Bessel functions, first kind; `e`: scaled |
//! | [`bessel_k0()`], [`bessel_k1()`], [`bessel_k0e()`], [`bessel_k1e()`] | modified Bessel functions, second kind; `e`: scaled |
//! | [`bessel_j0()`], [`bessel_j1()`], [`bessel_y0()`], [`bessel_y1()`] | Bessel functions of the first and of the second kind |
//! | [`dawsn()`], [`spence()`], [`fresnel_cos()`], [`fresnel_sin()`] | the integrals of Dawson, Spence and Fresnel |
//! | [`expint()`] | the exponential integral `Ei(x)` |
//!
//! # Reductions over axes
//!
//! | functions | result |
//! | --- | --- |
//! | [`sum()`], [`prod()`], [`mean()`], [`max()`], [`amax()`], [`min()`], [`amin()`] | sums, products, means, extremes |
//! | [`all()`], [`any()`] | true where all elements, or any, are true |
//! | [`reduce_sum()`], [`reduce_prod()`], [`reduce_mean()`] | the same, with axes and `keep_dims` as two arguments |
//! | [`reduce_max()`], [`reduce_min()`], [`reduce_all()`], [`reduce_any()`] | the same |
//! | [`reduce_euclidean_norm()`] | the square root of the sum of squares |
//! | [`reduce_logsumexp()`] | the logarithm of the sum of exponentials |
//! | [`ptp()`] | the largest element less the smallest |
//! | [`count_nonzero()`], [`zero_fraction()`] | how many elements are not zero, which fraction is zero |
//! | [`nansum()`], [`nanprod()`], [`nanmean()`], [`nanmax()`], [`nanmin()`] | reductions that ignore NaN |
//! | [`nanargmax()`], [`nanargmin()`] | indices of the largest and the smallest element, ignoring NaN |
//!
//! # Scans
//!
//! | functions | result |
//! | --- | --- |
//! | [`cumsum()`], [`cumprod()`], [`nancumsum()`], [`nancumprod()`] | running sums and products; the last two ignore NaN |
//! | [`cummax()`], [`cummin()`] | the largest and the smallest element so far |
//! | [`cumulative_logsumexp()`] | running logarithms of sums of exponentials |
//!
//! # Norms and statistics
//!
//! | functions | result |
//! | --- | --- |
//! | [`norm()`] | norms of vectors or matrices |
//! | [`normalize()`], [`l2_normalize()`] | tensors divided by their norms |
//! | [`average()`] | means, weighted if weights are given |
//! | [`var()`], [`std()`], [`nanvar()`], [`nanstd()`] | variances and standard deviations; the last two ignore NaN |
//! | [`reduce_variance()`], [`reduce_std()`] | the same, with axes and `keep_dims` as two arguments |
//! | [`moments()`] | mean and variance at once |
//! | [`median()`], [`quantile()`], [`percentile()`] | medians, quantiles, percentiles |
//! | [`nanmedian()`], [`nanquantile()`], [`nanpercentile()`] | the same, ignoring NaN |
//! | [`cov()`], [`corrcoef()`] | covariances, correlation coefficients |
//! | [`histogram()`], [`histogram_fixed_width()`] | how many elements are in each bin |
//! | [`histogram_bin_edges()`], [`histogram_fixed_width_bins()`] | the edges of the bins, the bin of each element |
//! | [`bincount()`] | how often each integer occurs |
//! | [`confusion_matrix()`] | how often each class was predicted as each class |
//!
//! # Series, windows and polynomials
//!
//! | functions | result |
//! | --- | --- |
//! | [`diff()`], [`ediff1d()`], [`slope()`], [`trapezoid()`] | differences of neighbours, slopes, integrals |
//! | [`interp()`], [`interpn()`] | values between points, by linear interpolation, also in several dimensions |
//! | [`convolve()`], [`correlate()`] | convolutions and correlations of vectors |
//! | [`hanning()`], [`hamming()`], [`blackman()`], [`bartlett()`] | windows for signals |
//! | [`polyval()`], [`polyfit()`], [`roots()`], [`poly()`] | values, a fit to points, roots, coefficients from roots |
//! | [`polyadd()`], [`polysub()`], [`polymul()`], [`polydiv()`] | arithmetic of polynomials |
//! | [`polyder()`], [`polyint()`] | derivatives and integrals of polynomials |
//!
//! # Products and linear algebra
//!
//! | functions | result |
//! | --- | --- |
//! | [`matmul()`], [`batch_matmul()`], [`matvec()`] | products of matrices, and of matrices with vectors |
//! | [`dot()`], [`inner()`], [`vdot()`] | scalar products, generalized in three ways |
//! | [`outer()`], [`kron()`], [`cross()`] | outer, Kronecker and cross products |
//! | [`einsum()`], [`tensordot()`] | sums of products over labels, or over pairs of axes |
//! | [`trace()`] | sums of diagonals |
//! | [`diag()`], [`diagflat()`], [`tensor_diag()`], [`tensor_diag_part()`] | diagonals, and tensors with given diagonals |
//! | [`matrix_diag()`], [`matrix_diag_part()`], [`matrix_set_diag()`] | the same for stacks of matrices and several diagonals |
//! | [`tril()`], [`triu()`], [`matrix_band_part()`] | triangles and bands of matrices |
//!
//! # Shapes and movement
//!
//! | functions | result |
//! | --- | --- |
//! | [`reshape()`], [`flatten()`], [`ravel()`] | the same elements under another shape |
//! | [`expand_dims()`], [`squeeze()`], [`atleast_1d()`], [`atleast_2d()`], [`atleast_3d()`] | axes of size 1 added or dropped |
//! | [`transpose()`], [`t()`], [`matrix_transpose()`], [`swap_axes()`], [`move_axis()`] | axes in another order |
//! | [`broadcast_to()`], [`broadcast_arrays()`] | elements repeated to a larger shape |
//! | [`broadcast_shapes()`], [`broadcast_args()`] | the shape that shapes broadcast to |
//! | [`shape_of()`], [`shape_n()`], [`size()`] | sizes as tensors, the number of elements |
//! | [`ensure_shape()`] | the same tensor, or an error if its shape is another |
//! | [`reverse()`], [`flip()`], [`fliplr()`], [`flipud()`], [`reverse_sequence()`] | elements in reverse order along axes |
//! | [`flip_left_right()`], [`flip_up_down()`] | mirrored images |
//! | [`rot90()`], [`roll()`] | tensors turned by 90 degrees, elements shifted in a circle |
//! | [`tile()`], [`repeat()`] | copies of a tensor, copies of each element |
//! | [`pad()`], [`pad_with()`], [`pad_mode()`], [`mirror_pad()`] | edges added: zeros, a value, elements of the tensor |
//! | [`space_to_batch()`], [`batch_to_space()`] | blocks moved to the batch axis, and back |
//! | [`space_to_depth()`], [`depth_to_space()`] | blocks of images moved to the channels, and back |
//!
//! # Joining and splitting
//!
//! | functions | result |
//! | --- | --- |
//! | [`concat()`], [`concatenate()`], [`stack()`] | tensors joined along an axis, stacked along a new one |
//! | [`vstack()`], [`hstack()`], [`dstack()`], [`column_stack()`], [`block()`] | tensors joined on a given axis, or as blocks |
//! | [`split()`], [`split_sizes()`], [`split_at()`], [`array_split()`] | parts along an axis: equal ones, by sizes, at places |
//! | [`unstack()`] | the slices along an axis, without the axis |
//! | [`hsplit()`], [`vsplit()`], [`dsplit()`] | parts along the second, first or third axis |
//! | [`dynamic_partition()`], [`dynamic_stitch()`] | rows distributed by number, rows merged at indices |
//!
//! # Indexing, choosing and editing
//!
//! | functions | result |
//! | --- | --- |
//! | [`index()`], [`slice()`], [`step()`] | parts as by Python's brackets, blocks, parts of an axis in steps |
//! | [`take()`], [`gather()`], [`gather_nd()`], [`take_along_axis()`] | elements or slices at indices |
//! | [`boolean_mask()`], [`compress()`], [`extract()`] | elements or slices where a condition is true |
//! | [`select()`], [`where_()`], [`select_cases()`], [`choose()`] | each element from one of several tensors |
//! | [`argwhere()`], [`where_indices()`], [`nonzero()`], [`flatnonzero()`] | indices of the elements that are true or not zero |
//! | [`put()`], [`put_along_axis()`] | elements replaced at indices |
//! | [`index_update()`] | the part that a slice takes, replaced |
//! | [`insert()`], [`append()`], [`delete()`], [`trim_zeros()`] | elements inserted, appended, removed, zeros cut off the ends |
//! | [`scatter_nd()`] | zeros with values added at indices |
//! | [`tensor_scatter_nd_update()`] | values written at indices |
//! | [`tensor_scatter_nd_add()`], [`tensor_scatter_nd_sub()`] | values added or subtracted at indices |
//! | [`tensor_scatter_nd_min()`], [`tensor_scatter_nd_max()`] | the smaller or the larger value at indices |
//! | [`unravel_index()`], [`ravel_multi_index()`] | coordinates of flat indices, and flat indices of coordinates |
//! | [`invert_permutation()`] | the permutation that undoes another |
//!
//! # Sorting, sets and searching
//!
//! | functions | result |
//! | --- | --- |
//! | [`sort()`], [`argsort()`], [`lexsort()`] | elements in order, and the indices that sort |
//! | [`partition()`], [`argpartition()`] | one element where a sort puts it, and the indices for that |
//! | [`top_k()`], [`nth_element()`] | the largest elements, the element at one place of the order |
//! | [`argmax()`], [`argmin()`] | the index of the largest or the smallest element |
//! | [`unique()`], [`unique_along()`] | distinct elements or slices, and where each element is among them |
//! | [`unique_with_counts()`], [`unique_with_index()`] | distinct elements with counts, or with their first places |
//! | [`isin()`], [`union1d()`], [`intersect1d()`], [`setdiff1d()`], [`setxor1d()`], [`list_diff()`] | sets of elements |
//! | [`searchsorted()`], [`digitize()`], [`bucketize()`] | places in sorted rows, numbers of bins |
//!
//! # Creation
//!
//! | functions | result |
//! | --- | --- |
//! | [`zeros()`], [`ones()`], [`full()`], [`fill()`] | tensors of a shape: zeros, ones, or one value |
//! | [`zeros_like()`], [`ones_like()`], [`full_like()`] | tensors of the shape and dtype of another one |
//! | [`arange()`], [`range()`] | numbers in steps |
//! | [`linspace()`], [`linspace_with()`] | evenly spaced numbers between two ends |
//! | [`logspace()`], [`logspace_with()`], [`geomspace()`], [`geomspace_with()`] | numbers evenly spaced on a logarithmic scale |
//! | [`eye()`], [`tri()`], [`vander()`] | identity matrices, triangles of ones, powers as columns |
//! | [`tril_indices()`], [`triu_indices()`], [`diag_indices()`] | rows and columns of triangles and diagonals |
//! | [`meshgrid()`], [`indices()`] | coordinates of all points of a grid |
//! | [`one_hot()`], [`sequence_mask()`] | classes as vectors with one 1, lengths as masks |
//!
//! # Neural networks
//!
//! | functions | result |
//! | --- | --- |
//! | [`relu()`], [`relu6()`], [`leaky_relu()`], [`crelu()`] | rectifiers |
//! | [`elu()`], [`selu()`], [`gelu()`], [`silu()`] | exponential, Gaussian and sigmoid linear units |
//! | [`sigmoid()`], [`softsign()`] | `1 / (1 + exp(-x))`, `x / (1 + \|x\|)` |
//! | [`softplus()`], [`log_sigmoid()`] | `log(1 + exp(x))`, `-softplus(-x)` |
//! | [`softmax()`], [`softmax_along()`] | exponentials scaled to sum to one along an axis |
//! | [`log_softmax()`], [`log_softmax_along()`] | the logarithms of these |
//! | [`softmax_cross_entropy_with_logits()`] | losses for probabilities of classes |
//! | [`sparse_softmax_cross_entropy_with_logits()`] | losses for one class per row |
//! | [`sigmoid_cross_entropy_with_logits()`], [`weighted_cross_entropy_with_logits()`] | losses for independent probabilities |
//! | [`bias_add()`] | a bias added to each channel |
//! | [`l2_loss()`] | half the sum of squares |
//! | [`in_top_k()`] | whether each target is among the `k` best predictions |
//! | [`ctc_loss()`], [`ctc_unique_labels()`], [`collapse_repeated()`] | losses of label sequences without an alignment, and their labels |
//! | [`nce_loss()`], [`sampled_softmax_loss()`] | losses that look at some of many classes |
//! | [`uniform_candidate_sampler()`], [`log_uniform_candidate_sampler()`] | classes drawn for such losses |
//! | [`quantize()`], [`dequantize()`] | reals as levels of a quantized dtype, and back |
//! | [`fake_quant_with_min_max_args()`], [`fake_quant_with_min_max_vars()`], [`fake_quant_with_min_max_vars_per_channel()`] | numbers at the levels of a quantized range |
//!
//! # Windows over images
//!
//! | functions | result |
//! | --- | --- |
//! | [`conv1d()`], [`conv2d()`], [`conv3d()`] | convolutions, in groups if the filters have fewer channels |
//! | [`depthwise_conv2d()`], [`separable_conv2d()`] | convolutions of each channel, mixed afterwards |
//! | [`conv1d_transpose()`], [`conv2d_transpose()`], [`conv3d_transpose()`] | the transposes of convolutions |
//! | [`max_pool1d()`], [`max_pool2d()`], [`max_pool3d()`], [`max_pool_with_argmax()`] | largest elements of windows |
//! | [`avg_pool1d()`], [`avg_pool2d()`], [`avg_pool3d()`] | means of windows |
//! | [`fractional_max_pool()`], [`fractional_avg_pool()`] | the same for windows of random sizes, which shrink images by any ratio |
//! | [`dilation2d()`], [`erosion2d()`] | largest sums, and least differences, of windows and a filter |
//! | [`batch_norm()`], [`local_response_normalization()`] | images normalized over the batch, or over channels nearby |
//!
//! # Strings
//!
//! | functions | result |
//! | --- | --- |
//! | [`lower()`], [`upper()`], [`strip()`] | letters in one case, strings without white space at their ends |
//! | [`string_length()`], [`find()`], [`string_ranks()`] | lengths, the place of a text, numbers that sort as the strings |
//! | [`contains()`], [`starts_with()`], [`ends_with()`] | which strings have a text, and where |
//! | [`substr()`], [`replace()`] | parts of strings, a text in place of another one |
//! | [`split_on()`], [`split_fixed()`], [`bytes_split()`], [`unicode_split()`], [`unicode_split_with_offsets()`] | strings split at separators, into columns, bytes or characters |
//! | [`string_join()`], [`reduce_join()`], [`unsorted_segment_join()`], [`ngrams()`] | strings joined element by element, along axes, by ids, with those that follow |
//! | [`to_number()`], [`as_string()`], [`decode_csv()`] | numbers from text, text from numbers, columns of records |
//! | [`to_hash_bucket_fast()`], [`to_hash_bucket_strong()`], [`to_hash_bucket()`], [`fingerprint()`] | hashes |
//! | [`unicode_decode()`], [`unicode_decode_with_offsets()`], [`unicode_encode()`], [`unicode_transcode()`] | code points from strings, strings from code points, other encodings |
//! | [`encode_base64()`], [`decode_base64()`], [`decode_raw()`], [`decode_padded_raw()`] | base64, numbers from the bytes of strings |
//! | [`serialize_tensor()`], [`parse_tensor()`] | tensors as strings |
#![cfg_attr(
    feature = "text",
    doc = "| [`regex_full_match()`], [`regex_replace()`], [`regex_extract()`] | matches of regular expressions |\n| \
           [`unicode_normalize()`], [`unicode_script()`] | normal forms and scripts of Unicode |"
)]
#![cfg_attr(
    feature = "compression",
    doc = "| [`decode_compressed()`] | bytes that were compressed |"
)]
//!
//! # Files
//!
//! | functions | result |
//! | --- | --- |
//! | [`read_file()`], [`write_file()`] | the contents of a file as one string, and a file of a string |
//! | [`matching_files()`] | the paths that match a pattern |
//!
//! # Segments
//!
//! | functions | result |
//! | --- | --- |
//! | [`segment_sum()`], [`segment_mean()`], [`segment_prod()`] | sums, means, products of rows with the same id; ids ascend |
//! | [`segment_min()`], [`segment_max()`] | the least and the greatest elements of these rows |
//! | [`unsorted_segment_sum()`], [`unsorted_segment_prod()`] | sums and products of rows with the same id, in any order |
//! | [`unsorted_segment_min()`], [`unsorted_segment_max()`] | the least and the greatest elements of these rows |
//! | [`unsorted_segment_mean()`], [`unsorted_segment_sqrt_n()`] | means of these rows, sums divided by the root of their number |
//! | [`sparse_segment_sum()`], [`sparse_segment_mean()`], [`sparse_segment_sqrt_n()`] | the same of rows that indices pick |
//!
//! # Sound
//!
//! | functions | result |
//! | --- | --- |
//! | [`decode_wav()`], [`encode_wav()`], [`audio_spectrogram()`] | sound from WAV files, and back; its frequencies over time |
#![cfg_attr(
    feature = "fft",
    doc = "| [`audio_spectrogram()`] | magnitudes of the frequencies in windows of sound |"
)]
//!
//! # Sparse tensors
//!
//! [`CooTensor`] holds the indices, the values and the sizes that ops such as [`SparseAdd`] take one by one.
//!
//! | functions | result |
//! | --- | --- |
//! | [`embedding_lookup_sparse()`], [`safe_embedding_lookup_sparse()`] | rows of a table that sparse ids pick, combined |
//!
//! # Dtypes, gradients and printing
//!
//! | functions | result |
//! | --- | --- |
//! | [`cast()`], [`bitcast()`] | elements, or their bytes, as another dtype |
//! | [`identity()`], [`stop_gradient()`] | the same tensor, with or without gradients |
//! | [`print()`] | text on a stream with tensors in it, in traced functions too |
//!
//! # Rules of ops
//!
//! | functions | result |
//! | --- | --- |
//! | [`gradient_rule()`], [`passes_no_gradient()`], [`forward_of()`], [`no_gradients()`] | the gradients of an op |
//! | [`batch_rule()`] | how an op takes a batch |
//!
//! # Types
//!
//! | types | what they are |
//! | --- | --- |
//! | [`Concat`], [`Add`] and all that have the name of an op | the ops as values; `#[overrides(Concat)]` may name them |
//! | [`CastFn`] and others that end in `Fn` | the attributes of an op of a family; marks without attributes have no page |
//! | [`Unary`], [`Binary`], [`Reduce`], [`family`] | the families of ops |
//! | [`Op`], [`NamedOp`], [`Compound`], [`Dynamic`] | what all ops have; an op known only at run time |
//! | [`Operand`], [`HasMethods`], [`Takes1`], [`Apply1`] and their kin | what an op takes, and what it means for a type |
//! | [`Axes`], [`Index`], [`Integers`], [`Sizes`] and their kin | arguments |
//! | [`KeepDims`], [`Descending`], [`Ddof`] and their kin | options, which are words of the last argument |
//! | [`UnaryMethods`] and others that end in `Methods` | the traits of the methods |
//! | [`Gradient`], [`Batch`], [`IndexedSlices`] and their kin | what the [`rules`] of ops work with |
//!
//! # How it is built
//!
//! `protocol` says how ops are called, `args` and [`options`] what they take, [`rules`] what rows of all subjects share.
//! Each other folder holds one subject: the rows of its ops ([`define_op!`](crate::define_op)), their
//! inference, kernels and gradients, and functions made of several ops. A row is the only definition
//! of an op. The `Apply…` traits say what an op means for a type; extension types implement them by
//! hand or through `#[dispatch]`. Functions take operands of any type and end in calls of
//! [`execute`](crate::tensor::execute).

mod args;
mod checks;
pub(crate) mod operators;
pub mod options;
pub(crate) mod protocol;
pub mod rules;
mod variables;

mod aliases;
mod audio;
mod blocks;
#[cfg(feature = "image")]
mod codecs;
mod conv;
mod counting;
mod creation;
mod ctc;
#[cfg(feature = "linalg")]
mod decompositions;
mod diagonals;
mod elementwise;
pub(crate) mod files;
#[cfg(feature = "fft")]
mod fourier;
mod image;
mod indexing;
pub(crate) mod linear;
mod lists;
mod movement;
mod nn;

mod ordering;
mod placement;
mod pool;
mod quantization;
mod queues;
mod ragged;
mod random;
mod recurrent;
mod reduction;
mod samplers;
mod scan;
mod segment;
mod shapes;
mod slicing;
mod sparse;
mod statistics;
mod strings;
mod tables;
mod text;

pub use aliases::*;
pub use args::{
    Axes, AxesLike, Axis, AxisLike, DiagonalAlign, DiagonalRange, Diagonals, Ellipsis, Extent,
    Index, IndexList, Int32s, Integer, IntegerLike, Integers, IntegersLike, KeepDims, KeepDimsArg,
    MaybeStatic, MirrorMode, NewAxis, Pairs, PairsLike, Position, SetOperation, SideInput, Sizes,
    SizesLike, StaticInput, StaticValue, step,
};
pub(crate) use args::{length, whole_numbers};
pub use audio::*;
pub use blocks::*;
pub(crate) use checks::{
    ASSERT, CODE, ONE_ELEMENT, PARTS, RAISE, check, check_not_negative, check_same_shape,
    check_stack, not_one_element,
};
#[cfg(feature = "image")]
pub use codecs::*;
pub use conv::*;
pub use counting::*;
pub use creation::*;
pub use ctc::*;
#[cfg(feature = "linalg")]
pub(crate) use decompositions::matrices;
#[cfg(feature = "linalg")]
pub use decompositions::*;
pub use diagonals::*;
// By name: their files are called as the functions, which hides the types of these names from the last line.
pub use elementwise::cast::cast;
pub use elementwise::select::select;
pub use elementwise::*;
pub use files::{MatchingFiles, ReadFile, WriteFile, matching_files, read_file, write_file};
#[cfg(feature = "fft")]
pub use fourier::*;
pub use image::*;
pub(crate) use indexing::scatter::ignores_bad_indices;
pub use indexing::*;
pub use linear::*;
pub use lists::*;
pub use movement::*;
pub use nn::*;

#[doc(hidden)]
pub use operators::operator;
pub use options::{
    Along, Backwards, Base, BatchShape, Columns, Ddof, Descending, Endpoint, Exclusive, MaxLength,
    MinLength, NanAs, NegInfAs, Over, PosInfAs, Weights,
};
pub use ordering::extremes::{argmax, argmin};
pub use ordering::*;
pub use pool::*;
pub use protocol::*;
pub use quantization::*;
pub use queues::*;
pub use ragged::*;
pub use random::*;
pub use recurrent::*;
pub use reduction::*;
pub use rules::batch::{Batch, BatchEntry, BatchRule, Batched, Count, Lane, batch_rule};
#[doc(hidden)]
pub use rules::gradient::unbroadcast_gradients;
pub use rules::gradient::{
    ForwardFn, Gradient, GradientEntry, GradientRule, InputGradients, IntoGradients, forward_of,
    gradient_rule, no_gradients, passes_no_gradient,
};
pub(crate) use rules::gradient::{hands_on, is_empty};
pub use rules::slices::{IndexedSlices, InputGradient};
pub use samplers::*;
pub use scan::running::{cumprod, cumsum};
pub use scan::*;
pub use segment::*;
pub(crate) use shapes::kernel::sizes_as;
pub use shapes::*;
pub(crate) use slicing::strided::Masks;
pub use slicing::*;
pub use sparse::*;
pub use statistics::*;
pub use strings::*;
pub use tables::*;
pub use text::*;
pub use variables::{
    ScatterAddVariable, ScatterSubVariable, ScatterUpdateVariable, StridedSliceAdd,
    StridedSliceAssign, StridedSliceSub,
};

pub use crate::tensor::Lent;

/// The methods of tensors and of extension types, one trait for each subject; [`HasMethods`] gives
/// a type all of them. The page of [`Tensor`](crate::Tensor#methods-of-ops) lists them by subject.
pub mod methods {
    pub use super::blocks::BlocksMethods as _;
    pub use super::counting::CountingMethods as _;
    pub use super::creation::{ArraysMethods as _, MatricesMethods as _};
    pub use super::diagonals::DiagonalMethods as _;
    pub use super::elementwise::{
        ActivationMethods as _, BinaryMethods as _, CastMethods as _, ClosenessMethods as _,
        CompareMethods as _, ComplexMethods as _, DivisionMethods as _, NumericsMethods as _,
        PartsMethods as _, PowerMethods as _, RoundingMethods as _, SpecialMethods as _,
        UnaryMethods as _,
    };
    pub use super::indexing::{EditMethods as _, IndexingMethods as _, TakeMethods as _};
    pub use super::linear::{EinsumMethods as _, LinearMethods as _, ProductsMethods as _};
    pub use super::movement::{
        ArrangeMethods as _, JoinMethods as _, MovementMethods as _, PaddingMethods as _,
    };
    pub use super::nn::{AlongMethods as _, RowsMethods as _};
    pub use super::ordering::{
        ExtremesMethods as _, OrderingMethods as _, SetsMethods as _, SortMethods as _,
    };
    pub use super::pool::FractionalMethods as _;
    pub use super::quantization::QuantizationMethods as _;
    pub use super::reduction::{
        NanMethods as _, NormMethods as _, ReductionMethods as _, ShortMethods as _,
        SpreadMethods as _, StatisticsMethods as _,
    };
    pub use super::scan::{RunningMethods as _, ScanMethods as _};
    pub use super::segment::SegmentMethods as _;
    pub use super::slicing::{MaskMethods as _, SlicingMethods as _, TurnMethods as _};
    pub use super::statistics::{
        HistogramMethods as _, MomentsMethods as _, PolynomialsMethods as _, QuantilesMethods as _,
        SeriesMethods as _, WindowsMethods as _,
    };
    #[cfg(feature = "compression")]
    pub use super::strings::CompressionMethods as _;
    #[cfg(feature = "text")]
    pub use super::strings::PatternMethods as _;
    pub use super::strings::StringMethods as _;
}
