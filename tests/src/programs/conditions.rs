//! Conditions: on tensors, on plain values, and mixed.

use super::bodies::{Body, Type};

impl Body {
    /// A condition with a tensor in it.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.comparison();
        }
        match self.rng.below(14) {
            0 | 1 => {
                let (one, other) = (self.condition(depth - 1), self.condition(depth - 1));
                format!("({one}) && ({other})")
            }
            2 | 3 => {
                let (one, other) = (self.condition(depth - 1), self.condition(depth - 1));
                format!("({one}) || ({other})")
            }
            4 => format!("!({})", self.condition(depth - 1)),
            5 => match self.place(Type::Bool) {
                Some(place) => format!("!{}", place.name),
                None => self.comparison(),
            },
            6 => {
                let plain = self.plain_condition();
                let (op, tensor) = (self.rng.pick(&["&&", "||"]), self.condition(depth - 1));
                if self.rng.chance(50) {
                    format!("{plain} {op} ({tensor})")
                } else {
                    format!("({tensor}) {op} {plain}")
                }
            }
            7 => match (self.place(Type::Bool), self.place(Type::Bool)) {
                (Some(one), Some(other)) => {
                    let op = self.rng.pick(&["==", "!="]);
                    format!("{} {op} {}", one.name, other.name)
                }
                _ => self.comparison(),
            },
            8 if !self.compound && self.rng.chance(40) => match self.writable(Type::Int) {
                // The right side runs only where the left one is true.
                Some(name) => {
                    let (left, right) = (self.comparison(), self.value(Type::Int, 1));
                    let last = self.comparison();
                    let op = self.rng.pick(&["&&", "||"]);
                    format!("({left}) {op} {{ {name} = {right}; {last} }}")
                }
                None => self.comparison(),
            },
            9 => match self.place(Type::Bool) {
                Some(place) => place.name,
                None => self.comparison(),
            },
            _ => self.comparison(),
        }
    }

    fn comparison(&mut self) -> String {
        let ty = self.rng.pick(&[Type::Int, Type::Int, Type::Float]);
        let Some(left) = self.place(ty) else { return "c == c".to_owned() };
        let op = self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let left = match self.rng.below(5) {
            0 => format!("{} % {}", self.operand(ty), self.divisor(ty)),
            1 => self.operand(ty) + " + " + &self.operand(ty),
            _ => left.name,
        };
        let right = match self.rng.below(4) {
            0 => match self.place(ty) {
                Some(right) => right.name,
                None => self.literal(ty, false),
            },
            1 => self.operand(ty) + " - " + &self.literal(ty, false),
            _ => self.literal(ty, false),
        };
        format!("{left} {op} {right}")
    }

    /// A condition that is decided while the function is traced.
    pub(super) fn plain_condition(&mut self) -> String {
        if self.plain.is_empty() || self.rng.chance(30) {
            return self.rng.pick(&["flag", "!flag"]).to_owned();
        }
        let name = self.rng.pick(&self.plain);
        let op = self.rng.pick(&["<", ">", "==", "!="]);
        let number = self.rng.below(4);
        // A `<` after a name may open types: keep it apart.
        format!("({name} {op} {number})")
    }
}
