//! Statements, and what is in scope where they stand.

use crate::fuzz::Rng;

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Int,
    Float,
    Bool,
    /// An int and a float.
    Pair,
    /// Two ints.
    List,
}

pub(super) const TYPES: [Type; 8] =
    [Type::Int, Type::Int, Type::Int, Type::Float, Type::Float, Type::Bool, Type::Pair, Type::List];

#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) ty: Type,
    /// A parameter: lent on tensors, and never written.
    pub(super) parameter: bool,
    pub(super) written: bool,
    /// Of an arm under a condition on tensors: in it the variable moves as Rust says.
    pub(super) local: bool,
}

/// A loop around the statement.
#[derive(Clone, Debug)]
pub(super) struct Around {
    pub(super) label: String,
    /// What `break` gives, if it gives something.
    pub(super) value: Option<Type>,
}

/// A body that is being written.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) rng: Rng,
    pub(super) out: String,
    indent: usize,
    pub(super) variables: Vec<Variable>,
    /// Plain numbers.
    pub(super) plain: Vec<String>,
    pub(super) loops: Vec<Around>,
    names: usize,
    /// Whether the right side of a compound assignment is written: it writes nothing itself.
    pub(super) compound: bool,
    /// Whether the block is an arm under a condition on tensors: variables may be moved in it, and stay.
    pub(super) moves: bool,
    /// How many statements may still come.
    left: usize,
}

impl Body {
    pub(super) fn new(rng: Rng) -> Self {
        let parameters =
            [("a", Type::Int), ("b", Type::Int), ("x", Type::Float), ("c", Type::Bool)];
        let variables = parameters.map(|(name, ty)| Variable {
            name: name.to_owned(),
            ty,
            parameter: true,
            written: false,
            local: false,
        });
        Self {
            rng,
            out: String::new(),
            indent: 2,
            variables: variables.into(),
            plain: vec!["k".to_owned()],
            loops: Vec::new(),
            names: 0,
            moves: false,
            compound: false,
            left: 0,
        }
    }

    /// The whole body.
    pub(super) fn function(&mut self) {
        self.left = 4 + self.rng.below(14);
        for (ty, start) in [
            (Type::Int, "a.clone()"),
            (Type::Int, "scalar(3i64)"),
            (Type::Float, "x.clone()"),
            (Type::Bool, "c.clone()"),
        ] {
            let name = self.declare(ty);
            self.line(&format!("let mut {name} = {start};"));
        }
        if self.rng.chance(50) {
            let ty = self.rng.pick(&[Type::Pair, Type::List]);
            let start = self.value(ty, 1);
            let name = self.declare(ty);
            self.line(&format!("let mut {name} = {start};"));
        }
        while self.left > 0 {
            self.statement(0);
        }
        let result = self.result();
        self.line(&format!("Ok({result})"));
    }

    pub(super) fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A name that is new, or, rarely, one that hides another variable.
    pub(super) fn name(&mut self) -> String {
        let own: Vec<_> = self
            .variables
            .iter()
            .filter(|v| v.name.starts_with('y'))
            .map(|v| v.name.clone())
            .collect();
        if !own.is_empty() && self.rng.chance(10) {
            return self.rng.pick(&own);
        }
        self.names += 1;
        format!("y{}", self.names)
    }

    /// Brings a variable into scope; hides one of its name.
    pub(super) fn bring(&mut self, name: &str, ty: Type, written: bool) {
        let (name, local) = (name.to_owned(), self.moves);
        self.variables.push(Variable { name, ty, parameter: false, written, local });
    }

    fn declare(&mut self, ty: Type) -> String {
        let name = self.name();
        self.bring(&name, ty, true);
        name
    }

    /// The variables that are not hidden.
    fn visible(&self) -> impl Iterator<Item = &Variable> {
        let seen =
            |i: usize| !self.variables[i + 1..].iter().any(|v| v.name == self.variables[i].name);
        (0..self.variables.len()).filter(move |i| seen(*i)).map(|i| &self.variables[i])
    }

    /// A place of this type to read: a variable, or a part of one.
    pub(super) fn place(&mut self, ty: Type) -> Option<Variable> {
        let places: Vec<Variable> = self.visible().filter_map(|v| part(v, ty, 0)).collect();
        let more: Vec<Variable> = self.visible().filter_map(|v| part(v, ty, 1)).collect();
        match places.is_empty() && more.is_empty() {
            true => None,
            false => Some(self.rng.pick(&[places, more].concat())),
        }
    }

    /// A place of this type to write.
    pub(super) fn writable(&mut self, ty: Type) -> Option<String> {
        let places: Vec<String> = (0..2)
            .flat_map(|i| self.visible().filter(|v| v.written).filter_map(move |v| part(v, ty, i)))
            .map(|v| v.name)
            .collect();
        if places.is_empty() { None } else { Some(self.rng.pick(&places)) }
    }

    /// The three results.
    pub(super) fn result(&mut self) -> String {
        let (int, float) = (self.value(Type::Int, 1), self.value(Type::Float, 1));
        let truth = self.value(Type::Bool, 1);
        format!("({int}, {float}, {truth})")
    }

    /// A block with statements and what `last` writes at its end; nothing of its names stays.
    pub(super) fn block(&mut self, depth: usize, last: impl FnOnce(&mut Self)) {
        let (variables, plain) = (self.variables.len(), self.plain.len());
        self.indent += 1;
        for _ in 0..self.rng.below(3) {
            self.statement(depth);
        }
        last(self);
        self.indent -= 1;
        self.variables.truncate(variables);
        self.plain.truncate(plain);
    }

    pub(super) fn statement(&mut self, depth: usize) {
        self.left = self.left.saturating_sub(1);
        if depth >= 4 {
            return self.assignment();
        }
        match self.rng.below(26) {
            0..5 => self.assignment(),
            5 | 6 => self.let_value(),
            7..11 => self.branch(depth),
            11 => self.let_branch(depth),
            12 => self.late(depth),
            13 => self.plain_branch(depth),
            14 => self.matching(depth),
            15 => self.tuples(),
            16 => {
                self.line("{");
                self.block(depth + 1, |_| {});
                self.line("}");
            }
            17 if self.rng.chance(60) => self.leave_if(),
            18 | 19 => self.reference(depth),
            _ if self.loops.len() < 3 => self.looping(depth),
            _ => self.leave_if(),
        }
    }

    /// A number that no other name has.
    pub(super) fn fresh(&mut self) -> usize {
        self.names += 1;
        self.names
    }

    pub(super) fn assignment(&mut self) {
        let ty = self.rng.pick(&TYPES);
        let Some(name) = self.writable(ty) else { return };
        let compound = matches!(ty, Type::Int | Type::Float) && self.rng.chance(50);
        let text = if !compound {
            format!("{name} = {};", self.value(ty, 2))
        } else if self.rng.chance(20) {
            let (op, by) = (self.rng.pick(&["/=", "%="]), self.divisor(ty));
            format!("{name} {op} {by};")
        } else {
            let op = self.rng.pick(&["+=", "-=", "*="]);
            self.compound = true;
            let value = match self.rng.below(3) {
                0 => self.literal(ty, false),
                // A part of a list is written through all of it.
                _ if name.ends_with(']') => self.literal(ty, false),
                1 => self.value(ty, 1),
                _ => self.copy(ty),
            };
            self.compound = false;
            format!("{name} {op} {value};")
        };
        self.line(&text);
    }

    fn let_value(&mut self) {
        let ty = self.rng.pick(&TYPES);
        let value = self.value(ty, 2);
        let name = self.declare(ty);
        self.line(&format!("let mut {name} = {value};"));
    }

    /// `let r = &mut y;`, and what is written through it, mostly after what may have left.
    fn reference(&mut self, depth: usize) {
        let ty = self.rng.pick(&[Type::Int, Type::Int, Type::Float]);
        let Some(place) = self.writable(ty) else { return };
        let name = format!("r{}", self.fresh());
        self.line(&format!("let {name} = &mut {place};"));
        // While it lives nothing else names the variable.
        let whole = place.split_once(['.', '[']).map_or(&*place, |(whole, _)| whole);
        let mut others = self.variables.clone();
        others.retain(|v| v.name != whole);
        let around = std::mem::replace(&mut self.variables, others);
        let name = format!("(*{name})");
        self.variables.push(Variable { name, ty, parameter: false, written: true, local: true });
        let own = self.variables.len();
        for leaves in [self.rng.chance(70), false] {
            for _ in 0..self.rng.below(2) {
                self.statement(depth + 1);
            }
            if leaves {
                self.leave_if();
            }
            self.assignment();
        }
        let declared = self.variables.split_off(own);
        self.variables = around;
        self.variables.extend(declared);
    }

    fn tuples(&mut self) {
        let (one, other) = (self.value(Type::Int, 1), self.value(Type::Float, 1));
        let written = (self.writable(Type::Int), self.writable(Type::Float));
        if let ((Some(int), Some(float)), true) = (written, self.rng.chance(50)) {
            return self.line(&format!("({int}, {float}) = ({one}, {other});"));
        }
        let (int, float) = (self.name(), self.name());
        if int != float {
            self.line(&format!("let (mut {int}, mut {float}) = ({one}, {other});"));
            self.bring(&int, Type::Int, true);
            self.bring(&float, Type::Float, true);
        }
    }

    /// `if`, with `else if` and `else` or without.
    fn branch(&mut self, depth: usize) {
        let condition = self.condition(2);
        let outside = self.moves;
        self.line(&format!("if {condition} {{"));
        self.moves = true;
        self.arm(depth);
        for _ in 0..self.rng.below(3).saturating_sub(1) {
            let plain = self.rng.chance(15);
            self.moves = false;
            let condition = if plain { self.plain_condition() } else { self.condition(1) };
            self.moves = !plain;
            self.line(&format!("}} else if {condition} {{"));
            self.arm(depth);
        }
        if self.rng.chance(60) {
            self.line("} else {");
            self.arm(depth);
        }
        self.moves = outside;
        self.line("}");
    }

    fn arm(&mut self, depth: usize) {
        self.block(depth + 1, |body| {
            body.assignment();
            if body.rng.chance(15) {
                body.leave();
            }
        });
    }

    fn plain_branch(&mut self, depth: usize) {
        let outside = std::mem::replace(&mut self.moves, false);
        self.plain_arms(depth);
        self.moves = outside;
    }

    fn plain_arms(&mut self, depth: usize) {
        match self.rng.below(3) {
            0 => {
                let name = format!("m{}", self.names);
                self.names += 1;
                self.line(&format!("if let Some({name}) = flag.then_some(k) {{"));
                self.plain.push(name);
                self.arm(depth);
                self.plain.pop();
            }
            1 => {
                let name = format!("m{}", self.names);
                self.names += 1;
                let result = self.result();
                let condition = self.rng.pick(&["flag", "(k < 3)", "(k > 0)"]);
                self.line(&format!(
                    "let Some({name}) = {condition}.then_some(k + 1) else {{ return Ok({result}) }};"
                ));
                return self.plain.push(name);
            }
            _ => {
                let condition = self.plain_condition();
                self.line(&format!("if {condition} {{"));
                self.arm(depth);
                self.line("} else {");
                self.arm(depth);
            }
        }
        self.line("}");
    }

    /// `let y = if … { … } else { … };`, where an arm may leave.
    fn let_branch(&mut self, depth: usize) {
        let ty = self.rng.pick(&TYPES);
        let condition = self.condition(2);
        let name = self.name();
        self.line(&format!("let mut {name} = if {condition} {{"));
        self.arm_value(ty, depth);
        if self.rng.chance(30) {
            let condition = self.condition(1);
            self.line(&format!("}} else if {condition} {{"));
            self.arm_value(ty, depth);
        }
        self.line("} else {");
        self.block(depth + 1, |body| {
            let value = body.value(ty, 2);
            body.line(&value);
        });
        self.line("};");
        self.bring(&name, ty, true);
    }

    fn arm_value(&mut self, ty: Type, depth: usize) {
        self.block(depth + 1, |body| {
            if body.rng.chance(15) {
                return body.leave();
            }
            let value = body.value(ty, 2);
            body.line(&value);
        });
    }

    /// `let y; if … { y = …; } else { y = …; }`.
    fn late(&mut self, depth: usize) {
        let ty = self.rng.pick(&TYPES);
        self.names += 1;
        let name = format!("z{}", self.names);
        self.line(&format!("let {name};"));
        let condition = self.condition(1);
        self.line(&format!("if {condition} {{"));
        for last in [false, true] {
            self.block(depth + 1, |body| {
                let value = body.value(ty, 2);
                body.line(&format!("{name} = {value};"));
            });
            self.line(if last { "}" } else { "} else {" });
        }
        self.bring(&name, ty, false);
    }

    /// A `match` on a plain number, as a statement or a value.
    fn matching(&mut self, depth: usize) {
        let outside = std::mem::replace(&mut self.moves, false);
        let ty = self.rng.pick(&TYPES);
        let subject = self.rng.pick(&self.plain);
        let value = self.rng.chance(50).then(|| self.name());
        match &value {
            Some(name) => self.line(&format!("let mut {name} = match {subject} {{")),
            None => self.line(&format!("match {subject} {{")),
        }
        self.indent += 1;
        for pattern in ["0", "1 | 2", "n if n > 4", "_"] {
            self.line(&format!("{pattern} => {{"));
            match &value {
                Some(_) => self.arm_value(ty, depth),
                None => self.arm(depth),
            }
            self.line("}");
        }
        self.indent -= 1;
        self.moves = outside;
        match value {
            Some(name) => {
                self.line("};");
                self.bring(&name, ty, true);
            }
            None => self.line("}"),
        }
    }

    /// `if … { return … }`, or `break`, or `continue`.
    pub(super) fn leave_if(&mut self) {
        let condition = match self.rng.chance(15) {
            true => self.plain_condition(),
            false => self.condition(1),
        };
        self.line(&format!("if {condition} {{"));
        self.indent += 1;
        self.leave();
        self.indent -= 1;
        self.line("}");
    }
}

/// A part of a variable that has this type: the variable itself, or one of the two in it.
fn part(v: &Variable, ty: Type, index: usize) -> Option<Variable> {
    let name = match (v.ty, ty, index) {
        (have, want, 0) if have == want => v.name.clone(),
        (Type::Pair, Type::Int, 0) => format!("{}.0", v.name),
        (Type::Pair, Type::Float, 0) => format!("{}.1", v.name),
        (Type::List, Type::Int, _) => format!("{}[{index}]", v.name),
        _ => return None,
    };
    Some(Variable { name, ty, ..v.clone() })
}
