//! Where control flow on tensors may stand: in `unsafe` and `const` blocks' company, in generic code, in arguments of
//! macros, in closures, beside labels and shadowed names.

use extype::prelude::*;

use crate::corners::agrees;
use crate::support::*;

#[tf_function]
fn in_an_unsafe_block(x: &Tensor) -> Result<Tensor> {
    let table = [10i64, 20, 30];
    let mut y = x.clone();
    // SAFETY: the indices are below the length.
    unsafe {
        if y > *table.get_unchecked(0) {
            y = y - *table.get_unchecked(1);
        } else {
            y = y + *table.get_unchecked(2);
        }
    }
    Ok(y)
}

#[tf_function]
fn beside_constants(x: &Tensor) -> Result<Tensor> {
    const LIMIT: i64 = 10;
    const STEPS: [i64; 2] = if LIMIT > 5 { [1, 2] } else { [3, 4] };
    static NAME: &str = "limit";
    let mut y = x.clone();
    while y < LIMIT {
        y = y + const { STEPS[0] + STEPS[1] };
    }
    Ok(y + NAME.len() as i64)
}

#[tf_function]
fn in_arguments_of_macros(x: &Tensor) -> Result<Tensor> {
    let parts = vec![if x > 3 { x * 2 } else { x + 1 }, scalar(1i64)];
    let text = format!("{}", parts.len());
    let sum = ops::stack(&parts, 0)?.reduce_sum(.., false)?;
    Ok(sum + text.len() as i64)
}

#[tf_function]
fn in_nested_closures(x: &Tensor) -> Result<Tensor> {
    let clamp = |v: &Tensor, most: i64| -> Result<Tensor> {
        let halve = |v: Tensor| if v > 100 { v / 2 } else { v };
        if v > most {
            return Ok(scalar(most));
        }
        Ok(halve(v * 3))
    };
    let parts = [x + 1, x * 10].iter().map(|v| clamp(v, 60)).collect::<Result<Vec<_>>>()?;
    Ok(&parts[0] * 1000 + &parts[1])
}

#[tf_function]
fn with_shadowed_names_and_labels(x: &Tensor) -> Result<Tensor> {
    let x = x * 2;
    let mut total = scalar(0i64);
    'a: for i in 0..4i64 {
        let x = &x + i;
        for j in 0..3i64 {
            let x = &x + j;
            if x > 20 {
                break 'a;
            }
            if &x % 5 == 4 {
                continue 'a;
            }
            total = total + &x;
        }
        total = total + 1;
    }
    Ok(total)
}

struct Scale<const N: i64>;

trait Grows {
    const BY: i64;
}

impl<const N: i64> Grows for Scale<N> {
    const BY: i64 = N;
}

fn grown<G: Grows>(x: &Tensor) -> Result<Tensor> {
    #[tf_function]
    fn until(x: &Tensor, by: i64) -> Result<Tensor> {
        let mut y = x.clone();
        while y < 50 {
            y = y * by + 1;
        }
        Ok(y)
    }
    until(x, G::BY)
}

#[test]
fn in_a_function_within_a_generic_one() -> Result<()> {
    assert_eq!(grown::<Scale<2>>(&scalar(3i64))?.item::<i64>()?, 63);
    assert_eq!(grown::<Scale<10>>(&scalar(3i64))?.item::<i64>()?, 311);
    Ok(())
}

#[tf_function]
fn with_a_length_of_its_own<const N: usize>(x: &Tensor) -> Result<Tensor> {
    let mut parts: [Tensor; N] = std::array::from_fn(|i| x + i as i64);
    for (i, part) in parts.iter_mut().enumerate() {
        if *part > 4 {
            *part = &*part * (i as i64 + 1);
        }
    }
    let mut sum = scalar(0i64);
    for part in &parts {
        sum = sum + part;
    }
    Ok(sum)
}

#[test]
fn in_a_function_of_a_constant() -> Result<()> {
    for (x, want) in [(3i64, 22i64), (9, 62), (-9, -24)] {
        agree(with_a_length_of_its_own::<3>::__body(&scalar(x))?, &[scalar(want)]);
        agree(with_a_length_of_its_own::<3>(&scalar(x))?, &[scalar(want)]);
    }
    Ok(())
}

mod tests {
    use super::*;

    agrees!(in_an_unsafe_block: (11i64) => -9i64, (3i64) => 33i64);
    agrees!(beside_constants: (0i64) => 17i64, (100i64) => 105i64);
    agrees!(in_arguments_of_macros: (5i64) => 12i64, (3i64) => 6i64);
    agrees!(in_nested_closures: (3i64) => 12090i64, (40i64) => 61060i64, (-1i64) => -30i64);
    agrees!(with_shadowed_names_and_labels: (0i64) => 19i64, (8i64) => 105i64, (50i64) => 0i64);
}
