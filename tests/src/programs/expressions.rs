//! Expressions. Those that compute are tensors wherever they stand: a number alone is `scalar(…)`.

use super::bodies::{Body, Type, Variable};

impl Body {
    /// An expression that is owned, of a type.
    pub(super) fn value(&mut self, ty: Type, depth: usize) -> String {
        match ty {
            Type::Bool => self.owned_bool(depth),
            Type::Pair => {
                let (one, other) = (self.value(Type::Int, depth), self.value(Type::Float, depth));
                format!("({one}, {other})")
            }
            Type::List => {
                let (one, other) = (self.value(Type::Int, depth), self.value(Type::Int, depth));
                format!("vec![{one}, {other}]")
            }
            Type::Int | Type::Float => self.number(ty, depth),
        }
    }

    fn owned_bool(&mut self, depth: usize) -> String {
        match self.rng.below(8) {
            0 => self.rng.pick(&["scalar(true)", "scalar(false)"]).to_owned(),
            1 | 2 => self.copy(Type::Bool),
            _ => {
                let condition = self.condition(depth);
                let lone = condition.bytes().all(|b| b.is_ascii_alphanumeric());
                if lone { condition + ".clone()" } else { condition }
            }
        }
    }

    /// A place of a type, cloned, or moved where that is a copy.
    pub(super) fn copy(&mut self, ty: Type) -> String {
        match self.place(ty) {
            Some(place) if self.may_move(&place) && self.rng.chance(40) => place.name,
            Some(place) => format!("{}.clone()", place.name),
            None => self.literal(ty, true),
        }
    }

    /// Whether a move of it is a copy: in an arm under a condition on tensors, of what was there before.
    fn may_move(&self, place: &Variable) -> bool {
        self.moves && !place.parameter && !place.local && !place.name.ends_with(']')
    }

    fn number(&mut self, ty: Type, depth: usize) -> String {
        if depth == 0 || self.rng.chance(15) {
            return if self.rng.chance(80) { self.copy(ty) } else { self.literal(ty, true) };
        }
        match self.rng.below(16) {
            0 => format!("-{}", self.operand(ty)),
            1 => {
                let value = self.operand(ty);
                format!("keep({value})?")
            }
            2 if ty == Type::Float => {
                let value = self.operand(Type::Int);
                format!("float({value})?")
            }
            2 | 3 => {
                let condition = self.condition(1);
                let (then, other) = (self.number(ty, depth - 1), self.number(ty, depth - 1));
                let op = self.rng.pick(&["+", "-", "*"]);
                let number = self.literal(ty, false);
                format!("(if {condition} {{ {then} }} else {{ {other} }}) {op} {number}")
            }
            4 if ty == Type::Int => {
                let (one, other) = (self.operand(ty), self.operand(ty));
                let op = self.rng.pick(&["/", "%"]);
                format!("{one} {op} ({other} % «5» + «7»)")
            }
            4 | 5 => {
                let (value, op) = (self.operand(ty), self.rng.pick(&["/", "%"]));
                let by = self.divisor(ty);
                format!("{value} {op} {by}")
            }
            6 => {
                let (number, value) = (self.literal(ty, false), self.operand(ty));
                let op = self.rng.pick(&["+", "-", "*"]);
                format!("{number} {op} {value}")
            }
            7 => {
                let inner = self.number(ty, depth - 1);
                let op = self.rng.pick(&["+", "-", "*"]);
                let right = self.operand(ty);
                format!("({inner}) {op} {right}")
            }
            8 | 9 if ty == Type::Int && !self.plain.is_empty() => {
                let (value, plain) = (self.operand(ty), self.rng.pick(&self.plain));
                let op = self.rng.pick(&["+", "-", "*"]);
                format!("{value} {op} «{plain}»")
            }
            8..12 => {
                let (value, op) = (self.operand(ty), self.rng.pick(&["+", "-", "*"]));
                let number = self.literal(ty, false);
                format!("{value} {op} {number}")
            }
            _ => {
                let op = self.rng.pick(&["+", "-", "*"]);
                let (one, other) = (self.operand(ty), self.operand(ty));
                format!("{one} {op} {other}")
            }
        }
    }

    /// A place of a type, lent.
    pub(super) fn operand(&mut self, ty: Type) -> String {
        match self.place(ty) {
            Some(place) if place.parameter => format!("‹{}›", place.name),
            Some(place) => format!("&{}", place.name),
            None => self.literal(ty, true),
        }
    }

    /// A number as it stands beside a tensor, or as a tensor.
    pub(super) fn literal(&mut self, ty: Type, scalar: bool) -> String {
        match ty {
            Type::Float => {
                let number = self.rng.pick(&["0.5", "1.0", "2.0", "3.25", "0.75", "10.0"]);
                if scalar { format!("scalar({number}f64)") } else { format!("«{number}»") }
            }
            Type::Int | Type::Bool | Type::Pair | Type::List => {
                let number = self.rng.pick(&["0", "1", "2", "3", "5", "7", "100"]);
                if scalar { format!("scalar({number}i64)") } else { format!("«{number}»") }
            }
        }
    }

    pub(super) fn divisor(&mut self, ty: Type) -> String {
        match ty {
            Type::Float => self.literal(ty, false),
            Type::Int | Type::Bool | Type::Pair | Type::List => {
                self.rng.pick(&["«2»", "«3»", "«7»", "«10»"]).to_owned()
            }
        }
    }
}
