//! Builds chains.

use super::function::{Pairs, Untyped};
use super::{
    ALIGN, BlockFn, Chain, InputType, LEAST_BLOCK, MOST_BLOCK, Rows, Stage, Type, WORKING_SET,
};
use crate::broadcast::Broadcast;

/// A value of a chain that is being built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value(usize);

/// Whether a value of a chain has one element in all, one for each row, or one for each place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extent {
    /// One element for all.
    One,
    /// An element for each row.
    Row,
    /// An element for each place.
    Each,
}

/// How an operand covers the elements of a value.
#[derive(Debug)]
pub enum Cover {
    /// One element for each.
    Each,
    /// One element for all.
    One,
    /// Elements that are repeated: the second operand of a plan, whose first one has the shape of the value.
    Along(Broadcast),
}

/// A function, its operands and its result.
struct Applied {
    function: BlockFn,
    from: [Value; 3],
    pairs: Pairs,
    to: Value,
}

/// The shortest rows for which a function is called one by one. The elements of shorter ones are repeated first.
const LEAST_ROW: usize = 64;

/// Builds a [`Chain`].
#[derive(Default)]
pub struct Builder {
    values: Vec<(Type, Extent)>,
    inputs: Vec<(Value, InputType)>,
    steps: Vec<Applied>,
    /// The number of rows, and their length.
    rows: Option<(usize, usize)>,
}

impl Builder {
    /// A builder of a chain for so many rows of `len` elements, so that functions may reduce them.
    ///
    /// # Panics
    /// If rows have no elements, or all together more than memory can hold.
    pub fn of_rows(count: usize, len: usize) -> Self {
        let fits = count.checked_mul(len).is_some_and(|n| n < isize::MAX as usize / ALIGN);
        assert!(len > 0 && fits, "rows have elements, and fit into memory");
        Self { rows: Some((count, len)), ..Self::default() }
    }

    /// One more input, which covers the places or the rows.
    ///
    /// # Panics
    /// If one element for all is not covered by [`Cover::One`].
    pub fn input(&mut self, ty: Type, cover: Cover, extent: Extent) -> Value {
        let covers = extent != Extent::One || matches!(cover, Cover::One);
        assert!(covers, "how an operand covers a value");
        let extent = if let Cover::One = cover { Extent::One } else { extent };
        let value = self.value(ty, extent);
        self.inputs.push((value, InputType { ty, cover, extent }));
        value
    }

    /// The result of a function, if these operands have the types that it takes. Operands with an element for each row
    /// are repeated along the rows where another operand has more.
    pub fn apply(&mut self, function: BlockFn, operands: &[Value]) -> Option<Value> {
        if !function.takes(operands.iter().map(|x| self.values[x.0].0)) {
            return None;
        }
        let operand = |i: usize| operands.get(i).copied().unwrap_or(operands[0]);
        let mut from = [operand(0), operand(1), operand(2)];
        let most = from.iter().map(|x| self.extent(*x)).max()?;
        let extent = match function.call {
            Untyped::Fold(_) | Untyped::Rows(_) if most != Extent::Each || self.rows.is_none() => {
                return None;
            }
            Untyped::Fold(_) => Extent::Row,
            _ if most == Extent::One => Extent::Each,
            _ => most,
        };
        let is_long = self.rows.is_some_and(|(_, len)| len >= LEAST_ROW);
        let pairs = match (function.call, self.extent(from[0]), self.extent(from[1])) {
            (Untyped::Two(_), Extent::Row, Extent::Each) if is_long => Pairs::RowsLeft,
            (Untyped::Two(_), Extent::Each, Extent::Row) if is_long => Pairs::RowsRight,
            _ => Pairs::Each,
        };
        if let (Extent::Each, Pairs::Each) = (most, pairs) {
            from = from.map(|x| self.spread(x));
        }
        let to = self.value(function.output, extent);
        self.steps.push(Applied { function, from, pairs, to });
        Some(to)
    }

    /// The value with an element for each place, if it had one for each row.
    pub fn spread(&mut self, x: Value) -> Value {
        let (ty, extent) = self.values[x.0];
        if extent != Extent::Row {
            return x;
        }
        let is_same =
            |step: &&Applied| step.from[0] == x && matches!(step.function.call, Untyped::Spread);
        if let Some(step) = self.steps.iter().find(is_same) {
            return step.to;
        }
        let to = self.value(ty, Extent::Each);
        let function = BlockFn::spread(ty);
        self.steps.push(Applied { function, from: [x; 3], pairs: Pairs::Each, to });
        to
    }

    /// What the elements of a value are for.
    pub fn extent(&self, x: Value) -> Extent {
        self.values[x.0].1
    }

    fn value(&mut self, ty: Type, extent: Extent) -> Value {
        self.values.push((ty, extent));
        Value(self.values.len() - 1)
    }

    /// The chain with these results.
    ///
    /// # Panics
    /// If a result is an input, or given twice.
    pub fn finish(self, outputs: &[Value]) -> Chain {
        let results = outputs.iter().map(|v| self.values[v.0]).collect();
        let (values, inputs): (Vec<Value>, Vec<InputType>) = self.inputs.into_iter().unzip();
        let mut places = vec![usize::MAX; self.values.len()];
        for (i, value) in values.iter().chain(outputs).enumerate() {
            assert!(places[value.0] == usize::MAX, "a result is computed, and given once");
            places[value.0] = i;
        }
        let fixed = inputs.len() + outputs.len();
        let mut last_use = vec![0; self.values.len()];
        for (i, step) in self.steps.iter().enumerate() {
            step.from.iter().for_each(|x| last_use[x.0] = i);
        }
        let (mut free, mut count) = (Vec::new(), fixed);
        let mut stages = Vec::with_capacity(self.steps.len());
        for (i, Applied { function, from: operands, pairs, to }) in self.steps.iter().enumerate() {
            let from = operands.map(|x| places[x.0]);
            // Before the operands are freed: a function does not write where it reads.
            if places[to.0] == usize::MAX {
                places[to.0] = free.pop().unwrap_or_else(|| {
                    count += 1;
                    count - 1
                });
            }
            let (extent, to) = (self.values[to.0].1, places[to.0]);
            stages.push(Stage { function: *function, from, pairs: *pairs, to, extent });
            for (k, x) in operands.iter().enumerate() {
                let ends = last_use[x.0] == i && !operands[..k].contains(x);
                if ends && places[x.0] >= fixed {
                    free.push(places[x.0]);
                }
            }
        }
        let widest = self.values.iter().map(|(ty, _)| ty.size()).max().unwrap_or(1);
        // Each input may need a buffer, too.
        let block = (WORKING_SET / (count * widest).max(1)).clamp(LEAST_BLOCK, MOST_BLOCK) & !63;
        let rows = self.rows.map(|(count, len)| Rows::new(count, len, block));
        let block = match &rows {
            Some(rows) => rows.together * rows.len,
            None => whole_periods(block, &inputs),
        };
        let buffers = count - fixed;
        Chain { stages, inputs, outputs: results, buffers, widest, block, rows }
    }
}

/// A block of so many elements or a few less, in which repeated operands start again as often as they can.
fn whole_periods(block: usize, inputs: &[InputType]) -> usize {
    let periods = inputs.iter().filter_map(InputType::period).filter(|n| (1..=block).contains(n));
    let unit = periods.max().map_or(1, |len| if len * 16 <= block { len * 16 } else { len });
    block / unit * unit
}
