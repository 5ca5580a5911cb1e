mod plan;
mod random;

use super::*;
use crate::par::Par;
use crate::table::cast::CastTarget;
use crate::table::{Pairing, Signature, Tabled, ZipFn};
use core::mem::MaybeUninit;

/// No register gets another value than the instructions give it.
const ALL: &[u32] = &[0, 1, 2, 3, 4, 5, 6, 7, 8];

/// Numbers where functions differ most.
trait Samples: Scalar + Tabled + bytemuck::NoUninit {
    const SAMPLES: &[Self];
}

impl Samples for f32 {
    const SAMPLES: &[f32] = &[
        0.0,
        -0.0,
        1.0,
        -1.5,
        2.5,
        7.0,
        -7.0,
        1e-40,
        3e9,
        -3e9,
        1e20,
        f32::MAX,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ];
}
impl Samples for f64 {
    const SAMPLES: &[f64] = &[
        0.0,
        -0.0,
        1.0,
        -1.5,
        2.5,
        7.0,
        -7.0,
        1e-310,
        1e19,
        -1e19,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
}
impl Samples for i32 {
    const SAMPLES: &[i32] = &[0, 1, -1, 2, 8, 7, -7, -8, 1000, 1 << 30, i32::MAX, i32::MIN];
}
impl Samples for i64 {
    const SAMPLES: &[i64] = &[0, 1, -1, 2, 7, -7, -8, 1 << 40, 1 << 62, i64::MAX, i64::MIN];
}
impl Samples for bool {
    const SAMPLES: &[bool] = &[false, true];
}

/// What one instruction writes.
fn run(instruction: Instruction, x: u64, y: u64) -> u64 {
    let mut registers = [x, y, 99];
    let program = RegisterProgram::new(vec![instruction], Vec::new(), ALL);
    assert!(program.run(&mut registers, &mut [], &mut [], &mut []));
    registers[2]
}

fn written<R: Scalar>(f: impl FnOnce(&mut [MaybeUninit<R>])) -> u64 {
    let mut out = [MaybeUninit::new(R::default())];
    f(&mut out);
    // SAFETY: initialized from the start.
    unsafe { out[0].assume_init() }.bits()
}

fn check_maps<T: Samples>(tables: &[&Table<MapSignature>]) -> usize {
    let known = tables.iter().filter_map(|table| {
        let instruction = Instruction::map::<T>(table, 0, 2)?;
        for x in T::SAMPLES {
            let want = written(|out| T::entry(table).unwrap()(&[*x], out, Par::Seq));
            assert_eq!(run(instruction, x.bits(), 0), want, "{instruction:?} of {x:?}");
        }
        Some(())
    });
    known.count()
}

/// Compares instructions on two elements with the functions of tables.
fn check_pairs<T: Samples, R: Scalar, K: Signature<Of<T> = ZipFn<T, R>>>(
    tables: &[&Table<K>],
    instruction: impl Fn(&Table<K>) -> Option<Instruction>,
) -> usize {
    let known = tables.iter().filter_map(|table| {
        let instruction = instruction(table)?;
        for x in T::SAMPLES {
            for y in T::SAMPLES {
                // Division by an integer zero is refused before.
                if format!("{instruction:?}").contains(['D', 'M']) && y.bits() == 0 {
                    continue;
                }
                let f = T::entry(table).unwrap();
                let want = written(|out| f(&[*x], &[*y], Pairing::Each, out, Par::Seq));
                assert_eq!(
                    run(instruction, x.bits(), y.bits()),
                    want,
                    "{instruction:?} of {x:?}, {y:?}"
                );
            }
        }
        Some(())
    });
    known.count()
}

fn check_casts<T: Samples, R: Samples + CastTarget>() {
    if TypeId::of::<T>() == TypeId::of::<R>() {
        return;
    }
    let instruction = Instruction::cast::<T, R>(0, 2).expect("all casts are known");
    for x in T::SAMPLES {
        let want = written(|out| T::entry(R::casts()).unwrap()(&[*x], out, Par::Seq));
        assert_eq!(run(instruction, x.bits(), 0), want, "{instruction:?} of {x:?}");
    }
}

#[test]
fn instructions_compute_what_the_tables_do() {
    use binary as b;
    let maps = [&unary::NEG, &unary::ABS, &unary::SQUARE, &unary::LOGICAL_NOT];
    let zips = [
        &b::ADD,
        &b::SUB,
        &b::MUL,
        &b::REAL_DIV,
        &b::MAXIMUM,
        &b::MINIMUM,
        &b::FLOOR_DIV,
        &b::FLOOR_MOD,
        &b::TRUNC_DIV,
        &b::TRUNC_MOD,
        &b::BITWISE_AND,
        &b::BITWISE_OR,
        &b::BITWISE_XOR,
        &b::LOGICAL_AND,
        &b::LOGICAL_OR,
    ];
    let compares =
        [&b::LESS, &b::LESS_EQUAL, &b::GREATER, &b::GREATER_EQUAL, &b::EQUAL, &b::NOT_EQUAL];
    macro_rules! all {
        ($($t:ident $maps:literal $zips:literal $compares:literal;)*) => {$(
            assert_eq!(check_maps::<$t>(&maps), $maps);
            let zip = |table: &_| Instruction::zip::<$t>(table, [0, 1], 2);
            assert_eq!(check_pairs::<$t, $t, ZipSignature>(&zips, zip), $zips);
            let compare = |table: &_| Instruction::compare::<$t>(table, [0, 1], 2);
            assert_eq!(check_pairs::<$t, bool, ZipToSignature<bool>>(&compares, compare), $compares);
            check_casts::<$t, f32>();
            check_casts::<$t, f64>();
            check_casts::<$t, i32>();
            check_casts::<$t, i64>();
            check_casts::<$t, bool>();
        )*};
    }
    all! { f32 3 8 6; f64 3 8 6; i32 3 12 6; i64 3 12 6; bool 1 2 2; }
}

#[test]
fn jumps_loops_and_calls() {
    // if r0 { r1 = r1 + r1 } else { r1 = -r1 }
    let double = Instruction::zip::<i64>(&binary::ADD, [1, 1], 1).unwrap();
    let negate = Instruction::map::<i64>(&unary::NEG, 1, 1).unwrap();
    let code = vec![Instruction::jump_unless(0, 3), double, Instruction::jump(4), negate];
    let program = RegisterProgram::new(code, Vec::new(), ALL);
    for (pick, want) in [(1, 10), (0, -5)] {
        let mut registers = [pick, 5i64.bits()];
        assert!(program.run(&mut registers, &mut [], &mut [], &mut []));
        assert_eq!(i64::of(registers[1]), want);
    }

    let calls: Vec<RegisterFn> = vec![Box::new(|[x, y]| (x < 500).then_some(x + y))];
    let call = Instruction::call(0, [0, 1], 0);
    let code = vec![Instruction::repeated(1, 3, 2), call, Instruction::repeat(1, 1)];
    let program = RegisterProgram::new(code, calls, ALL);
    let mut registers = [0, 1, 0];
    assert!(!program.run(&mut registers, &mut [], &mut [], &mut []));
    assert_eq!(registers[..2], [500, 1]);
}

#[test]
#[should_panic(expected = "a jump of the program")]
fn jumps_back_are_refused() {
    RegisterProgram::new(vec![Instruction::jump(0)], Vec::new(), ALL);
}

#[test]
#[should_panic(expected = "a jump of the program")]
fn repeats_of_no_loop_are_refused() {
    RegisterProgram::new(vec![Instruction::jump(1), Instruction::repeat(0, 1)], Vec::new(), ALL);
}

#[test]
#[should_panic(expected = "a jump of the program")]
fn jumps_beyond_the_end_are_refused() {
    RegisterProgram::new(vec![Instruction::jump(2)], Vec::new(), ALL);
}

#[test]
#[should_panic(expected = "registers of the program")]
fn too_few_registers_are_refused() {
    let program =
        RegisterProgram::new(vec![Instruction::copy::<f32>(0, 2).unwrap()], Vec::new(), ALL);
    program.run(&mut [0; 2], &mut [], &mut [], &mut []);
}

#[test]
#[should_panic(expected = "a function of the program")]
fn functions_that_are_not_there_are_refused() {
    RegisterProgram::new(vec![Instruction::call(0, [0, 0], 0)], Vec::new(), ALL);
}

#[test]
fn elements_are_read_written_and_appended() {
    // list.push(x[i]); x[i] = y
    fn check<T: Samples>() {
        let code = vec![
            Instruction::load::<T>(0, 0, 2).unwrap(),
            Instruction::push::<T>(0, 2).unwrap(),
            Instruction::store::<T>(1, 0, 1).unwrap(),
        ];
        let program = RegisterProgram::new(code, Vec::new(), ALL);
        let read = T::SAMPLES;
        for i in -1..=read.len() as i64 {
            let (mut written, mut lists) = (read.to_vec(), [vec![7u8]]);
            let mut registers = [i.bits(), read[0].bits(), 0];
            let vectors = &mut [Memory::read(read), Memory::written(&mut written)];
            let ended = program.run(&mut registers, vectors, &mut lists, &mut []);
            let place = usize::try_from(i).ok().filter(|i| *i < read.len());
            assert_eq!(ended, place.is_some());
            let Some(place) = place else {
                assert_eq!(lists[0], [7]);
                continue;
            };
            assert_eq!(registers[2], read[place].bits());
            assert_eq!(&lists[0][1..], bytemuck::bytes_of(&read[place]));
            for (k, x) in written.iter().enumerate() {
                assert_eq!(x.bits(), read[if k == place { 0 } else { k }].bits());
            }
        }
    }
    check::<f32>();
    check::<f64>();
    check::<i32>();
    check::<i64>();
    check::<bool>();
}

#[test]
fn negative_indices_count_from_the_end() {
    let program = RegisterProgram::new(vec![Instruction::wrap(0, 0, 1)], Vec::new(), ALL);
    for (x, want) in [(0, 0), (2, 2), (7, 7), (-1, 2), (-3, 0), (-4, -1), (i64::MIN, i64::MIN + 3)]
    {
        let mut registers = [i64::bits(x), 0];
        assert!(program.run(&mut registers, &mut [Memory::read(&[1.0f32; 3])], &mut [], &mut []));
        assert_eq!(i64::of(registers[1]), want);
    }
}

#[test]
#[should_panic(expected = "vectors of the program")]
fn vectors_that_are_not_there_are_refused() {
    let code = vec![Instruction::load::<f32>(1, 0, 0).unwrap()];
    let program = RegisterProgram::new(code, Vec::new(), ALL);
    program.run(&mut [0], &mut [Memory::read(&[1.0f32])], &mut [], &mut []);
}

#[test]
#[should_panic(expected = "vectors of the program")]
fn vectors_of_two_types_are_refused() {
    let code = vec![
        Instruction::load::<f32>(0, 0, 0).unwrap(),
        Instruction::load::<i32>(0, 0, 0).unwrap(),
    ];
    let program = RegisterProgram::new(code, Vec::new(), ALL);
    program.run(&mut [0], &mut [Memory::read(&[1.0f32])], &mut [], &mut []);
}

#[test]
#[should_panic(expected = "vectors of the program")]
fn vectors_that_can_not_be_written_are_refused() {
    let code = vec![Instruction::store::<f32>(0, 0, 0).unwrap()];
    let program = RegisterProgram::new(code, Vec::new(), ALL);
    program.run(&mut [0], &mut [Memory::read(&[1.0f32])], &mut [], &mut []);
}

#[test]
#[should_panic(expected = "vectors of the program")]
fn vectors_of_another_type_are_refused() {
    let code = vec![Instruction::load::<f32>(0, 0, 0).unwrap()];
    let program = RegisterProgram::new(code, Vec::new(), ALL);
    program.run(&mut [0], &mut [Memory::read(&[1i32])], &mut [], &mut []);
}

#[test]
#[should_panic(expected = "lists of the program")]
fn lists_that_are_not_there_are_refused() {
    let code = vec![Instruction::push::<f32>(0, 0).unwrap()];
    let program = RegisterProgram::new(code, Vec::new(), ALL);
    program.run(&mut [0], &mut [], &mut [], &mut []);
}

impl ScalarItems for Vec<u64> {
    fn get(&mut self, i: i64) -> Option<u64> {
        <[u64]>::get(self, usize::try_from(i).ok()?).copied()
    }

    fn set(&mut self, i: i64, bits: u64, grows: bool) -> bool {
        let Ok(i) = usize::try_from(i) else { return false };
        if grows && i >= self.len() {
            self.resize(i + 1, 0);
        }
        self.get_mut(i).map(|item| *item = bits).is_some()
    }

    fn push(&mut self, bits: u64) -> bool {
        Vec::push(self, bits);
        true
    }

    fn pop(&mut self) -> Option<u64> {
        Vec::pop(self)
    }
}

#[test]
fn items_are_read_and_changed() {
    let run = |code: Instruction, mut registers: [u64; 2]| {
        let (mut other, mut items) = (vec![], vec![3, 4]);
        let program = RegisterProgram::new(vec![code], Vec::new(), ALL);
        let ended = program.run(&mut registers, &mut [], &mut [], &mut [&mut other, &mut items]);
        assert!(other.is_empty());
        (ended, registers[1], items)
    };
    let get = Instruction::get_item(1, 0, 1);
    assert_eq!(run(get, [1, 7]), (true, 4, vec![3, 4]));
    assert_eq!(run(get, [2, 7]), (false, 7, vec![3, 4]));
    assert_eq!(run(get, [(-1i64).bits(), 7]), (false, 7, vec![3, 4]));
    assert_eq!(run(Instruction::set_item(1, 0, 1, false), [1, 7]), (true, 7, vec![3, 7]));
    assert_eq!(run(Instruction::set_item(1, 0, 1, false), [2, 7]), (false, 7, vec![3, 4]));
    assert_eq!(run(Instruction::set_item(1, 0, 1, true), [2, 7]), (true, 7, vec![3, 4, 7]));
    assert_eq!(run(Instruction::push_item(1, 1), [0, 7]), (true, 7, vec![3, 4, 7]));
    assert_eq!(run(Instruction::pop_item(1, 1), [0, 7]), (true, 4, vec![3]));
    assert!(!run(Instruction::pop_item(0, 1), [0, 7]).0);
}

#[test]
#[should_panic(expected = "items of the program")]
fn items_that_are_not_there_are_refused() {
    let program = RegisterProgram::new(vec![Instruction::pop_item(0, 0)], Vec::new(), ALL);
    program.run(&mut [0], &mut [], &mut [], &mut []);
}
