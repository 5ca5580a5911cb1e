//! Method names of other libraries for methods that have another name here. These methods can't be called. Without them
//! the compiler would suggest the method with the most similar name, which does something else.

use super::Tensor;
use crate::types::{Result, err};

// One macro call for each name, since the compiler shows the whole macro call.
macro_rules! namesake {
    ($name:ident $marker:ident($($argument:ident)?), $message:literal, $instead:literal) => {
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = $instead)]
        pub trait $marker {}

        impl Tensor {
            #[doc(hidden)]
            pub fn $name(&self $(, $argument: impl Sized)?) -> Result<Tensor>
            where
                // `for<'a>` allows a bound that is never met.
                for<'a> &'a Tensor: $marker,
            {
                $(let _ = $argument;)?
                Err(err!($instead))
            }
        }
    };
}
namesake!(
    inv Inv(),
    "a tensor has no method `inv`",
    "write `linalg::inv(&x)?`; of an element there is `x.reciprocal()?`"
);
namesake!(
    det Det(),
    "a tensor has no method `det`",
    "write `linalg::det(&x)?`"
);
namesake!(
    iter Iter(),
    "a tensor has no method `iter`",
    "write `x.to_vec::<f32>()?` for its numbers; `(0..x.len()).map(|i| x.index(i))` goes over its rows"
);
namesake!(
    size Size(),
    "a tensor has no method `size`",
    "write `x.shape().num_elements()`, `x.len()` for the rows, or `ops::size(&x)?` for a tensor"
);
namesake!(
    dims Dims(),
    "a tensor has no method `dims`",
    "write `x.shape().dims()`, or `x.value()?.dims()` for numbers"
);
namesake!(
    to_nested ToNested(),
    "a tensor has no method `to_nested`",
    "write `Vec::<Vec<f32>>::try_from(&x)?`, or `x.to_vec::<f32>()?` for one row of all"
);
namesake!(
    to_list ToList(),
    "a tensor has no method `to_list`",
    "write `x.to_vec::<f32>()?`"
);
namesake!(
    tolist Tolist(),
    "a tensor has no method `tolist`",
    "write `x.to_vec::<f32>()?`"
);
namesake!(
    numpy Numpy(),
    "a tensor has no method `numpy`",
    "write `x.to_array::<f32>()?`, or `x.to_vec::<f32>()?`"
);
namesake!(
    view View(shape),
    "a tensor has no method `view`",
    "write `x.reshape([2, 3])?`"
);
namesake!(
    permute Permute(axes),
    "a tensor has no method `permute`",
    "write `x.transpose([1, 0])?`"
);
namesake!(
    unsqueeze Unsqueeze(axis),
    "a tensor has no method `unsqueeze`",
    "write `x.expand_dims(0)?`"
);
namesake!(
    mm Mm(y),
    "a tensor has no method `mm`",
    "write `x.matmul(&y)?`"
);
namesake!(
    detach Detach(),
    "a tensor has no method `detach`",
    "write `x.stop_gradient()?`"
);
namesake!(
    backward Backward(),
    "a tensor has no method `backward`",
    "write `grad(f)(&x)?`, or ask a tape: `tape.gradient(&y, &x)?`"
);
namesake!(
    get Get(index),
    "a tensor has no method `get`",
    "write `x.index(0)?`, a tensor; `x.to_vec::<f32>()?` has the numbers"
);
