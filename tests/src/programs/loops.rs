//! Loops that end, and ways out of them.

use super::bodies::{Around, Body, TYPES, Type};

impl Body {
    pub(super) fn looping(&mut self, depth: usize) {
        let label = match self.rng.chance(40) {
            true => format!("'l{}", self.loops.len()),
            false => String::new(),
        };
        let head = if label.is_empty() { String::new() } else { format!("{label}: ") };
        let around = |value| Around { label: label.clone(), value };
        match self.rng.below(6) {
            0 | 1 => self.while_loop(&head, around(None), depth),
            2 => {
                let value = self.rng.chance(60).then(|| self.rng.pick(&TYPES));
                return self.endless(&head, around(value), depth);
            }
            3 => {
                // Of tensors.
                let name = self.loop_variable();
                let (start, end) = (self.rng.below(3), self.operand(Type::Int));
                let reach = self.name_of_end();
                self.line(&format!("let {reach} = {end} % «5»;"));
                self.line(&format!(
                    "{head}for {name} in ⟦{start}..&{reach}⟧ints({start}, {reach})⟧ {{"
                ));
                self.loop_body(&name, false, around(None), depth);
            }
            4 => {
                let name = self.loop_variable();
                self.line(&format!("{head}for {name} in ⟦v⟧v.iter().copied()⟧ {{"));
                self.loop_body(&name, false, around(None), depth);
            }
            _ => {
                let name = self.loop_variable();
                let end = 1 + self.rng.below(3);
                self.line(&format!("{head}for {name} in 0..{end}i64 {{"));
                self.loop_body(&name, true, around(None), depth);
            }
        }
        self.line("}");
    }

    fn loop_variable(&mut self) -> String {
        format!("at{}", self.fresh())
    }

    fn name_of_end(&mut self) -> String {
        format!("n{}", self.fresh())
    }

    /// `while i < 4 && … { i += 1; … }`.
    fn while_loop(&mut self, head: &str, around: Around, depth: usize) {
        let counter = format!("at{}", self.fresh());
        let times = 1 + self.rng.below(5);
        self.line(&format!("let mut {counter} = scalar(0i64);"));
        let more = match self.rng.below(4) {
            0 => String::new(),
            1 => format!(" && {}", self.plain_condition()),
            _ => format!(" && ({})", self.condition(1)),
        };
        self.line(&format!("{head}while {counter} < «{times}»{more} {{"));
        self.counted(&counter, None, around, depth);
    }

    /// `loop { i += 1; if i > 4 { break … } … }`.
    fn endless(&mut self, head: &str, around: Around, depth: usize) {
        let counter = format!("at{}", self.fresh());
        let times = 1 + self.rng.below(5);
        self.line(&format!("let mut {counter} = scalar(0i64);"));
        let name = around.value.map(|ty| (self.name(), ty));
        match &name {
            Some((name, _)) => self.line(&format!("let mut {name} = {head}loop {{")),
            None => self.line(&format!("{head}loop {{")),
        }
        self.counted(&counter, Some(times), around, depth);
        match name {
            Some((name, ty)) => {
                self.line("};");
                self.bring(&name, ty, true);
            }
            None => self.line("}"),
        }
    }

    fn counted(&mut self, counter: &str, times: Option<usize>, around: Around, depth: usize) {
        self.line(&format!("    {counter} += «1»;"));
        if let Some(times) = times {
            let value =
                around.value.map_or_else(String::new, |ty| format!(" {}", self.value(ty, 1)));
            self.line(&format!("    if {counter} > «{times}» {{ break{value}; }}"));
        }
        self.loop_body(counter, false, around, depth);
    }

    /// What is repeated; the loop's variable is a tensor or plain.
    fn loop_body(&mut self, variable: &str, is_plain: bool, around: Around, depth: usize) {
        let (variables, plain) = (self.variables.len(), self.plain.len());
        match is_plain {
            true => self.plain.push(variable.to_owned()),
            false => self.bring(variable, Type::Int, false),
        }
        let outside = std::mem::replace(&mut self.moves, false);
        self.loops.push(around);
        self.block(depth + 1, |body| {
            body.assignment();
            if body.rng.chance(40) {
                body.leave_if();
            }
            for _ in 0..body.rng.below(2) {
                body.statement(depth + 1);
            }
        });
        self.loops.pop();
        self.moves = outside;
        self.variables.truncate(variables);
        self.plain.truncate(plain);
    }

    /// A way out of where the statement stands.
    pub(super) fn leave(&mut self) {
        let out = self.rng.below(10);
        if self.loops.is_empty() || out < 3 {
            let result = self.result();
            return self.line(&format!("return Ok({result});"));
        }
        let labelled: Vec<Around> =
            self.loops.iter().filter(|l| !l.label.is_empty()).cloned().collect();
        let innermost = self.loops[self.loops.len() - 1].clone();
        let (target, label) = match !labelled.is_empty() && self.rng.chance(60) {
            true => {
                let target = self.rng.pick(&labelled);
                let label = format!(" {}", target.label);
                (target, label)
            }
            false => (innermost, String::new()),
        };
        if out < 6 {
            return self.line(&format!("continue{label};"));
        }
        let value = target.value.map_or_else(String::new, |ty| format!(" {}", self.value(ty, 1)));
        self.line(&format!("break{label}{value};"));
    }
}
