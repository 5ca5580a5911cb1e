//! Programs as text, for people who want to see what runs.

use std::fmt::Write;
use std::sync::{Arc, LazyLock};

use super::function::Compiled;
use super::instruction::{Source, Work};
use super::program::Program;
use super::{RegisterLoop, Simplified};
use crate::ir::{FunctionGraph, Kernel, LibraryFunction, Looping, line, shown, tuple};
use crate::types::Result;

/// A function, and the test of the loop whose body it is.
pub(super) type Called = (Arc<LibraryFunction>, Option<Arc<LibraryFunction>>);

/// True if the environment variable `EXTYPE_DUMP` is `passes`: what each pass makes of a graph is printed.
static DUMPS: LazyLock<bool> =
    LazyLock::new(|| std::env::var_os("EXTYPE_DUMP").is_some_and(|what| what == "passes"));

/// Prints what was compiled, if the environment asks for it.
pub(super) fn dumped(text: impl FnOnce() -> Result<String>) -> Result<()> {
    if *DUMPS {
        eprintln!("{}\n", text()?);
    }
    Ok(())
}

/// The programs of a function and of all that it calls, each once.
pub(crate) fn text(f: &Arc<LibraryFunction>) -> Result<String> {
    let mut programs = Vec::new();
    let mut found: Vec<Called> = vec![(f.clone(), None)];
    let mut next = 0;
    while let Some((f, test)) = found.get(next).cloned() {
        next += 1;
        let Some(compiled) = f.code::<Compiled>() else { continue };
        let graph = compiled.simplified(&f)?;
        let registers = test.as_ref().and_then(|test| compiled.registers(&f, test));
        if let Some(registers) = registers {
            programs.push(registers.text(f.name()));
            continue;
        }
        let (program, owned) = match test {
            None => (compiled.program(&f)?, 0),
            Some(_) => (compiled.step(&f)?, graph.inputs.len()),
        };
        let (text, called) = program.text(f.name(), graph, owned)?;
        programs.push(text);
        for f in test.map(|test| (test, None)).into_iter().chain(called) {
            let is = |g: &Called| g.0.name() == f.0.name() && g.1.is_some() == f.1.is_some();
            if !found.iter().any(is) {
                found.push(f);
            }
        }
    }
    Ok(programs.join("\n\n"))
}

/// The graph of a function before and after each pass, and its program.
pub(crate) fn passes(f: &Arc<LibraryFunction>) -> Result<String> {
    let (Some(graph), Some(compiled)) = (f.graph(), f.code::<Compiled>()) else { return text(f) };
    let simplified = simplification(graph, compiled.simplification(f)?)?;
    Ok(format!("{simplified}\n\n# planned\n{}", text(f)?))
}

/// The graph before and after its simplification, and the rules that applied.
pub(super) fn simplification(graph: &FunctionGraph, simplified: &Simplified) -> Result<String> {
    let rules = simplified.applied.iter().map(|(rule, times)| format!("{rule} ({times})"));
    let rules = rules.collect::<Vec<_>>().join(", ");
    let rules = if rules.is_empty() { "nothing to do" } else { &rules };
    Ok(format!("# traced\n{graph}\n\n# simplified: {rules}\n{}", simplified.needed()?))
}

impl RegisterLoop {
    /// A line for each instruction.
    pub(super) fn text(&self, name: &str) -> String {
        format!("registers {name} {{\n{self}}}")
    }
}

impl Program {
    /// The program, which is printed under a title if the environment asks for it. The first `owned` slots are the inputs.
    pub(super) fn dumped(
        self,
        title: &str,
        f: &LibraryFunction,
        graph: &FunctionGraph,
        owned: usize,
    ) -> Result<Self> {
        dumped(|| Ok(format!("{title}\n{}", self.text(f.name(), graph, owned)?.0)))?;
        Ok(self)
    }

    /// A line for each instruction, and the functions that they call. The first `owned` slots are the inputs.
    pub(super) fn text(
        &self,
        name: &str,
        function: &FunctionGraph,
        owned: usize,
    ) -> Result<(String, Vec<Called>)> {
        let names = function.graph.names();
        let input = |i: usize| names[function.inputs[i].index()].clone();
        let source = |source: Source| match source {
            Source::Input(i) => input(i as usize),
            Source::Slot(i) if (i as usize) < owned => input(i as usize),
            Source::Slot(i) => format!("s{i}"),
            Source::Constant(i) => {
                let value = &self.constants[i as usize];
                shown(value).unwrap_or_else(|| value.tensor_type().to_string())
            }
        };
        let inputs: Vec<String> = (0..function.inputs.len()).map(input).collect();
        let mut out = format!("program {name}({}) {{\n", inputs.join(", "));
        let mut called = Vec::new();
        for (k, i) in self.instructions.iter().enumerate() {
            let node = function.graph.node(i.node);
            let args: Vec<String> = i.inputs.iter().map(|from| source(*from)).collect();
            let results: Vec<String> = self.results(k).map(|slot| format!("s{slot}")).collect();
            let results = results.join(", ");
            let text = match &i.work {
                Work::Op(_) => line(node, &results, &args),
                Work::Group(group) => {
                    let types: Vec<String> = group.types().map(|ty| ty.to_string()).collect();
                    let ops: Vec<&str> = group.ops.iter().map(|op| op.name).collect();
                    let (ops, args) = (ops.join(", "), args.join(", "));
                    format!("{results} = [{ops}]({args}){} : {}", i.on(), tuple(&types))
                }
            };
            let last: Vec<String> =
                i.spares.iter().chain(&i.frees).map(|slot| source(Source::Slot(*slot))).collect();
            let in_place = match &i.work {
                Work::Op(call) => call.in_place || call.changes,
                Work::Group(_) => false,
            };
            let mut note = String::new();
            if !last.is_empty() {
                note = format!("; last use of {}", last.join(", "));
            }
            if in_place {
                let _ = write!(note, "; in place of {} unless it is shared", args[0]);
            }
            let _ = writeln!(out, "  {text}{note}");
            match node.op.kernel {
                Kernel::Loop(looping) => {
                    let Looping { test, body, .. } = looping(&node.attrs)?;
                    called.push((body, Some(test)));
                }
                _ => called.extend(node.callees().map(|f| (f.clone(), None))),
            }
        }
        let outputs: Vec<String> = self.outputs.iter().map(|(from, _)| source(*from)).collect();
        let _ = writeln!(out, "  return {}", tuple(&outputs));
        let beside = if owned > 0 { " beside the state" } else { "" };
        if let Some(bytes) = self.peak_bytes().filter(|bytes| *bytes > 0) {
            let _ = writeln!(out, "  # at most {bytes} bytes of values at once{beside}");
        }
        out.push('}');
        Ok((out, called))
    }
}
