//! Ops that run functions: one of several branches, or the test and the body of a loop.
//!
//! Control flow is only the choice of the function that runs. How a function runs is left to its code.

use std::sync::Arc;

use smallvec::SmallVec;

use super::LibraryFunction;
use crate::array::{Array, Variant, joined_strings, reserve};
use crate::ir::{Attrs, KernelContext, Outputs};
use crate::types::{DType, Dim, Error, Result, TensorType, bail, err};

/// The functions of an op with branches.
pub type Branches = SmallVec<[Arc<LibraryFunction>; 2]>;

/// An op that runs one of its functions. The first input picks the function, which gets the other inputs.
#[derive(Debug)]
pub struct Branching {
    /// The functions.
    pub branches: fn(&Attrs) -> Result<Branches>,
    /// Picks one of a number of branches by the value of the first input.
    pub pick: fn(&Array, usize) -> Result<usize>,
    /// The name of a branch in messages.
    pub name: fn(usize) -> String,
}

impl Branching {
    /// Runs the branch that the first input picks.
    pub(in crate::ir) fn run(&self, c: &KernelContext<'_>) -> Result<Outputs> {
        self.run_of(&(self.branches)(c.attrs)?, c)
    }

    /// [`run`](Self::run) with these branches.
    pub(crate) fn run_of(
        &self,
        branches: &[Arc<LibraryFunction>],
        c: &KernelContext<'_>,
    ) -> Result<Outputs> {
        let picked = self.picked(c.input(0), branches.len())?;
        branches[picked].call(&c.inputs[1..]).map_err(|e| e.in_context((self.name)(picked)))
    }

    /// The branch that the value picks.
    ///
    /// # Errors
    /// `InvalidArgument` for a value of another kind.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{Kernel, find_op};
    /// use extype::prelude::*;
    /// let Kernel::Branch(case) = find_op("Case")?.kernel else { unreachable!() };
    /// assert_eq!(case.picked(&Array::scalar(1i32), 3)?, 1);
    /// // The last branch stands for all other numbers.
    /// assert_eq!(case.picked(&Array::scalar(7i32), 3)?, 2);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn picked(&self, value: &Array, branches: usize) -> Result<usize> {
        let picked = (self.pick)(value, branches)?;
        if picked >= branches {
            return Err(Error::internal(format!("branch {picked} of {branches} was picked")));
        }
        Ok(picked)
    }
}

/// The functions of a loop. Both take the loop's state, which is all inputs of the op; the body returns
/// the next state.
#[derive(Clone, Debug)]
pub struct Looping {
    /// Returns one bool: whether the body runs (again).
    pub test: Arc<LibraryFunction>,
    /// The body.
    pub body: Arc<LibraryFunction>,
    /// How values are kept of every iteration. If given, the op's results are the state, the number of iterations,
    /// and the values of each further result of the body.
    pub saves: Option<Saves>,
}

/// How a loop returns the values that its body's further results had in all iterations.
#[derive(Clone, Copy, Debug)]
pub struct Saves {
    /// The number of further results that are always stacked. The later ones are stacked if their shape is fully
    /// known, otherwise made a list, since their sizes may differ between iterations.
    pub stacked: usize,
    /// Makes a list of the values of a further result that is not stacked.
    pub list: fn(&TensorType, Vec<Array>) -> Result<Array>,
}

impl Saves {
    /// True if further result `i`, of this type, becomes a list.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::Saves;
    /// use extype::prelude::*;
    /// use extype::types::TensorType;
    /// let saves = Saves { stacked: 1, list: |ty, _| Array::zeros(ty.dtype, [0]) };
    /// let growing = TensorType::new(f32, shape![?, 3]);
    /// assert!(!saves.lists(0, &growing) && saves.lists(1, &growing));
    /// assert!(!saves.lists(1, &TensorType::new(f32, shape![2, 3])));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn lists(&self, i: usize, ty: &TensorType) -> bool {
        i >= self.stacked && !ty.shape.is_fully_defined()
    }
}

impl Looping {
    /// Runs the loop on the inputs, each with a new identity.
    pub(in crate::ir) fn run(&self, c: &KernelContext<'_>) -> Result<Outputs> {
        let state = c.inputs.iter().map(|x| x.renewed()).collect::<Result<Outputs>>()?;
        let mut stacks = Stacks::new(self, state.len())?;
        let mut outputs = self.body.repeat(&self.test, state, &mut stacks)?;
        if let Some(saves) = self.saves {
            stacks.finish(saves, &mut outputs)?;
        }
        Ok(outputs)
    }
}

/// The value of a condition.
///
/// # Errors
/// `InvalidArgument` for anything but one bool.
///
/// ```
/// use extype::array::Array;
/// use extype::ir::decision;
/// use extype::prelude::*;
/// assert!(decision(&Array::scalar(true))?);
/// assert!(decision(&Array::scalar(1i32)).is_err());
/// assert!(decision(&Array::from_slice([2], &[true, false])?).is_err());
/// # Ok::<(), Error>(())
/// ```
pub fn decision(value: &Array) -> Result<bool> {
    match (value.dtype(), value.len()) {
        (DType::Bool, 1) => Ok(value.as_slice::<bool>()?[0]),
        (DType::Bool, _) => Err(err!(
            "a condition is one bool, not {}; reduce it with `reduce_all` or `reduce_any`",
            value.tensor_type()
        )),
        (dtype, _) => {
            Err(err!("a condition is a bool, not {dtype}; compare it, as in `x.not_equal(0)`"))
        }
    }
}

/// The state of a loop: the tensors that one iteration passes to the next.
pub(crate) type LoopState = SmallVec<[Array; 8]>;

/// Runs a body as long as the test is true.
///
/// # Errors
/// What the functions fail with, with the number of the iteration.
pub(crate) fn repeat(
    test: impl Fn(&[&Array]) -> Result<SmallVec<[Array; 1]>>,
    body: impl Fn(&mut LoopState) -> Result<()>,
    mut state: LoopState,
    stacks: &mut Stacks,
) -> Result<Outputs> {
    let size = state.len();
    for iteration in 0u64.. {
        let goes_on = {
            let inputs: SmallVec<[&Array; 8]> = state.iter().collect();
            test(&inputs).and_then(|outputs| match &outputs[..] {
                [one] => decision(one),
                _ => Err(Error::internal("the test of a loop has not one result")),
            })
        };
        if !goes_on.map_err(|e| in_iteration(e, "the test of iteration", iteration))? {
            break;
        }
        body(&mut state).map_err(|e| in_iteration(e, "iteration", iteration))?;
        stacks.push(state.drain(size..)).map_err(|e| in_iteration(e, "iteration", iteration))?;
    }
    Ok(state.into_iter().collect())
}

/// [`repeat`] for functions that are simply called in each iteration.
///
/// # Errors
/// As [`repeat`].
pub(crate) fn repeat_calls(
    test: &LibraryFunction,
    body: &LibraryFunction,
    state: Outputs,
    stacks: &mut Stacks,
) -> Result<Outputs> {
    let body = |state: &mut LoopState| {
        let next = body.call(&state.iter().collect::<SmallVec<[&Array; 8]>>())?;
        *state = next.into_iter().collect();
        Ok(())
    };
    repeat(|inputs| test.call(inputs), body, state.into_iter().collect(), stacks)
}

/// An error that names the iteration, counted from zero.
#[cold]
pub(crate) fn in_iteration(e: Error, what: &str, iteration: u64) -> Error {
    e.in_context(format!("{what} {iteration}"))
}

/// The values that a loop keeps of every iteration.
#[derive(Debug)]
pub(crate) struct Stacks {
    stacks: Vec<Stack>,
    steps: i64,
}

#[derive(Debug)]
struct Stack {
    ty: TensorType,
    /// The sizes of the values, once there is a value.
    dims: Option<SmallVec<[usize; 4]>>,
    data: Data,
}

#[derive(Debug)]
enum Data {
    Bytes(Vec<u8>),
    Strings(Vec<Vec<u8>>),
    Variants(Vec<Variant>),
    Items(Vec<Array>),
}

impl Stacks {
    /// Empty stacks for a loop whose state has `state` tensors.
    fn new(looping: &Looping, state: usize) -> Result<Self> {
        let kept = looping.body.output_types().get(state..).unwrap_or_default();
        let Some(saves) = looping.saves else { return Ok(Self { stacks: Vec::new(), steps: 0 }) };
        let stack = |(i, ty): (usize, &TensorType)| {
            let data = match ty.dtype {
                _ if saves.lists(i, ty) => Data::Items(Vec::new()),
                DType::String => Data::Strings(Vec::new()),
                DType::Variant => Data::Variants(Vec::new()),
                DType::Resource => {
                    bail!(Unimplemented, "the gradient of a loop would keep values of {}", ty.dtype)
                }
                _ => Data::Bytes(Vec::new()),
            };
            Ok(Stack { ty: ty.clone(), dims: None, data })
        };
        Ok(Self { stacks: kept.iter().enumerate().map(stack).collect::<Result<_>>()?, steps: 0 })
    }

    /// Empty lists for the bytes of the values, one for each stack; `None` if a stack keeps something else.
    pub(crate) fn lists(&self) -> Option<Vec<Vec<u8>>> {
        let list = |stack: &Stack| matches!(stack.data, Data::Bytes(_)).then(Vec::new);
        self.stacks.iter().map(list).collect()
    }

    /// Takes over the values of so many iterations from lists of their bytes, with the sizes of one value.
    pub(crate) fn fill<'a>(
        &mut self,
        steps: i64,
        lists: impl Iterator<Item = (Vec<u8>, &'a [usize])>,
    ) {
        self.steps = steps;
        for (stack, (bytes, dims)) in self.stacks.iter_mut().zip(lists) {
            stack.dims = (steps > 0).then(|| dims.into());
            stack.data = Data::Bytes(bytes);
        }
    }

    fn push(&mut self, values: impl Iterator<Item = Array>) -> Result<()> {
        self.steps += 1;
        for (stack, value) in self.stacks.iter_mut().zip(values) {
            if let Data::Items(items) = &mut stack.data {
                items.push(value);
                continue;
            }
            let dims = stack.dims.get_or_insert_with(|| value.dims().into());
            if dims[..] != *value.dims() {
                bail!(
                    "the results of all iterations are stacked, so they need one shape, not {} and then {}",
                    crate::types::Shape::from(&dims[..]),
                    value.shape()
                );
            }
            match &mut stack.data {
                Data::Bytes(bytes) => {
                    let more = value.as_bytes();
                    let more = more.ok_or_else(|| Error::internal("a value without bytes"))?;
                    reserve(bytes, more.len())?;
                    bytes.extend_from_slice(more);
                }
                Data::Strings(strings) => {
                    let more = value.as_strings()?.iter().map(|s| [&s[..]]);
                    let more = joined_strings(more)?;
                    reserve(strings, more.len())?;
                    strings.extend(more);
                }
                Data::Variants(variants) => {
                    reserve(variants, value.len())?;
                    variants.extend_from_slice(value.as_variants()?);
                }
                Data::Items(items) => items.push(value),
            }
        }
        Ok(())
    }

    /// Appends the number of steps and the stacks.
    fn finish(self, saves: Saves, outputs: &mut Outputs) -> Result<()> {
        let steps = self.steps as usize;
        outputs.push(Array::scalar(self.steps));
        for stack in self.stacks {
            if let Data::Items(items) = stack.data {
                outputs.push((saves.list)(&stack.ty, items)?);
                continue;
            }
            let ty = TensorType::new(stack.ty.dtype, stack.ty.shape.insert(0, Dim::from(steps)));
            let Some(known) = stack.dims else {
                // Nothing was kept: any sizes that the type allows will do.
                outputs.push(Array::zeros_of(&ty)?);
                continue;
            };
            let mut dims: SmallVec<[usize; 4]> = SmallVec::from_slice(&[steps]);
            dims.extend_from_slice(&known);
            outputs.push(match stack.data {
                Data::Bytes(bytes) => Array::from_bytes(ty.dtype, &dims[..], &bytes)?,
                Data::Strings(strings) => Array::from_strings(&dims[..], strings)?,
                Data::Variants(variants) => Array::from_variants(&dims[..], variants)?,
                Data::Items(_) => return Err(Error::internal("a list is no stack")),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Code, Effect};
    use crate::types::Shape;

    /// Rust code from one integer to one result.
    struct Native(fn(i64) -> Array);

    impl Code for Native {
        fn call(&self, _: &LibraryFunction, inputs: &[&Array]) -> Result<Outputs> {
            Ok([self.0(inputs[0].as_slice::<i64>()?[0])].into())
        }
    }

    fn native(output: DType, f: fn(i64) -> Array) -> Arc<LibraryFunction> {
        let scalar = |dtype| vec![TensorType::new(dtype, Shape::scalar())];
        let types = (scalar(DType::I64), scalar(output));
        LibraryFunction::of_code("native".to_owned(), types, Effect::Pure, Native(f))
    }

    #[test]
    fn a_loop_runs_native_code() -> Result<()> {
        let looping = Looping {
            test: native(DType::Bool, |x| Array::scalar(x < 100)),
            body: native(DType::I64, |x| Array::scalar(x * 2)),
            saves: None,
        };
        let (x, attrs) = (Array::scalar(3i64), Attrs::new());
        let y = looping.run(&KernelContext::new(&[&x], &attrs))?;
        assert_eq!(y[0].as_slice::<i64>()?, &[192]);
        Ok(())
    }

    #[test]
    fn an_error_in_a_loop_names_the_iteration() -> Result<()> {
        let looping = Looping {
            test: native(DType::I64, Array::scalar),
            body: native(DType::I64, Array::scalar),
            saves: None,
        };
        let (x, attrs) = (Array::scalar(3i64), Attrs::new());
        let error = looping.run(&KernelContext::new(&[&x], &attrs)).err();
        let error = error.ok_or_else(|| Error::internal("not refused"))?.to_string();
        assert!(error.contains("the test of iteration 0"), "{error}");
        assert!(error.contains("a condition is a bool, not int64"), "{error}");
        Ok(())
    }
}
