//! Steps of several instructions, and registers that become one.

use super::*;

/// Instructions that run as one step write what they write one by one.
#[test]
fn pairs_of_instructions_write_what_each_of_them_writes() {
    fn check_pair<T: Samples>(code: [Instruction; 2]) {
        let program = |code: &[Instruction]| RegisterProgram::new(code.to_vec(), Vec::new(), ALL);
        let [first, second] = [0, 1].map(|i| program(&code[i..=i]));
        let both = program(&code);
        for (x, y) in T::SAMPLES.iter().flat_map(|x| T::SAMPLES.iter().map(move |y| (x, y))) {
            let start = [*x, *y, T::default(), *x].map(T::bits);
            let start: Vec<u64> = start.into_iter().chain([0, 7, 8]).collect();
            let (mut apart, mut together) = (start.clone(), start);
            assert!(first.run(&mut apart, &mut [], &mut [], &mut []));
            assert!(second.run(&mut apart, &mut [], &mut [], &mut []));
            assert!(both.run(&mut together, &mut [], &mut [], &mut []));
            assert_eq!(apart, together, "{code:?} of {x:?}, {y:?}");
        }
    }
    fn check<T: Samples>() {
        let of = |table, x, to| Instruction::zip::<T>(table, x, to).unwrap();
        let tables = [&binary::ADD, &binary::SUB, &binary::MUL];
        let casts = [Instruction::cast::<i32, T>(5, 2), Instruction::cast::<i64, T>(6, 2)];
        let zips = tables.iter().map(|table| of(table, [0, 1], 2));
        for first in zips.chain(casts.into_iter().flatten()) {
            for table in tables {
                for operands in [[2, 3], [3, 2], [2, 2], [3, 3], [2, 0], [1, 2]] {
                    for to in [0, 2, 4] {
                        check_pair::<T>([first, of(table, operands, to)]);
                    }
                }
            }
        }
    }
    check::<f32>();
    check::<f64>();
    check::<i32>();
    check::<i64>();
}

/// A comparison and the jump or the loop that goes by it are one step.
#[test]
fn comparisons_decide() {
    fn check<T: Samples>(tables: &[&Table<ZipToSignature<bool>>]) {
        for table in tables {
            let compare = Instruction::compare::<T>(table, [1, 2], 3).unwrap();
            for (x, y) in T::SAMPLES.iter().flat_map(|x| T::SAMPLES.iter().map(move |y| (x, y))) {
                let want =
                    run(Instruction::compare::<T>(table, [0, 1], 2).unwrap(), x.bits(), y.bits());
                let registers = [0, x.bits(), y.bits(), 5, 1];
                let count = Instruction::zip::<i64>(&binary::ADD, [0, 4], 0).unwrap();
                let skipping = vec![compare, Instruction::jump_unless(3, 3), count];
                let mut after = registers;
                assert!(RegisterProgram::new(skipping, Vec::new(), ALL).run(
                    &mut after,
                    &mut [],
                    &mut [],
                    &mut [],
                ));
                assert_eq!((after[0], after[3]), (want, want), "{compare:?} of {x:?}, {y:?}");
                let calls: Vec<RegisterFn> = vec![Box::new(|_| None)];
                let repeating = vec![
                    Instruction::repeated(2, 4, 0),
                    Instruction::call(0, [0, 0], 0),
                    compare,
                    Instruction::repeat(3, 1),
                ];
                let mut after = registers;
                let ended = RegisterProgram::new(repeating, calls, ALL).run(
                    &mut after,
                    &mut [],
                    &mut [],
                    &mut [],
                );
                assert_eq!((ended, after[3]), (want == 0, want), "{compare:?} of {x:?}, {y:?}");
            }
        }
    }
    use binary as b;
    let all = [&b::LESS, &b::LESS_EQUAL, &b::GREATER, &b::GREATER_EQUAL, &b::EQUAL, &b::NOT_EQUAL];
    check::<f32>(&all);
    check::<f64>(&all);
    check::<i32>(&all);
    check::<i64>(&all);
    check::<bool>(&all[4..]);
}

/// A value, its comparison and the jump or the loop that goes by it are one step.
#[test]
fn tests_of_values_decide() {
    fn check<T: Samples>(tables: &[&Table<ZipSignature>]) {
        use binary as b;
        let compares =
            [&b::LESS, &b::LESS_EQUAL, &b::GREATER, &b::GREATER_EQUAL, &b::EQUAL, &b::NOT_EQUAL];
        for (table, compare) in tables.iter().flat_map(|t| compares.map(|c| (t, c))) {
            let value = Instruction::zip::<T>(table, [0, 1], 2).unwrap();
            let test = Instruction::compare::<T>(compare, [2, 3], 4).unwrap();
            let jump = Instruction::jump_unless(4, 4);
            let mark = Instruction::compare::<bool>(&b::EQUAL, [5, 5], 5).unwrap();
            let together = RegisterProgram::new(vec![value, test, jump, mark], Vec::new(), ALL);
            let repeat = Instruction::repeat(4, 1);
            let code = vec![Instruction::repeated(2, 5, 6), mark, value, test, repeat];
            let calls: Vec<RegisterFn> = vec![Box::new(|_| None)];
            let mut looping = code.clone();
            looping[1] = Instruction::call(0, [0, 0], 0);
            let looping = RegisterProgram::new(looping, calls, ALL);
            for (x, y) in T::SAMPLES.iter().flat_map(|x| T::SAMPLES.iter().map(move |y| (x, y))) {
                for z in T::SAMPLES {
                    let start = [x.bits(), y.bits(), 0, z.bits(), 7, 0, 0];
                    let number = run(value, x.bits(), y.bits());
                    let yes = run(
                        Instruction::compare::<T>(compare, [0, 1], 2).unwrap(),
                        number,
                        z.bits(),
                    );
                    let want = [x.bits(), y.bits(), number, z.bits(), yes, yes, 0];
                    let mut after = start;
                    assert!(together.run(&mut after, &mut [], &mut [], &mut []));
                    assert_eq!(after, want, "{value:?}, {test:?} of {x:?}, {y:?}, {z:?}");
                    let mut after = start;
                    assert_eq!(looping.run(&mut after, &mut [], &mut [], &mut []), yes == 0);
                    assert_eq!(
                        after[2..5],
                        want[2..5],
                        "{value:?}, {test:?} of {x:?}, {y:?}, {z:?}"
                    );
                }
            }
        }
    }
    use binary as b;
    let tables = [&b::ADD, &b::SUB, &b::FLOOR_MOD, &b::TRUNC_MOD, &b::TRUNC_DIV];
    check::<i32>(&tables);
    check::<i64>(&tables);
}

/// A jump to the end of an iteration leads through a copy of it.
#[test]
fn ends_of_iterations_are_copied() {
    // while r0 != r1 { if r0 == r2 { r3 += r4 } else { r5 += r4 }; r0 += r4 }
    let add = |x, to| Instruction::zip::<i64>(&binary::ADD, [x, 4], to).unwrap();
    let code = vec![
        Instruction::repeated(6, 8, 8),
        Instruction::compare::<i64>(&binary::EQUAL, [0, 2], 6).unwrap(),
        Instruction::jump_unless(6, 5),
        add(3, 3),
        Instruction::jump(6),
        add(5, 5),
        Instruction::compare::<i64>(&binary::NOT_EQUAL, [0, 1], 7).unwrap(),
        Instruction::repeat(7, 1),
    ];
    let mut with_step = code.clone();
    with_step.insert(6, add(0, 0));
    with_step[0] = Instruction::repeated(7, 9, 8);
    let program = RegisterProgram::new(with_step, Vec::new(), ALL);
    // No step is a jump: the loop and its first test, the test and its branches, two ends of iterations, the end.
    assert_eq!(program.steps.len(), 8);
    for n in [0, 1, 5, 1000] {
        let mut registers = [0, n, 3, 0, 1, 0, 0, 0, 0];
        assert!(program.run(&mut registers, &mut [], &mut [], &mut []));
        let hit = u64::from(n > 3);
        assert_eq!(registers, [n, n, 3, hit, 1, n - hit, u64::from(n == 4), 0, n]);
    }
}

/// Copies go where two registers can be one, and stay where they can not.
#[test]
fn copies_are_removed_where_no_value_is_lost() {
    let add = |x: [u32; 2], to| Instruction::zip::<i64>(&binary::ADD, x, to).unwrap();
    let copy = |x, to| Instruction::copy::<i64>(x, to).unwrap();
    let copies = |code: &[Instruction], results: &[u32]| {
        let program = RegisterProgram::new(code.to_vec(), Vec::new(), results);
        let (mut want, mut got) = ([3, 4, 0, 0, 0, 1, 0, 0, 0], [3, 4, 0, 0, 0, 1, 0, 0, 0]);
        assert!(RegisterProgram::new(code.to_vec(), Vec::new(), ALL).run(
            &mut want,
            &mut [],
            &mut [],
            &mut []
        ));
        assert!(program.run(&mut got, &mut [], &mut [], &mut []));
        for x in results {
            assert_eq!(want[*x as usize], got[*x as usize], "{program}");
        }
        program.code.iter().filter(|code| code.copied().is_some()).count()
    };
    // r2 = r0 + r1; r0 = r2
    assert_eq!(copies(&[add([0, 1], 2), copy(2, 0)], &[0, 1]), 0);
    // The old r0 is read after r2 is known.
    assert_eq!(copies(&[add([0, 1], 2), add([0, 2], 3), copy(2, 0)], &[0, 3]), 1);
    // r2 is wanted as well, and changes.
    assert_eq!(copies(&[copy(0, 2), add([2, 1], 2)], &[0, 2]), 1);
    assert_eq!(copies(&[copy(0, 2), add([2, 1], 3)], &[0, 3]), 0);
    // Two that change places.
    assert_eq!(copies(&[copy(0, 2), copy(1, 0), copy(2, 1)], &[0, 1]), 3);
    // Both branches write what is copied behind them; so does one of them.
    let branch = |yes, no| {
        let jump = Instruction::jump_unless(5, 3);
        [jump, yes, Instruction::jump(4), no, copy(2, 0)]
    };
    assert_eq!(copies(&branch(add([0, 0], 2), add([0, 1], 2)), &[0, 1]), 0);
    assert_eq!(copies(&branch(add([0, 0], 2), copy(1, 2)), &[0, 1]), 1);
    assert_eq!(copies(&branch(copy(0, 2), add([0, 1], 2)), &[0, 1]), 0);
    // A loop needs the old value in its next iteration.
    let looped = |next: [Instruction; 2]| {
        let test = Instruction::compare::<i64>(&binary::LESS, [0, 1], 3).unwrap();
        vec![Instruction::repeated(3, 5, 8), next[0], next[1], test, Instruction::repeat(3, 1)]
    };
    assert_eq!(copies(&looped([add([0, 5], 2), copy(2, 0)]), &[0, 8]), 0);
    assert_eq!(copies(&looped([add([0, 5], 0), copy(0, 2)]), &[0, 2, 8]), 1);
    assert_eq!(copies(&looped([copy(6, 7), add([0, 5], 0)]), &[0, 7, 8]), 1);
    assert_eq!(copies(&looped([copy(6, 7), add([0, 5], 0)]), &[0, 8]), 0);
}

/// Long programs return from time to time, so that they take little of the stack.
#[test]
fn long_programs_need_little_stack() {
    let one = Instruction::zip::<i64>(&binary::ADD, [0, 1], 0).unwrap();
    let run = move || {
        let straight = RegisterProgram::new(vec![one; 100_000], Vec::new(), ALL);
        let mut registers = [0, 1];
        assert!(straight.run(&mut registers, &mut [], &mut [], &mut []));
        assert_eq!(registers[0], 100_000);
        // Each jump leads over the middle of three instructions.
        let code = (0..99_999u32).map(|i| match i % 3 {
            0 => Instruction::jump_unless(2, i + 2),
            _ => one,
        });
        let jumping = RegisterProgram::new(code.collect(), Vec::new(), ALL);
        let mut registers = [0, 1, 0];
        assert!(jumping.run(&mut registers, &mut [], &mut [], &mut []));
        assert_eq!(registers[0], 33_333);
        let all =
            std::iter::once(Instruction::repeated(1, 30_004, 5)).chain(vec![one; 30_000]).chain([
                Instruction::zip::<i64>(&binary::ADD, [2, 1], 2).unwrap(),
                Instruction::compare::<i64>(&binary::LESS, [2, 3], 4).unwrap(),
                Instruction::repeat(4, 1),
            ]);
        let looped = RegisterProgram::new(all.collect(), Vec::new(), ALL);
        let mut registers = [0, 1, 0, 4, 0, 0];
        assert!(looped.run(&mut registers, &mut [], &mut [], &mut []));
        assert_eq!((registers[0], registers[2], registers[5]), (4 * 30_000, 4, 3));
        // while r0 < r2 { while r3 < r2 { r3 += 1 }; r3 = 0; r0 += 1 }
        let inner = [
            Instruction::repeated(2, 5, 6),
            Instruction::zip::<i64>(&binary::ADD, [3, 1], 3).unwrap(),
            Instruction::compare::<i64>(&binary::LESS, [3, 2], 4).unwrap(),
            Instruction::repeat(4, 2),
            Instruction::copy::<i64>(7, 3).unwrap(),
            one,
            Instruction::compare::<i64>(&binary::LESS, [0, 2], 4).unwrap(),
            Instruction::repeat(4, 1),
        ];
        let mut nested = vec![Instruction::repeated(7, 9, 5)];
        nested.extend(inner);
        nested[1] = Instruction::repeated(3, 5, 6);
        let nested = RegisterProgram::new(nested, Vec::new(), ALL);
        let mut registers = [0, 1, 5_000, 0, 0, 0, 0, 0];
        assert!(nested.run(&mut registers, &mut [], &mut [], &mut []));
        assert_eq!(registers[5..7], [5_000, 5_000 * 5_000]);
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap();
}
