//! Kernels of special functions and comparisons of floats.

use extype_kernels as k;
use k::table::{Pairing, binary as b, special as s, unary as u};
use k::{Par, Special};

use super::elementwise::{binary, entry, unary};
use super::typed;
use crate::array::Array;
use crate::op::{KernelContext, Outputs};
use crate::types::{Result, bail};

type Context<'a> = KernelContext<'a>;
type Kernel = fn(&Context<'_>) -> Result<Outputs>;

/// Kernels that are a table.
macro_rules! kernels {
    ($function:ident: $($name:ident)*) => {
        $(pub(in super::super) const $name: Kernel = |c| $function(c, &s::$name);)*
    };
}

kernels! { unary: LGAMMA DIGAMMA ERFINV NDTRI BESSEL_I0 BESSEL_I0E BESSEL_I1 BESSEL_I1E BESSEL_J0 BESSEL_J1 BESSEL_K0 BESSEL_K0E BESSEL_K1 BESSEL_K1E BESSEL_Y0 BESSEL_Y1 DAWSN EXPINT FRESNEL_COS FRESNEL_SIN SPENCE }
kernels! { binary: IGAMMA IGAMMAC IGAMMA_GRAD_A ZETA POLYGAMMA NEXT_AFTER }

/// The nearest integer; zero of integers.
pub(in super::super) fn round(c: &Context<'_>) -> Result<Outputs> {
    match c.input(0).dtype() {
        d if d.is_integer() => super::elementwise::zeros_like(c),
        _ => super::elementwise::RINT(c),
    }
}

pub(in super::super) fn approximate_equal(c: &Context<'_>) -> Result<Outputs> {
    let (x, y) = (c.input(0), c.input(1));
    if x.dims() != y.dims() {
        bail!("shapes {} and {} differ; the operands don't broadcast", x.shape(), y.shape());
    }
    let tolerance: f32 = c.attrs.get("tolerance")?;
    typed!(real, c, x.dtype(), T => {
        let (sub, abs) = (entry::<T, _>(c, &b::SUB)?, entry::<T, _>(c, &u::ABS)?);
        let less = entry::<T, _>(c, &b::LESS)?;
        let (x, y) = (x.as_slice::<T>()?, y.as_slice::<T>()?);
        let difference = Array::from_kernel(c.input(0).dims(), |out| {
            sub(x, y, Pairing::Each, out, Par::Pool);
            Ok(())
        })?;
        let distance = Array::from_kernel(c.input(0).dims(), |out| {
            abs(difference.as_slice::<T>()?, out, Par::Pool);
            Ok(())
        })?;
        let near = Array::from_kernel(c.input(0).dims(), |out| {
            let tolerance = [k::Cast::<T>::cast(tolerance)];
            less(distance.as_slice::<T>()?, &tolerance, Pairing::Right, out, Par::Pool);
            Ok(())
        })?;
        Ok([near].into())
    })
}

pub(in super::super) fn betainc(c: &Context<'_>) -> Result<Outputs> {
    let operands = [c.input(0), c.input(1), c.input(2)];
    let whole = operands.into_iter().find(|x| x.rank() != 0).unwrap_or(operands[0]);
    if let Some(other) = operands.into_iter().find(|x| x.rank() != 0 && x.dims() != whole.dims()) {
        bail!("shapes {} and {} differ; only scalars broadcast", whole.shape(), other.shape());
    }
    typed!(float, c, whole.dtype(), T => {
        let [a, b, x] = operands.map(|operand| (operand.as_slice::<T>(), operand.rank() == 0));
        let (a, b, x) = ((a.0?, a.1), (b.0?, b.1), (x.0?, x.1));
        let at = |(data, scalar): (&[T], bool), i: usize| data[if scalar { 0 } else { i }];
        let out = Array::from_writer(whole.dims(), |out: &mut [T]| {
            for (i, out) in out.iter_mut().enumerate() {
                *out = Special::betainc(at(a, i), at(b, i), at(x, i));
            }
            Ok(())
        })?;
        Ok([out].into())
    })
}
