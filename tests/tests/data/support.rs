//! Pipelines drawn at random, and their elements as text.

use extype::data::{Dataset, Remainder, Window};
use extype::prelude::*;

/// Numbers that follow from a seed.
pub(crate) struct Draws(u64);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
}

/// An item as text: numbers, or that it failed.
pub(crate) fn shown(item: Result<Tensor>) -> String {
    match item {
        Ok(x) => format!("{:?}", x.to_vec::<i64>().unwrap()),
        Err(e) => format!("failed: {}", e.message()),
    }
}

pub(crate) fn all(data: &Dataset<Tensor>) -> Vec<String> {
    data.iter().map(shown).collect()
}

fn affine(a: i64, b: i64) -> impl Fn(Tensor) -> Result<Tensor> + Send + Sync + 'static {
    move |x| Ok(&x * a + b)
}

fn failing(k: i64) -> impl Fn(Tensor) -> Result<Tensor> + Send + Sync + 'static {
    move |x| match x.item::<i64>()? % 7 == k {
        true => Err(Error::invalid(format!("refused {}", x.item::<i64>()?))),
        false => Ok(x),
    }
}

/// A random pipeline of int64 scalars; functions of maps run on so many threads.
pub(crate) fn pipeline(seed: u64, threads: usize) -> Dataset<Tensor> {
    let mut draws = Draws::new(seed);
    let mut data = match draws.below(4) {
        0 => {
            let rows: Vec<i64> = (0..12).map(|_| draws.below(30) as i64).collect();
            Dataset::from_tensor_slices(Tensor::from_vec(rows)).unwrap()
        }
        1 => {
            let n = draws.below(9) as i64;
            Dataset::from_iter(move || (0..n).map(scalar))
        }
        2 => Dataset::random(seed as i64).map(|x| x.floor_mod(50)).take(9),
        _ => Dataset::range(draws.below(4) as i64..14),
    };
    for _ in 0..1 + draws.below(5) {
        data = step(&data, &mut draws, threads);
    }
    // Interleaved and repeated ones may be long.
    data.take(60)
}

fn step(data: &Dataset<Tensor>, draws: &mut Draws, threads: usize) -> Dataset<Tensor> {
    let (n, m) = (1 + draws.below(4), 1 + draws.below(4));
    let (size, k) = (n as usize, m as i64);
    match draws.below(20) {
        0 if threads > 1 => data.map_parallel(threads, affine(k, 1)),
        0 => data.map(affine(k, 1)),
        1 => data.filter(move |x| x.floor_mod(k + 1)?.not_equal(0)),
        2 => data.take(3 * n),
        3 => data.skip(n),
        4 => data.repeat_n(n),
        5 => data.shuffle(size, k),
        6 => data.shuffle_all(k).repeat_n(2),
        7 => data.batch(size, Remainder::Keep).unbatch(),
        8 => data.batch(size + 1, Remainder::Drop).rebatch(&[1, 3], Remainder::Keep).unbatch(),
        9 => data.flat_map(move |x| {
            let x = x.item::<i64>()?.rem_euclid(5);
            Ok(Dataset::range(x..x + k))
        }),
        10 => data.interleave(size, m, move |x| {
            let x = x.item::<i64>()?.rem_euclid(9);
            Ok(Dataset::range(10 * x..10 * x + 3).shuffle(2, 1))
        }),
        11 => data.scan(scalar(0i64), |s, x| Ok((&s + &x, &s + &x))),
        12 => {
            let window = Window::of(size).shift(m as usize).stride(1 + draws.below(2) as usize);
            data.window(window).flat_map(Ok)
        }
        13 => data
            .group_by_window(
                size,
                move |x| x.floor_mod(k + 1),
                |_, g| Ok(g.batch(2, Remainder::Keep)),
            )
            .unbatch(),
        14 => data.prefetch(size),
        15 => data.cache().repeat_n(2),
        16 => data.concatenate(&Dataset::range(0..k)),
        17 => data.unique(),
        18 => data.enumerate(k).map(|(i, x)| Ok(&i + &x)),
        _ => match threads > 1 {
            true => data.map_parallel(threads, failing(k)),
            false => data.map(failing(k)),
        },
    }
}
