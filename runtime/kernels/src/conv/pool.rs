//! Pooling: the largest element or the mean of each window, channel by channel.

use super::Axis;
use crate::element::{Arithmetic, Cast, Real, Transcendental};
use crate::halves::written_mut;
use crate::par::{Par, simd};
use crate::size::volume;
use core::mem::MaybeUninit;
use core::ops::Range;

/// The sizes of a pooling: the input is `[batch, …, channels]`. Places outside of the input are not in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pool {
    /// Images.
    pub batch: usize,
    /// The axes of windows; those not used are [`Axis::ONE`].
    pub axes: [Axis; 3],
    /// Channels.
    pub channels: usize,
}

/// An image and a range of places along each axis.
struct Region {
    image: usize,
    places: [Range<usize>; 3],
}

impl Region {
    fn count(&self) -> usize {
        self.places.iter().map(ExactSizeIterator::len).product()
    }

    /// Calls `f` with the index of each place among all images of these sizes.
    #[inline(always)]
    fn each(&self, sizes: [usize; 3], mut f: impl FnMut(usize)) {
        let [planes, rows, places] = &self.places;
        for plane in planes.clone() {
            for row in rows.clone() {
                let start = ((self.image * sizes[0] + plane) * sizes[1] + row) * sizes[2];
                for place in places.clone() {
                    f(start + place);
                }
            }
        }
    }
}

/// Numbers are equal to themselves.
#[expect(clippy::eq_op, reason = "NaN is not")]
fn is_nan<T: PartialEq + Copy>(x: T) -> bool {
    x != x
}

impl Pool {
    fn inputs(&self) -> [usize; 3] {
        self.axes.map(|a| a.input)
    }

    fn outputs(&self) -> [usize; 3] {
        self.axes.map(|a| a.output)
    }

    fn len(&self, sizes: [usize; 3]) -> usize {
        volume([self.batch, self.channels].into_iter().chain(sizes))
    }

    /// A place of images of these sizes, with a range for each axis.
    fn region(
        place: usize,
        sizes: [usize; 3],
        range: impl Fn(usize, usize) -> Range<usize>,
    ) -> Region {
        let (rest, z) = (place / sizes[2], place % sizes[2]);
        let (rest, y) = (rest / sizes[1], rest % sizes[1]);
        let (image, x) = (rest / sizes[0], rest % sizes[0]);
        Region { image, places: [range(0, x), range(1, y), range(2, z)] }
    }

    /// The places of the input in the window of a place of the output.
    fn window(&self, output: usize) -> Region {
        Self::region(output, self.outputs(), |i, at| {
            let a = &self.axes[i];
            let start = at * a.stride;
            start.saturating_sub(a.before)..(start + a.filter).saturating_sub(a.before).min(a.input)
        })
    }

    /// The places of the output whose windows have a place of the input.
    fn windows_of(&self, input: usize) -> Region {
        Self::region(input, self.inputs(), |i, at| {
            let a = &self.axes[i];
            let at = at + a.before;
            (at + 1).saturating_sub(a.filter).div_ceil(a.stride)..(at / a.stride + 1).min(a.output)
        })
    }

    /// Calls `f` with each place of images of these sizes, and its channels of the result.
    fn for_places<R: Send>(
        &self,
        sizes: [usize; 3],
        out: &mut [MaybeUninit<R>],
        par: Par,
        f: &(dyn Fn(usize, &mut [MaybeUninit<R>]) + Sync),
    ) {
        assert_eq!(out.len(), self.len(sizes));
        if out.is_empty() {
            return;
        }
        let work = out.len().saturating_mul(volume(self.axes.map(|a| a.filter)));
        par.for_parts(out, self.channels, work, &|start, out| {
            for (i, out) in out.chunks_exact_mut(self.channels).enumerate() {
                f(start / self.channels + i, out);
            }
        });
    }

    /// Combines the elements of each window, beginning with `first`. `end` gets the result and the number of elements.
    fn fold<T: Arithmetic>(
        &self,
        x: &[T],
        out: &mut [MaybeUninit<T>],
        par: Par,
        first: T,
        combine: impl Fn(T, T) -> T + Copy + Sync,
        end: impl Fn(T, usize) -> T + Copy + Sync,
    ) {
        assert_eq!(x.len(), self.len(self.inputs()));
        self.for_places(self.outputs(), out, par, &|output, out| {
            simd(
                #[inline(always)]
                || {
                    out.fill(MaybeUninit::new(first));
                    // SAFETY: just written.
                    let out = unsafe { written_mut(out) };
                    let window = self.window(output);
                    window.each(
                        self.inputs(),
                        #[inline(always)]
                        |at| {
                            let x = &x[at * self.channels..][..self.channels];
                            for (out, x) in out.iter_mut().zip(x) {
                                *out = combine(*out, *x);
                            }
                        },
                    );
                    let count = window.count();
                    for out in out {
                        *out = end(*out, count);
                    }
                },
            );
        });
    }

    /// The largest of `least` and the elements of each window. NaN is passed over.
    ///
    /// # Panics
    ///
    /// If a length does not fit the sizes; so the other functions.
    pub fn max<T: Real>(&self, x: &[T], least: T, out: &mut [MaybeUninit<T>], par: Par) {
        self.fold(
            x,
            out,
            par,
            least,
            #[inline(always)]
            |a, b| if b > a { b } else { a },
            |x, _| x,
        );
    }

    /// The mean of each window; NaN of a window without elements.
    pub fn mean<T: Transcendental>(&self, x: &[T], out: &mut [MaybeUninit<T>], par: Par)
    where
        f64: Cast<T>,
    {
        let end = |sum: T, count: usize| sum.div(Cast::<T>::cast(count as f64));
        self.fold(x, out, par, T::ZERO, crate::op!(T::add, 2), end);
    }

    /// The place of the largest element of each window in its image, the first of equal ones; -1 if there is none.
    pub fn arg_max<T: Real>(&self, x: &[T], out: &mut [MaybeUninit<i64>], par: Par) {
        assert_eq!(x.len(), self.len(self.inputs()));
        let size = volume(self.inputs());
        self.for_places(self.outputs(), out, par, &|output, out| {
            let window = self.window(output);
            for (channel, out) in out.iter_mut().enumerate() {
                let (mut most, mut place) = (T::LOWEST, -1);
                window.each(self.inputs(), |at| {
                    let x = x[at * self.channels + channel];
                    // A number is larger than NaN, as for `max`.
                    if place < 0 || x > most || (is_nan(most) && !is_nan(x)) {
                        (most, place) = (x, (at % size) as i64);
                    }
                });
                out.write(place);
            }
        });
    }

    /// The gradient of [`max`](Self::max): each place of the input sums what the windows got whose largest element is
    /// there, by `places`.
    pub fn max_gradient<T: Arithmetic>(
        &self,
        places: &[i64],
        dy: &[T],
        out: &mut [MaybeUninit<T>],
        par: Par,
    ) {
        assert_eq!([places.len(), dy.len()], [self.len(self.outputs()); 2]);
        let size = volume(self.inputs());
        self.spread(out, par, &|input, output, out| {
            let (here, at) = ((input % size) as i64, output * self.channels);
            let windows = places[at..].iter().zip(&dy[at..]);
            for (out, (place, dy)) in out.iter_mut().zip(windows) {
                if *place == here {
                    *out = out.add(*dy);
                }
            }
        });
    }

    /// The gradient of [`mean`](Self::mean).
    pub fn mean_gradient<T: Transcendental>(&self, dy: &[T], out: &mut [MaybeUninit<T>], par: Par)
    where
        f64: Cast<T>,
    {
        assert_eq!(dy.len(), self.len(self.outputs()));
        self.spread(out, par, &|_, output, out| {
            let count: T = Cast::<T>::cast(self.window(output).count() as f64);
            for (out, dy) in out.iter_mut().zip(&dy[output * self.channels..]) {
                *out = out.add(dy.div(count));
            }
        });
    }

    /// Calls `add` with each place of the input, each place of the output whose window has it, and the sums of the
    /// channels so far.
    fn spread<T: Arithmetic>(
        &self,
        out: &mut [MaybeUninit<T>],
        par: Par,
        add: &(dyn Fn(usize, usize, &mut [T]) + Sync),
    ) {
        self.for_places(self.inputs(), out, par, &|input, out| {
            out.fill(MaybeUninit::new(T::ZERO));
            // SAFETY: just written.
            let out = unsafe { written_mut(out) };
            self.windows_of(input).each(self.outputs(), |output| add(input, output, out));
        });
    }
}
