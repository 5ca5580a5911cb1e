//! Blocks of progressive files whose numbers are not all known: estimates from the first numbers of the blocks around,
//! as in libjpeg-turbo.

use super::marker::{Header, ORDER};

/// Weights of 5 rows and columns of blocks.
type Weights = [[i64; 5]; 5];

const DC: Weights = [
    [-2, -6, -8, -6, -2],
    [-6, 6, 42, 6, -6],
    [-8, 42, 152, 42, -8],
    [-6, 6, 42, 6, -6],
    [-2, -6, -8, -6, -2],
];

/// Weights of the numbers 1 to 9 of a block of which only the first number is known: of rows, and whether of columns.
const ALONE: [(Weights, bool); 9] = {
    const ZERO: [i64; 5] = [0; 5];
    let a = [
        [-1, -1, 0, 1, 1],
        [-3, 13, 0, -13, 3],
        [-3, 38, 0, -38, 3],
        [-3, 13, 0, -13, 3],
        [-1, -1, 0, 1, 1],
    ];
    let b = [ZERO, [0, 2, -5, 2, 0], [1, 7, -14, 7, 1], [0, 2, -5, 2, 0], ZERO];
    let c = [[-1, 0, 0, 0, 1], [0, 9, 0, -9, 0], ZERO, [0, -9, 0, 9, 0], [1, 0, 0, 0, -1]];
    let d = [ZERO, [0, 1, 0, -1, 0], [0, 2, 0, -2, 0], [0, 1, 0, -1, 0], ZERO];
    let e = [ZERO, [0, 1, -3, 1, 0], ZERO, [0, -1, 3, -1, 0], ZERO];
    [
        (a, false),
        (a, true),
        (b, true),
        (c, false),
        (b, false),
        (d, false),
        (e, false),
        (e, true),
        (d, true),
    ]
};

/// Weights of the numbers 1 to 5 of other blocks.
const OTHERS: [(Weights, bool); 5] = {
    const ZERO: [i64; 5] = [0; 5];
    let a = [ZERO, ZERO, [-7, 50, 0, -50, 7], ZERO, ZERO];
    let b = [ZERO, ZERO, [-1, 13, -24, 13, -1], ZERO, ZERO];
    let c = [[0, -1, 0, 1, 0], [-1, 10, 0, -10, 1], ZERO, [1, -10, 0, 10, -1], [0, 1, 0, -1, 0]];
    [(a, false), (a, true), (b, true), (c, false), (b, false)]
};

/// How many low bits of the first ten numbers of a block are unknown, or -1 if nothing is known.
pub(super) type Unknown = [i32; 10];

/// What is known of the numbers of a component: after the last scan, and before it.
#[derive(Clone, Copy)]
pub(super) struct Known(pub(super) [Unknown; 2]);

/// Whether estimates help, and can be made.
pub(super) fn helps(header: &Header, known: &[Known]) -> bool {
    let all = header.components.iter().zip(known).all(|(c, known)| {
        known.0[0][0] >= 0
            && c.quant.is_some_and(|q| ORDER[..10].iter().all(|p| q[usize::from(*p)] != 0))
    });
    all && header.progressive && known.iter().any(|k| k.0[0][1..].iter().any(|bits| *bits != 0))
}

/// Estimates what is unknown of a block from the first numbers around.
pub(super) fn estimate(
    block: &mut [i16; 64],
    around: &Weights,
    unknown: &Unknown,
    quant: &[u16; 64],
) {
    let alone = unknown[1..].iter().all(|bits| *bits == -1);
    let weights = if alone { &ALONE[..] } else { &OTHERS[..] };
    let sum = |weights: &Weights, columns: bool| -> i64 {
        let at = |i: usize, j: usize| if columns { weights[j][i] } else { weights[i][j] };
        (0..25).map(|i| at(i / 5, i % 5) * around[i / 5][i % 5]).sum()
    };
    let rounded = |place: usize, sum: i64| -> (i64, i64) {
        let (of, own) = (i64::from(quant[0]) * sum, i64::from(quant[place]));
        (((own << 7) + of.abs()) / (own << 8), of.signum())
    };
    for (i, (weights, columns)) in (1..).zip(weights) {
        let (place, bits) = (usize::from(ORDER[i]), unknown[i]);
        if bits != 0 && block[place] == 0 {
            let (mut x, sign) = rounded(place, sum(weights, *columns));
            if bits > 0 {
                x = x.min((1 << bits) - 1);
            }
            block[place] = (x * sign) as i16;
        }
    }
    if alone {
        let (x, sign) = rounded(0, sum(&DC, false));
        block[0] = (x * sign) as i16;
    }
}

/// The first numbers around the blocks of a row, from a column on: each block with those.
pub(super) fn around(rows: [&[[i16; 64]]; 5], from: usize) -> impl Iterator<Item = Weights> + '_ {
    let n = rows[0].len();
    let first = move |row: usize, column: usize| i64::from(rows[row][column][0]);
    let mut window: Weights = std::array::from_fn(|row| [first(row, from); 5]);
    (from..n).map(move |column| {
        for (row, window) in window.iter_mut().enumerate() {
            if column > from {
                window.copy_within(1.., 0);
            } else if column + 1 < n {
                window[3] = first(row, column + 1);
            }
            if column + 2 < n {
                window[4] = first(row, column + 2);
            }
        }
        window
    })
}
