//! Lines about arrays: made, edited, moved, transformed.

use extype::fft::{Forward, Length, Ortho};
use extype::ops::{
    Append, EdgeOrder, Increasing, Indexing, OffValue, OnValue, PadMode, Prepend, Sparse, Trim,
};
use extype::prelude::*;
use extype::{fft, linalg};

table! {
    (inputs: x, y, m, v, w, i, k, b, _n, t, c)

    "np.roll(x, [1, 2], axis=[0, 1])" => ops::roll(x, [1, 2], [0, 1])?;
    "np.roll(t, 1, axis=(0, 2))" => t.roll(1, [0, 2])?;
    "np.roll(i, 4)" => ops::roll(i, 4, ..)?;
    "np.squeeze(np.ones((1, 3, 1)), axis=0)" => ops::squeeze(ops::ones([1, 3, 1], f64)?, 0)?;
    "np.tile(t, 2)" => ops::tile(t, 2)?;
    "np.tile(v, (2, 2))" => ops::tile(v, [2, 2])?;
    "np.pad(t, 1)" => ops::pad(t, 1)?;
    "np.pad(x, 1, constant_values=7.0)" => x.pad_with(7.0, 1)?;
    "np.pad(x, ((1, 2), (2, 1)), mode='edge')" => x.pad_mode([[1, 2], [2, 1]], PadMode::Edge)?;
    "np.pad(x, 1, mode='reflect')" => x.pad_mode(1, PadMode::Reflect)?;
    "np.pad(v, 5, mode='reflect')" => v.pad_mode(5, PadMode::Reflect)?;
    "np.pad(v, (4, 2), mode='symmetric')" => v.pad_mode([[4, 2]], PadMode::Symmetric)?;
    "np.pad(i, ((0, 2), (4, 1)), mode='wrap')" => i.pad_mode([[0, 2], [4, 1]], PadMode::Wrap)?;
    "np.tensordot(t, x, axes=([0, 1], [0, 1]))" => t.tensordot(x, ([0, 1], [0, 1]))?;
    "np.trace(x)" => x.trace()?;
    "np.matvec(m, v)" => m.matvec(v)?;
    "t[:, [True, False, True]]" => t.boolean_mask([true, false, true], 1)?;
    "np.rot90(t, axes=(1, 2))" => t.rot90([1, 2])?;
    "np.rot90(t, 3, axes=(2, 0))" => t.rot90((3, [2, 0]))?;
    "np.polyfit(v, w, 1)" => ops::polyfit(v, w, 1, ..)?;
    "np.polyfit(np.arange(4.0), [1.0, 0.5, 3.0, -2.0], 2)" => ops::polyfit(ops::arange(4.0)?, [1.0, 0.5, 3.0, -2.0], 2, ..)?;
    "np.polyfit(np.arange(3.0), m, 1)" => ops::polyfit(ops::arange(3.0)?, m, 1, ..)?;
    "np.polyfit(v, w, 1, w=[1.0, 2.0, 0.5])" => ops::polyfit(v, w, 1, ops::Weights(&tensor![1.0, 2.0, 0.5]))?;
    "np.sort(np.roots([1.0, -6.0, 11.0, -6.0]))" => ops::roots([1.0, -6.0, 11.0, -6.0])?.real()?.sort(..)?, "complex128, in no order";
    "np.roots([0, 2, 4, 0, 0]) + 0j" => ops::roots([0, 2, 4, 0, 0])?, "complex128, in no order";
    "np.poly(v)" => ops::poly(v)?;
    "np.poly([1, 2, 3])" => ops::poly([1, 2, 3])?;
    "np.polyder(v)" => ops::polyder(v, ..)?;
    "np.polyder(k, 2)" => ops::polyder(k, ops::Times(2))?;
    "np.polyint(v)" => ops::polyint(v, ..)?;
    "np.polyint([6, 2], 2)" => ops::polyint([6, 2], ops::Times(2))?;
    "np.polyadd(v, [1.0, 2.0])" => ops::polyadd(v, [1.0, 2.0])?;
    "np.polysub([2.0], v)" => ops::polysub([2.0], v)?;
    "np.polymul(v, w)" => ops::polymul(v, w)?;
    "np.polydiv([3.0, 5.0, 2.0, 1.0], [2.0, 1.0])[0]" => ops::polydiv([3.0, 5.0, 2.0, 1.0], [2.0, 1.0])?.0;
    "np.polydiv([3.0, 5.0, 2.0, 1.0], [2.0, 1.0])[1]" => ops::polydiv([3.0, 5.0, 2.0, 1.0], [2.0, 1.0])?.1;
    "np.polydiv([3.0], [2.0, 1.0])[0]" => ops::polydiv([3.0], [2.0, 1.0])?.0;
    "np.polydiv([3.0], [2.0, 1.0])[1]" => ops::polydiv([3.0], [2.0, 1.0])?.1;
    "np.diff(v, prepend=0.0)" => v.diff(Prepend(0.0))?;
    "np.diff(x, axis=0, append=y)" => x.diff((0, Append(y)))?;
    "np.diff(k, prepend=0, append=9, n=2)" => k.diff((Prepend(0), Append(9), ops::Times(2)))?;
    "np.gradient(t, 0.5, axis=2, edge_order=2)" => t.slope((2, ops::Spaced(0.5), EdgeOrder(2)))?;
    "np.gradient(v, edge_order=2)" => v.slope(EdgeOrder(2))?;
    "np.gradient(x, [0.0, 1.0, 3.0], axis=1, edge_order=2)" => x.slope((1, ops::At([0.0, 1.0, 3.0]), EdgeOrder(2)))?;
    "np.tril_indices(3)[1]" => ops::tril_indices(3, ..)?.1;
    "np.triu_indices(3, k=1)[0]" => ops::triu_indices(3, 1)?.0;
    "np.triu_indices(2, m=4)[1]" => ops::triu_indices(2, ops::Columns(4))?.1;
    "np.diag_indices(3)[0]" => ops::diag_indices(3, ..)?.0;
    "np.indices((2, 3))" => ops::indices([2, 3])?;
    "np.ravel_multi_index(([1, 0, 1], [2, 1, 0]), (2, 3))" => ops::ravel_multi_index([[1i64, 0, 1], [2, 1, 0]], [2i64, 3])?;
    "np.unravel_index([5, 1], (2, 3))[1]" => tensor![5i64, 1].unravel_index([2i64, 3])?.index(1)?;
    "np.insert(v, [0, 2], [7.0, 8.0])" => v.insert([0, 2], [7.0, 8.0], ..)?;
    "np.insert(v, [3, 1, 1], [7.0, 8.0, 9.0])" => v.insert([3, 1, 1], [7.0, 8.0, 9.0], ..)?;
    "np.insert(x, [0, -1], 5.0, axis=1)" => x.insert([0, -1], 5.0, 1)?;
    "np.insert(x, 3, v[:2], axis=1)" => x.insert(3, v.index(..2)?, 1)?;
    "np.insert(k, -1, [8, 9])" => k.insert(-1, [8i64, 9], ..)?;
    "np.vander(k, 3, increasing=True)" => k.vander((ops::Columns(3), Increasing))?;
    "np.meshgrid(v, w, sparse=True)[1]" => ops::meshgrid(&[v, w], Sparse)?[1].clone();
    "np.meshgrid(v, w, indexing='ij', sparse=True)[0]" => ops::meshgrid(&[v, w], (Indexing::Ij, Sparse))?[0].clone();
    "np.diag(m, k=2)" => m.diag(2)?;
    "np.diag(x, k=-1)" => x.diag(-1)?;
    "np.diag(x, k=5)" => x.diag(5)?;
    "np.diagonal(t, axis1=1, axis2=2, offset=-3)" => t.diag(-3)?, "of a stack of matrices their diagonals";
    "np.choose([[0, 1, 0], [2, 0, 1]], [x, y, v])" => ops::choose([[0, 1, 0], [2, 0, 1]], &[x, y, v])?;
    "np.block([[x, y], [y, x]])" => ops::block(&[[x, y], [y, x]])?;
    "np.block([[m, np.ones((3, 1))], [v, np.zeros((1, 1))]])" => ops::block(&[[m, &ops::ones([3, 1], f64)?], [v, &ops::zeros([1, 1], f64)?]])?;
    "np.eye(4)[k]" => k.one_hot(4, f64)?;
    "np.where(np.eye(3)[[0, 2]] > 0, 5, -1)" => tensor![0, 2].one_hot(3, (OnValue(5i64), OffValue(-1i64)))?;
    "np.compress(b.ravel(), x)" => x.compress(b.ravel()?, ..)?, "the tensor stands first";
    "np.extract([[1, 0, 1], [0, 0, 1]], x)" => x.extract([[1, 0, 1], [0, 0, 1]])?, "the tensor stands first";
    "np.trim_zeros([0, 1, 0, 2, 0], 'f')" => tensor![0i64, 1, 0, 2, 0].trim_zeros(Trim::Front)?;
    "np.trim_zeros([0, 1, 0, 2, 0], 'b')" => tensor![0i64, 1, 0, 2, 0].trim_zeros(Trim::Back)?;
    "np.hsplit(x, [1])[1]" => x.hsplit([1])?[1].clone();
    "np.vsplit(m, [1, 2])[2]" => m.vsplit([1, 2])?[2].clone();
    "np.dsplit(t, [3])[0]" => ops::dsplit(t, [3])?[0].clone();
    "np.poly(c)" => ops::poly(c)?;

    "np.fft.fft(v, norm='ortho')" => fft::fft(v, Ortho)?;
    "np.fft.fft(x, 4, axis=0, norm='forward')" => fft::fft(x, (Length(4), 0, Forward))?;
    "np.fft.ifft(c, norm='forward')" => fft::ifft(c, Forward)?;
    "np.fft.irfft(c, norm='ortho')" => fft::irfft(c, Ortho)?;
    "np.fft.rfft(k)" => fft::rfft(k, ..)?;
    "np.fft.fft(b)" => fft::fft(b, ..)?;
    "np.fft.fft2(x, norm='ortho')" => fft::fft2(x, Ortho)?;
    "np.fft.irfftn(np.fft.rfftn(t, norm='forward'), norm='forward')" => fft::irfftn(fft::rfftn(t, Forward)?, Forward)?;
    "np.fft.hfft(c)" => fft::hfft(c, ..)?;
    "np.fft.hfft(c, 5, norm='ortho')" => fft::hfft(c, (Length(5), Ortho))?;
    "np.fft.ihfft(w)" => fft::ihfft(w, ..)?;
    "np.fft.ihfft(w, norm='forward')" => fft::ihfft(w, Forward)?;

    "np.linalg.norm(i)" => linalg::norm(i, ..)?;
    "np.linalg.norm(i, ord=1, axis=0)" => linalg::norm(i, (linalg::Order(1.0), 0))?;
    "np.linalg.norm(m, ord=1)" => linalg::norm(m, (linalg::Order(1.0), [0, 1]))?, "of a matrix the two axes are named";
    "np.linalg.vector_norm(t, axis=(0, 2))" => linalg::vector_norm(t, [0, 2])?;
    "np.linalg.vector_norm(t, ord=1, axis=(0, 1), keepdims=True)" => linalg::vector_norm(t, (linalg::Order(1.0), [0, 1], KeepDims))?;
    "np.linalg.vector_norm(k)" => linalg::vector_norm(k, ..)?;
    "np.linalg.matrix_norm(t)" => linalg::matrix_norm(t, ..)?;
    "np.linalg.matrix_norm(i, ord=1, keepdims=True)" => linalg::matrix_norm(i, (linalg::Order(1.0), KeepDims))?;
    "np.linalg.cond(m, 1)" => linalg::cond(m, linalg::Order(1.0))?;
    "np.linalg.multi_dot([x, m, m, v])" => linalg::multi_dot(&[x, m, m, v])?;
    "np.linalg.multi_dot([v, m, w])" => linalg::multi_dot(&[v, m, w])?;
    "np.linalg.diagonal(t, offset=1)" => linalg::diagonal(t, 1)?;
    "np.linalg.outer(v, w)" => linalg::outer(v, w)?;
    "np.linalg.trace(t)" => linalg::trace(t)?;
}
