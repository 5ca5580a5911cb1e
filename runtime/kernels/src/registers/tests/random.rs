//! Random programs leave in registers what their statements do one by one.

use proptest::prelude::*;

use super::*;

/// The registers of numbers that statements name.
const NUMBERS: u32 = 6;
/// The register of the last test.
const TEST: u32 = 6;
/// The registers of the constants 0, 1, 2, 5 and 700.
const CONSTANTS: u32 = 7;
const ONE: u32 = CONSTANTS + 1;
/// For each depth, the register that counts up to the number of iterations, and the one for iterations of inner loops.
const COUNTERS: u32 = 12;
const INNER: u32 = 20;
const MAX_DEPTH: u32 = 3;

#[derive(Clone, Debug)]
enum Statement {
    Zip(usize, [u32; 2], u32),
    Copy(u32, u32),
    If(usize, [u32; 2], [Vec<Statement>; 2]),
    /// So many iterations as the constant says.
    Loop(u32, Vec<Statement>),
}

const ZIPS: [&Table<ZipSignature>; 5] =
    [&binary::ADD, &binary::SUB, &binary::MUL, &binary::FLOOR_MOD, &binary::TRUNC_MOD];
const COMPARES: [&Table<ZipToSignature<bool>>; 3] =
    [&binary::LESS, &binary::EQUAL, &binary::GREATER_EQUAL];

fn statements() -> impl Strategy<Value = Vec<Statement>> {
    let number = || 0..NUMBERS;
    // Constants can be read.
    let read = || 0..CONSTANTS + 3;
    let number_read = move || read().prop_map(|x| if x == TEST { 0 } else { x });
    let pair = move || [number_read(), number_read()];
    let one = prop_oneof![
        3 => (0..ZIPS.len(), pair(), number()).prop_map(|(f, x, to)| Statement::Zip(f, x, to)),
        2 => (number_read(), number()).prop_map(|(x, to)| Statement::Copy(x, to)),
    ];
    let block = |one: BoxedStrategy<Statement>| proptest::collection::vec(one, 0..6);
    let nested = one.prop_recursive(MAX_DEPTH, 40, 6, move |one| {
        prop_oneof![
            2 => one.clone(),
            1 => (0..COMPARES.len(), pair(), [block(one.clone()), block(one.clone())])
                .prop_map(|(f, x, arms)| Statement::If(f, x, arms)),
            1 => (0..4u32, block(one)).prop_map(|(n, body)| Statement::Loop(n, body)),
        ]
    });
    (block(nested.clone().boxed()), 4..5u32, block(nested.boxed())).prop_map(
        |(mut all, n, body)| {
            all.push(Statement::Loop(n, body));
            all
        },
    )
}

fn zip(f: usize, x: [u32; 2], to: u32) -> Instruction {
    Instruction::zip::<i64>(ZIPS[f], x, to).unwrap()
}

fn compare(f: usize, x: [u32; 2]) -> Instruction {
    Instruction::compare::<i64>(COMPARES[f], x, TEST).unwrap()
}

fn flat(all: &[Statement], depth: u32, code: &mut Vec<Instruction>) {
    let copy = |x, to| Instruction::copy::<i64>(x, to).unwrap();
    let here = |code: &Vec<Instruction>| code.len() as u32;
    for statement in all {
        match statement {
            Statement::Zip(f, x, to) => code.push(zip(*f, *x, *to)),
            Statement::Copy(x, to) => code.push(copy(*x, *to)),
            Statement::If(f, x, [yes, no]) => {
                code.extend([compare(*f, *x), Instruction::jump(0)]);
                let choice = code.len() - 1;
                flat(yes, depth, code);
                code.push(Instruction::jump(0));
                let end = code.len() - 1;
                code[choice] = Instruction::jump_unless(TEST, here(code));
                flat(no, depth, code);
                code[end] = Instruction::jump(here(code));
            }
            Statement::Loop(n, body) => {
                let counter = COUNTERS + depth;
                code.extend([copy(CONSTANTS, counter), Instruction::jump(0)]);
                let begin = code.len() - 1;
                flat(body, depth + 1, code);
                code.push(zip(0, [counter, ONE], counter));
                let test = here(code);
                code.push(compare(0, [counter, CONSTANTS + n]));
                code.push(Instruction::repeat(TEST, begin as u32 + 1));
                code[begin] = Instruction::repeated(test, here(code), INNER);
            }
        }
    }
}

/// Runs the statements, one instruction after the other.
fn run_each(all: &[Statement], depth: u32, registers: &mut [u64; 21]) {
    let one = |instruction, registers: &mut [u64; 21]| {
        let program = RegisterProgram::new(vec![instruction], Vec::new(), &[]);
        assert!(program.run(registers, &mut [], &mut [], &mut []));
    };
    for statement in all {
        match statement {
            Statement::Zip(f, x, to) => one(zip(*f, *x, *to), registers),
            Statement::Copy(x, to) => registers[*to as usize] = registers[*x as usize],
            Statement::If(f, x, [yes, no]) => {
                one(compare(*f, *x), registers);
                run_each(if registers[TEST as usize] != 0 { yes } else { no }, depth, registers);
            }
            Statement::Loop(n, body) => {
                // The first iteration comes after a test, which adds nothing to the counter.
                let counter = (COUNTERS + depth) as usize;
                registers[counter] = 0;
                loop {
                    one(compare(0, [counter as u32, CONSTANTS + n]), registers);
                    if registers[TEST as usize] == 0 {
                        break;
                    }
                    run_each(body, depth + 1, registers);
                    registers[counter] += 1;
                    registers[INNER as usize] += 1;
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn programs_leave_what_their_statements_do(
        all in statements(),
        start in proptest::array::uniform6(-9i64..9),
        results in proptest::collection::vec(0..NUMBERS, 0..4),
    ) {
        let mut code = Vec::new();
        flat(&all, 0, &mut code);
        let mut want = [0; 21];
        for (to, x) in want.iter_mut().zip(start.into_iter().chain([0, 0, 1, 2, 5, 700])) {
            *to = x.bits();
        }
        let mut got = want;
        let results: Vec<u32> = results.into_iter().chain([INNER]).collect();
        let program = RegisterProgram::new(code, Vec::new(), &results);
        prop_assert!(program.run(&mut got, &mut [], &mut [], &mut []));
        run_each(&all, 0, &mut want);
        for x in results {
            prop_assert_eq!(got[x as usize], want[x as usize], "register {} of\n{}", x, program);
        }
    }
}
