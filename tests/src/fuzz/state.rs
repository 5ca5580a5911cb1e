//! Random steps over a model whose state comes and changes: within calls, between them, in functions within
//! functions. Each is run as plain Rust on one model and traced on another; after every call the results and all
//! state must be the same. A program is told by its seed.

use std::fmt::Write as _;

use extype::function::{FunctionOptions, FunctionState};
use extype::init_scope;
use extype::prelude::*;
use extype::train::{Adam, AnyOptimizer, SGD};

use super::Rng;

/// State that is made when a program asks for it.
#[derive(Module)]
struct Model {
    cells: Vec<Late<Variable>>,
    child: Option<Box<Model>>,
    optimizer: AnyOptimizer,
    #[plain]
    factor: f64,
}

/// What a step does with its number; cells are told by their places.
#[derive(Clone, Debug)]
enum Step {
    /// Adds what the cell holds, or another number if it is empty.
    Look(usize),
    /// Fills the cell if it is empty, and adds what it holds.
    Create(usize),
    /// Fails to fill the cell, if it is empty.
    Fail(usize),
    /// Adds to what the cell holds, if it holds something.
    Change(usize),
    /// Adds how many variables there are.
    Count,
    /// The same from outside of the trace.
    CountOutside(usize),
    /// Adds whether the optimizer has a slot for the cell.
    Slot(usize),
    /// Trains what is there.
    Train,
    /// Goes on in another program.
    Call(usize),
    /// Goes on in one program or another, as a number says.
    Branch(Vec<Step>, Vec<Step>),
    /// The steps so often, counted by a tensor.
    Repeat(i64, Vec<Step>),
    /// Goes on with the child.
    Child(Vec<Step>),
}

/// What happens between two calls.
#[derive(Clone, Debug)]
enum Event {
    Nothing,
    Create(usize),
    Assign(usize),
    Factor,
    /// A deep clone takes the model's place.
    Clone,
    /// The next call is another thread's.
    Thread,
}

const CELLS: usize = 3;
const CALLS: usize = 6;

struct Program {
    functions: Vec<Vec<Step>>,
    events: Vec<Event>,
    adam: bool,
}

impl Program {
    fn of_seed(seed: u64) -> Self {
        let rng = &mut Rng::of_case("state", seed);
        let count = 1 + rng.below(3);
        let functions = (0..count).map(|i| steps(rng, i, count, 2, true)).collect();
        let cell = |rng: &mut Rng| rng.below(CELLS);
        let events = (0..CALLS).map(|_| match rng.below(12) {
            0 | 1 => Event::Create(cell(rng)),
            2 => Event::Assign(cell(rng)),
            3 => Event::Factor,
            4 => Event::Clone,
            5 => Event::Thread,
            _ => Event::Nothing,
        });
        Self { functions, events: events.collect(), adam: rng.chance(50) }
    }

    fn model(&self, child: Option<Box<Model>>) -> Model {
        let optimizer = match self.adam {
            true => Adam::new(0.1).erased(),
            false => SGD::new(0.1).momentum(0.5).erased(),
        };
        let cells = (0..CELLS).map(|_| Late::new()).collect();
        Model { cells, child, optimizer, factor: 1.0 }
    }
}

/// `creates` is false where plain Rust runs one arm and a trace sees both.
fn steps(rng: &mut Rng, own: usize, count: usize, depth: usize, creates: bool) -> Vec<Step> {
    let mut all = Vec::new();
    for _ in 0..1 + rng.below(4) {
        let cell = rng.below(CELLS);
        all.push(match rng.below(if depth > 0 { 16 } else { 12 }) {
            0..=2 => Step::Look(cell),
            3 | 4 if creates => Step::Create(cell),
            5 if creates => Step::Fail(cell),
            6 => Step::Change(cell),
            7 => Step::Count,
            8 => Step::CountOutside(cell),
            9 => Step::Slot(cell),
            10 if creates => Step::Train,
            11 | 12 if creates && own + 1 < count => {
                Step::Call(own + 1 + rng.below(count - own - 1))
            }
            13 => {
                let arm = |rng: &mut Rng| steps(rng, own, count, depth - 1, false);
                Step::Branch(arm(rng), arm(rng))
            }
            14 => {
                let times = 1 + rng.below(3) as i64;
                Step::Repeat(times, steps(rng, own, count, depth - 1, false))
            }
            15 => Step::Child(steps(rng, own, count, depth - 1, creates)),
            _ => Step::Look(cell),
        });
    }
    all
}

/// One way of running: plain Rust, or a state for each function.
struct Way<'a> {
    program: &'a Program,
    traced: Option<&'a [FunctionState]>,
}

impl Way<'_> {
    fn call(&self, function: usize, model: &Model, x: &Tensor) -> Result<Tensor> {
        let steps = &self.program.functions[function];
        match self.traced {
            None => self.run(steps, model, x.clone()),
            Some(states) => states[function]
                .call((model, x), |(model, x)| self.run(steps, &model, x.into_owned()?)),
        }
    }

    fn run(&self, steps: &[Step], model: &Model, mut x: Tensor) -> Result<Tensor> {
        for step in steps {
            // Numbers stay small, and tell what was done.
            x = ops::sin(&self.step(step, model, &x)?)?;
        }
        Ok(x)
    }

    fn step(&self, step: &Step, model: &Model, x: &Tensor) -> Result<Tensor> {
        let add = |number: f64| ops::add(x, number * model.factor);
        Ok(match step {
            Step::Look(cell) => match model.cells[*cell].get() {
                Some(v) => ops::add(x, v.read()?)?,
                None => add(0.25)?,
            },
            Step::Create(cell) => {
                let made = model.cells[*cell].get_or_create(|| Variable::new(0.5f64))?;
                ops::add(x, made.read()?)?
            }
            Step::Fail(cell) => {
                let made = model.cells[*cell].get_or_create(|| Err(Error::invalid("not now")));
                add(if made.is_ok() { 0.7 } else { 0.3 })?
            }
            Step::Change(cell) => {
                if let Some(v) = model.cells[*cell].get() {
                    v.assign_add(ops::mul(x, 0.1)?)?;
                }
                x.clone()
            }
            Step::Count => add(model.variables().len() as f64)?,
            Step::CountOutside(cell) => {
                add(init_scope(|| f64::from(u8::from(model.cells[*cell].get().is_some()))))?
            }
            Step::Slot(cell) => {
                let slot = |v: &Variable| model.optimizer.slot("momentum", v).is_some();
                add(if model.cells[*cell].get().is_some_and(slot) { 0.9 } else { 0.1 })?
            }
            Step::Train => {
                let there: Vec<Variable> =
                    model.cells.iter().filter_map(|cell| cell.get().cloned()).collect();
                if let Some(first) = there.first() {
                    model.optimizer.build(&there)?;
                    let tape = GradientTape::new();
                    let loss = ops::mul(first.read()?, x)?.square()?;
                    model.optimizer.apply(&tape.gradient(&loss, &there)?, &there)?;
                }
                x.clone()
            }
            Step::Call(function) => self.call(*function, model, x)?,
            Step::Branch(yes, no) => {
                let arm = |steps| move || self.run(steps, model, x.clone());
                cond(&x.greater(0.0)?, arm(yes), arm(no))?
            }
            Step::Repeat(times, steps) => {
                let (_, x) = while_loop(
                    (scalar(0i64), x.clone()),
                    |(i, _)| i.less(*times),
                    |(i, x)| Ok((ops::add(&i, 1)?, self.run(steps, model, x)?)),
                )?;
                x
            }
            Step::Child(steps) => match &model.child {
                Some(child) => self.run(steps, child, x.clone())?,
                None => x.clone(),
            },
        })
    }
}

/// All state, as text.
fn state(model: &Model) -> Result<String> {
    let mut text = String::new();
    for v in model.variables() {
        let _ = write!(text, "{:.9} ", v.read()?.cast(f64)?.item::<f64>()?);
    }
    for (i, cell) in model.cells.iter().enumerate() {
        let _ = write!(text, "{i}:{} ", cell.get().is_some());
    }
    Ok(text)
}

fn happen(event: &Event, model: &mut Model) -> Result<()> {
    match event {
        Event::Create(cell) => {
            model.cells[*cell].get_or_create(|| Variable::new(0.125f64))?;
        }
        Event::Assign(cell) => {
            if let Some(v) = model.cells[*cell].get() {
                v.assign(0.75)?;
            }
        }
        Event::Factor => model.factor += 0.5,
        Event::Clone => *model = model.deep_clone()?,
        Event::Nothing | Event::Thread => {}
    }
    Ok(())
}

/// What differs between the program as plain Rust and traced.
///
/// ```
/// assert_eq!(extype_tests::fuzz::state_differs(1), None);
/// ```
pub fn state_differs(seed: u64) -> Option<String> {
    let program = Program::of_seed(seed);
    let told = |what: String| {
        format!("seed {seed}: {what}\n{:#?}\n{:?}", program.functions, program.events)
    };
    check(&program).unwrap_or_else(|e| Some(format!("an error: {e}"))).map(told)
}

fn check(program: &Program) -> Result<Option<String>> {
    let states: Vec<FunctionState> = program
        .functions
        .iter()
        .map(|_| FunctionState::new(FunctionOptions::new("f", &["x"])))
        .collect();
    let plain = Way { program, traced: None };
    let traced = Way { program, traced: Some(&states) };
    let make = || program.model(Some(Box::new(program.model(None))));
    let (mut a, mut b) = (make(), make());
    let x = scalar(0.5f64);
    for (i, event) in program.events.iter().enumerate() {
        happen(event, &mut a)?;
        happen(event, &mut b)?;
        let y = plain.call(0, &a, &x)?;
        let call = || traced.call(0, &b, &x);
        let z = match event {
            Event::Thread => std::thread::scope(|s| s.spawn(call).join())
                .unwrap_or_else(|_| Err(Error::internal("the thread panicked")))?,
            _ => call()?,
        };
        let (y, z) = (y.item::<f64>()?, z.item::<f64>()?);
        if (y - z).abs() > 1e-9 {
            return Ok(Some(format!("call {i} gives {z} traced, {y} as plain Rust")));
        }
        let (of_a, of_b) = (state(&a)?, state(&b)?);
        if of_a != of_b {
            return Ok(Some(format!(
                "after call {i} the state is\n{of_b}\ntraced, and\n{of_a}\nas plain Rust"
            )));
        }
    }
    Ok(None)
}
