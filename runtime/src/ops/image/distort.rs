//! The kernel that samples boxes.

use extype_kernels::random::Philox;

use crate::array::Array;
use crate::ir::{KernelContext, Outputs};
use crate::ops::StatelessSampleDistortedBoundingBox as Sampling;
use crate::ops::ordering::kernel::cast;
use crate::ops::random::kernel::from_seed;
use crate::types::{DType, Result, bail};

/// Numbers of a generator, one after the other.
struct Draws {
    generator: Philox,
    next: u64,
}

impl Draws {
    fn word(&mut self) -> u32 {
        let word = self.generator.block(self.next / 4)[(self.next % 4) as usize];
        self.next += 1;
        word
    }

    /// A float in `[0, 1)`.
    fn float(&mut self) -> f32 {
        // 23 random bits behind the point of a number in [1, 2).
        f32::from_bits(127 << 23 | self.word() & 0x7f_ffff) - 1.0
    }

    /// An integer below `n`.
    fn below(&mut self, n: u32) -> u32 {
        if n & n.wrapping_sub(1) == 0 {
            return self.word() & n.wrapping_sub(1);
        }
        // Smaller words would favour small results.
        let least = u32::MAX % n + 1;
        loop {
            let word = self.word();
            if word >= least {
                return word % n;
            }
        }
    }
}

/// A box in pixels: the first row and column, and those behind the last.
#[derive(Clone, Copy)]
struct Pixels {
    from: [i32; 2],
    to: [i32; 2],
}

impl Pixels {
    fn area(self) -> f32 {
        (self.to[1] - self.from[1]).wrapping_mul(self.to[0] - self.from[0]) as f32
    }

    fn shared(self, other: Pixels) -> f32 {
        let axis = |i: usize| (self.from[i].max(other.from[i]), self.to[i].min(other.to[i]));
        let ((top, bottom), (left, right)) = (axis(0), axis(1));
        if top > bottom || left > right {
            return 0.0;
        }
        Pixels { from: [top, left], to: [bottom, right] }.area()
    }
}

/// A random box of an image: of a part of its area, with this ratio of width to height. None if there is none.
fn random_box(
    [height, width]: [i32; 2],
    [least, most]: [f32; 2],
    ratio: f32,
    draws: &mut Draws,
) -> Option<Pixels> {
    if most <= 0.0 || ratio <= 0.0 || width <= 0 || height <= 0 || least > most {
        return None;
    }
    let [least, most] = [least, most].map(|part| part * width as f32 * height as f32);
    let round = |x: f32| x.round_ties_even() as i32;
    let mut rows = round((least / ratio).sqrt());
    let mut most_rows = round((most / ratio).sqrt());
    if round(most_rows as f32 * ratio) > width {
        most_rows = ((f64::from(width) + 0.5 - f64::from(1e-7f32)) / f64::from(ratio)) as i32;
        if round(most_rows as f32 * ratio) > width {
            most_rows -= 1;
        }
    }
    most_rows = most_rows.min(height);
    rows = rows.min(most_rows);
    if rows < most_rows {
        rows += draws.below((most_rows - rows) as u32 + 1) as i32;
    }
    let columns_of = |rows: i32| round(rows as f32 * ratio);
    let area = |rows: i32| columns_of(rows).saturating_mul(rows) as f32;
    // Rounding may have made the box a little too small or too large.
    if area(rows) < least {
        rows = rows.saturating_add(1);
    }
    if area(rows) > most {
        rows -= 1;
    }
    let (columns, area) = (columns_of(rows), area(rows));
    if area < least || area > most || columns > width || rows > height || columns <= 0 || rows <= 0
    {
        return None;
    }
    let mut start = |size: i32, n: i32| match size < n {
        true => draws.below((n - size) as u32) as i32,
        false => 0,
    };
    let (top, left) = (start(rows, height), start(columns, width));
    Some(Pixels { from: [top, left], to: [top + rows, left + columns] })
}

/// A sample takes at most as many attempts, which is less than a second.
const MOST_ATTEMPTS: i64 = 1_000_000;

/// Two ascending positive numbers.
fn range(range: Vec<f32>, what: &str) -> Result<[f32; 2]> {
    match range[..] {
        [low, high] if low > 0.0 && high > 0.0 => Ok([low, high]),
        _ => bail!("`{what}` is two positive numbers, not {range:?}"),
    }
}

pub(super) fn sampled(c: &KernelContext<'_>) -> Result<Outputs> {
    let ratios = range(c.get(Sampling::ASPECT_RATIO_RANGE)?, "aspect_ratio_range")?;
    let areas = range(c.get(Sampling::AREA_RANGE)?, "area_range")?;
    if areas.iter().any(|part| *part > 1.0) {
        bail!("`area_range` {areas:?} is of parts of the image, at most 1");
    }
    let attempts: i64 = c.get(Sampling::MAX_ATTEMPTS)?;
    if !(1..=MOST_ATTEMPTS).contains(&attempts) {
        bail!("`max_attempts` is {attempts}; it must be in [1, {MOST_ATTEMPTS}]");
    }
    let sizes = cast(c.input(0), DType::I64)?.to_i64s()?;
    let size = |n: i64| i32::try_from(n).ok().filter(|n| *n > 0);
    let (Some(height), Some(width)) = (size(sizes[0]), size(sizes[1])) else {
        bail!("an image of size {sizes:?}: height and width are positive int32 numbers");
    };
    let covered = match (c.input(2).rank(), c.input(2).as_slice::<f32>()?) {
        (0, [x]) if (0.0..=1.0).contains(x) => *x,
        _ => bail!("`min_object_covered` is a number in [0, 1], not {}", c.input(2)),
    };
    let given = c.input(1).as_slice::<f32>()?;
    if let Some(x) = given.iter().find(|x| !(0.0..=1.0).contains(*x)) {
        bail!("a box has the number {x}; boxes are parts of the image, in [0, 1]");
    }
    let whole = Pixels { from: [0, 0], to: [height, width] };
    let mut objects: Vec<Pixels> = Vec::new();
    for [y1, x1, y2, x2] in given.as_chunks::<4>().0 {
        let at = |y: f32, x: f32| [(y * height as f32) as i32, (x * width as f32) as i32];
        objects.push(Pixels { from: at(*y1, *x1), to: at(*y2, *x2) });
    }
    if objects.is_empty() {
        if !c.get(Sampling::USE_IMAGE_IF_NO_BOUNDING_BOXES)? {
            bail!("no boxes are given; allow that with `use_image_if_no_bounding_boxes`");
        }
        objects.push(whole);
    }
    let mut draws = Draws { generator: from_seed(c, 3)?, next: 0 };
    let mut found = whole;
    for _ in 0..attempts {
        let ratio = draws.float() * (ratios[1] - ratios[0]) + ratios[0];
        let Some(pixels) = random_box([height, width], areas, ratio, &mut draws) else { continue };
        let covers = |object: &Pixels| {
            object.area() >= 1.0 && pixels.shared(*object) / object.area() >= covered
        };
        if pixels.area() >= 1.0 && objects.iter().any(covers) {
            found = pixels;
            break;
        }
    }
    let ([top, left], [bottom, right]) = (found.from, found.to);
    let vector = |x: [i32; 3]| cast(&Array::from_slice([3], &x)?, c.input(0).dtype());
    let part = |at: i32, n: i32| at as f32 / n as f32;
    let bounds = [part(top, height), part(left, width), part(bottom, height), part(right, width)];
    let bounds = Array::from_slice([1, 1, 4], &bounds)?;
    let (begin, size) = (vector([top, left, 0])?, vector([bottom - top, right - left, -1])?);
    Ok([begin, size, bounds].into_iter().collect())
}
