//! Loops on scalars: state, constants and what is computed of them lie in registers, a bank a dtype, and an op
//! is a call of its table's function on one element.
//!
//! A loop is of this form if its test and its body are made of elementwise ops on scalars alone. Nothing in it
//! can fail, and nothing is allocated while it runs.

use extype_kernels::Par;
use extype_kernels::table::{Binary, BinaryTo, Kind, MapFn, Pairing, Table, Tabled, Unary, ZipFn};
use rustc_hash::FxHashMap;

use crate::array::{Array, Element, stored};
use crate::graph::{Endpoint, FunctionGraph};
use crate::op::{Kernel, Outputs};
use crate::types::{DType, Error, Result};

/// The banks.
#[derive(Clone, Default)]
struct Banks {
    f32: Vec<f32>,
    f64: Vec<f64>,
    i32: Vec<i32>,
    i64: Vec<i64>,
    bool: Vec<bool>,
}

/// An element type that has a bank.
trait Banked: Tabled + Element {
    fn bank(banks: &Banks) -> &[Self];
    fn bank_mut(banks: &mut Banks) -> &mut Vec<Self>;
}

macro_rules! banked {
    ($($t:ident $dtype:ident),*) => {
        $(impl Banked for $t {
            #[inline]
            fn bank(banks: &Banks) -> &[Self] {
                &banks.$t
            }

            #[inline]
            fn bank_mut(banks: &mut Banks) -> &mut Vec<Self> {
                &mut banks.$t
            }
        })*

        /// Runs a block with `T` bound to the element type of a bank; `None` for other dtypes.
        macro_rules! with_bank {
            ($d:expr, $T:ident => $body:expr) => {
                match $d {
                    $(DType::$dtype => {
                        type $T = $t;
                        $body
                    })*
                    _ => None,
                }
            };
        }
    };
}
banked!(f32 F32, f64 F64, i32 I32, i64 I64, bool Bool);

/// A register: its place in the bank of its dtype.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Register {
    dtype: DType,
    at: usize,
}

type Step = Box<dyn Fn(&mut Banks) + Send + Sync>;

/// A loop in registers.
pub(crate) struct RegisterLoop {
    /// The constants; what else there is at first does not matter.
    banks: Banks,
    /// Of each tensor of the state its register, if something computes with it.
    state: Vec<Option<Register>>,
    test: Vec<Step>,
    goes_on: usize,
    body: Vec<Step>,
}

impl RegisterLoop {
    /// The loop of these functions, if it is of this form.
    pub(crate) fn new(test: &FunctionGraph, body: &FunctionGraph) -> Option<Self> {
        if body.outputs.len() != body.inputs.len() || test.inputs.len() != body.inputs.len() {
            return None;
        }
        let mut plan = Plan::default();
        let mut state = vec![None; body.inputs.len()];
        for (i, register) in state.iter_mut().enumerate() {
            let own = Endpoint { node: body.inputs[i], output: 0 };
            let ty = body.graph.output_type(own);
            *register = match ty.shape.rank() {
                Some(0) => plan.register(ty.dtype),
                _ => None,
            };
            // What the body gives back as it is may be of any type, if nothing computes with it.
            if register.is_none() && body.outputs[i] != own {
                return None;
            }
        }
        let (steps, at) = plan.steps(test, &state)?;
        let goes_on = match test.outputs[..] {
            [one] => at.get(&one).copied()?,
            _ => return None,
        };
        if goes_on.dtype != DType::Bool {
            return None;
        }
        let (mut body_steps, at) = plan.steps(body, &state)?;
        // All new values are there before the first of them takes its place.
        let mut moves = Vec::new();
        for (i, to) in state.iter().enumerate() {
            let Some(to) = *to else { continue };
            let from = *at.get(&body.outputs[i])?;
            if from.dtype != to.dtype {
                return None;
            }
            if from != to {
                moves.push((from, to));
            }
        }
        let overwrites = |from: &Register| moves.iter().any(|(_, to)| to == from);
        let mut last = Vec::new();
        for (from, to) in &moves {
            let from = match overwrites(from) {
                true => {
                    let between = plan.register(from.dtype)?;
                    body_steps.push(copy(*from, between)?);
                    between
                }
                false => *from,
            };
            last.push(copy(from, *to)?);
        }
        body_steps.extend(last);
        Some(Self { banks: plan.banks, state, test: steps, goes_on: goes_on.at, body: body_steps })
    }

    /// Runs the loop on a state, which stays what it is if it is not of the types that were planned for;
    /// the state after it, and the number of iterations.
    pub(crate) fn run(
        &self,
        mut state: Outputs,
    ) -> Result<std::result::Result<(Outputs, i64), Outputs>> {
        let mut banks = self.banks.clone();
        for (register, array) in self.state.iter().zip(&state) {
            let Some(register) = register else { continue };
            if array.rank() != 0 || array.dtype() != register.dtype {
                return Ok(Err(state));
            }
            let read = with_bank!(register.dtype, T => {
                T::bank_mut(&mut banks)[register.at] = array.as_slice::<T>()?[0];
                Some(())
            });
            read.ok_or_else(|| Error::internal("a register of another dtype"))?;
        }
        let mut iterations = 0i64;
        loop {
            for step in &self.test {
                step(&mut banks);
            }
            if !banks.bool[self.goes_on] {
                break;
            }
            for step in &self.body {
                step(&mut banks);
            }
            iterations += 1;
        }
        for (register, array) in self.state.iter().zip(&mut state) {
            if let Some(register) = register {
                let value = with_bank!(register.dtype, T => {
                    Some(Array::scalar(T::bank(&banks)[register.at]))
                });
                *array = value.ok_or_else(|| Error::internal("a register of another dtype"))?;
            }
        }
        Ok(Ok((state, iterations)))
    }
}

#[derive(Default)]
struct Plan {
    banks: Banks,
}

impl Plan {
    /// A new register.
    fn register(&mut self, dtype: DType) -> Option<Register> {
        with_bank!(dtype, T => {
            let bank = T::bank_mut(&mut self.banks);
            bank.push(T::default());
            Some(Register { dtype, at: bank.len() - 1 })
        })
    }

    /// The steps of a function, and where its tensors lie.
    fn steps(
        &mut self,
        function: &FunctionGraph,
        state: &[Option<Register>],
    ) -> Option<(Vec<Step>, FxHashMap<Endpoint, Register>)> {
        let mut at = FxHashMap::default();
        for (node, register) in function.inputs.iter().zip(state) {
            if let Some(register) = register {
                at.insert(Endpoint { node: *node, output: 0 }, *register);
            }
        }
        let mut steps = Vec::new();
        let needed = function.needed();
        for id in function.graph.node_ids().filter(|id| needed[id.index()]) {
            if function.inputs.contains(&id) {
                continue;
            }
            let node = function.graph.node(id);
            let own = Endpoint { node: id, output: 0 };
            let [ty] = &node.outputs[..] else { return None };
            if ty.shape.rank() != Some(0) || node.op.effect != crate::op::Effect::Pure {
                return None;
            }
            let to = self.register(ty.dtype)?;
            if let Some(value) = node.constant() {
                with_bank!(ty.dtype, T => {
                    T::bank_mut(&mut self.banks)[to.at] = value.as_slice::<T>().ok()?[0];
                    Some(())
                })?;
                at.insert(own, to);
                continue;
            }
            let from = node.inputs.iter().map(|e| at.get(e).copied());
            let from = from.collect::<Option<Vec<Register>>>()?;
            let first = *from.first()?;
            let step = match (node.op.kernel.chosen(first.dtype, &node.attrs), &from[..]) {
                (Kernel::Pass, [x]) => copy(*x, to)?,
                (Kernel::Map(table), [x]) => with_bank!(x.dtype, T => map::<T>(table, *x, to))?,
                (Kernel::Zip(table), [x, y]) if x.dtype == y.dtype => {
                    with_bank!(x.dtype, T => zip::<T, T, Binary>(table, *x, *y, to))?
                }
                (Kernel::Compare(table), [x, y]) if x.dtype == y.dtype => {
                    with_bank!(x.dtype, T => zip::<T, bool, BinaryTo<bool>>(table, *x, *y, to))?
                }
                _ => return None,
            };
            steps.push(step);
            at.insert(own, to);
        }
        Some((steps, at))
    }
}

fn copy(from: Register, to: Register) -> Option<Step> {
    if from.dtype != to.dtype {
        return None;
    }
    with_bank!(from.dtype, T => {
        let step = move |banks: &mut Banks| {
            let bank = T::bank_mut(banks);
            bank[to.at] = bank[from.at];
        };
        Some(Box::new(step) as Step)
    })
}

fn map<T: Banked>(table: &Table<Unary>, x: Register, to: Register) -> Option<Step> {
    let f: MapFn<T, T> = T::entry(table)?;
    if to.dtype != x.dtype {
        return None;
    }
    Some(Box::new(move |banks| {
        let bank = T::bank_mut(banks);
        bank[to.at] = stored(|out| f(std::slice::from_ref(&bank[x.at]), out, Par::Seq));
    }))
}

fn zip<T: Banked, R: Banked, K: Kind<Of<T> = ZipFn<T, R>>>(
    table: &Table<K>,
    x: Register,
    y: Register,
    to: Register,
) -> Option<Step> {
    let f: ZipFn<T, R> = T::entry(table)?;
    if to.dtype != R::DTYPE {
        return None;
    }
    Some(Box::new(move |banks| {
        let bank = T::bank(banks);
        let (a, b) = (std::slice::from_ref(&bank[x.at]), std::slice::from_ref(&bank[y.at]));
        let result = stored(|out| f(a, b, Pairing::Each, out, Par::Seq));
        R::bank_mut(banks)[to.at] = result;
    }))
}

impl std::fmt::Debug for RegisterLoop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a loop of {} and {} steps", self.test.len(), self.body.len())
    }
}
