//! JPEG files: the pixels are those of TensorFlow.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use extype::array::Array;
use extype::prelude::*;

/// Colours of half the rows and columns.
const BASELINE: &str = "\
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYV\
    pQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAV\
    ABsDASIAAhEBAxEB/8QAGAAAAwEBAAAAAAAAAAAAAAAAAAUGAQP/xAAlEAACAQMDBAIDAAAAAAAAAAABAgMABBESIWEFFDFBMlET0fD/xAAWAQ\
    EBAQAAAAAAAAAAAAAAAAAFBAb/xAAmEQACAQMBBwUAAAAAAAAAAAABAhEAAwRRBRIUITFh0SIkQYHB/9oADAMBAAIRAxEAPwDr2vFHZ8VPdB69\
    LYolteIZrZQQpHzX6G5wR++MVeWscV1Ak9uwkicZVh7oZcN1Pq6a0bZsXMVgG6a0l7Lit7HinzwLGcact9VJXokuLyWVcaWO2F9DYeast2ceSp\
    5kaCfFOPtThLQaJnvHmkUcK0xsb+56Sxls5NJcgMpGVYedx/HeiilsY+1Y9qpwlDwrCQavvyLJ0VbtVKmWJWAB+OoD3xmp5wiOV0ZxzRRQaOcb\
    E3rXI70fUHWsntYniQnwB+mv/9k=";

/// Several scans; colours of half the columns.
const PROGRESSIVE: &str = "\
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeX\
    BkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wgARCAAV\
    ABsDASEAAhEBAxEB/8QAGAAAAwEBAAAAAAAAAAAAAAAAAAQFAgP/xAAYAQADAQEAAAAAAAAAAAAAAAACBAUDAf/aAAwDAQACEAMQAAAB0IKhvW\
    RslO1NPqfbdu0kpO//xAAbEAACAwEBAQAAAAAAAAAAAAAAAgEDEhEhQ//aAAgBAQABBQLJkyYKbpQXjRwb1uCPNZ8j/8QAHREAAgICAwEAAAAA\
    AAAAAAAAAAECAxIhBBEiMv/aAAgBAwEBPwGllb0Shi+0XvwkVpS0zkfWJ//EABsRAAIDAAMAAAAAAAAAAAAAAAABAgMREyEy/9oACAECAQE/AY\
    9irOPHorHuQIeGVtVQ0//EAB0QAAEEAgMAAAAAAAAAAAAAAAEAAhAREiAhMVH/2gAIAQEABj8C0p3IVjqCYtqy9Ef/xAAcEAEBAQABBQAAAAAA\
    AAAAAAABEQAgMUFRcZH/2gAIAQEAAT8h4MAFH6YBervkmvQDJ0l6nnWiJB9XMGTf/9oADAMBAAIAAwAAABAtgkL/xAAeEQACAQMFAAAAAAAAAA\
    AAAAAAARExQbEQUcHh8f/aAAgBAwEBPxClpoak8iZF3j0S2mO47Fz0f//EABoRAAMAAwEAAAAAAAAAAAAAAAABESExUcH/2gAIAQIBAT8QQXRg\
    Lpir4pt+Dqz4PM3M4f/EAB8QAQACAgICAwAAAAAAAAAAAAEAEUFxIWEQMVGB8P/aAAgBAQABPxDSaTWaRQxqE+o7P2KgqC2CcDVvxCcql4ox6P\
    GTW1BCzYlTUgAcBnq4Xcldz//Z";

fn bytes(file: &str) -> Vec<u8> {
    STANDARD.decode(file).expect("base64")
}

fn text(bytes: &[u8]) -> Tensor {
    Array::from_strings([0usize; 0], vec![bytes.to_vec()]).expect("one text").into()
}

fn plain() -> ops::DecodeJpeg {
    ops::DecodeJpeg {
        channels: 0,
        ratio: 1,
        fancy_upscaling: true,
        try_recover_truncated: false,
        acceptable_fraction: 1.0,
        dct_method: String::new(),
    }
}

/// A number that all pixels determine.
fn hash(x: &Tensor) -> Result<u32> {
    let add = |sum: u32, x: &u8| sum.wrapping_mul(31).wrapping_add(u32::from(*x));
    Ok(x.as_slice::<u8>()?.iter().fold(0, add))
}

#[test]
fn the_pixels_are_those_of_tensorflow() -> Result<()> {
    // By file, blending and method: those of the ratios 1, 2, 4 and 8.
    let known = [
        (BASELINE, true, "INTEGER_FAST", [1149127917, 2274754140, 3157725371, 2982346458]),
        (BASELINE, true, "INTEGER_ACCURATE", [3795505770, 303489930, 3157725371, 2982346458]),
        (BASELINE, false, "INTEGER_FAST", [3827224375, 2274754140, 3157725371, 2982346458]),
        (BASELINE, false, "INTEGER_ACCURATE", [2414215297, 303489930, 3157725371, 2982346458]),
        (PROGRESSIVE, true, "INTEGER_FAST", [2522871151, 3589503961, 4090987000, 3879035456]),
        (PROGRESSIVE, true, "INTEGER_ACCURATE", [1309605497, 3589503961, 4090987000, 3879035456]),
        (PROGRESSIVE, false, "INTEGER_FAST", [3233179099, 3900030336, 243153269, 3879035456]),
        (PROGRESSIVE, false, "INTEGER_ACCURATE", [4279079065, 3900030336, 243153269, 3879035456]),
    ];
    for (file, fancy_upscaling, method, hashes) in known {
        for (ratio, expected) in [1, 2, 4, 8].into_iter().zip(hashes) {
            let op = ops::DecodeJpeg {
                ratio,
                fancy_upscaling,
                dct_method: method.to_owned(),
                ..plain()
            };
            let x = ops::Op::run(&op, &[&text(&bytes(file))])?;
            assert_eq!(hash(&x)?, expected, "{fancy_upscaling} {method} {ratio}");
        }
    }
    Ok(())
}

#[test]
fn a_window_has_colours_of_its_own_edges() -> Result<()> {
    let op = ops::DecodeAndCropJpeg {
        channels: 0,
        ratio: 1,
        fancy_upscaling: true,
        try_recover_truncated: false,
        acceptable_fraction: 1.0,
        dct_method: String::new(),
    };
    for (file, expected) in [(BASELINE, 2802187007), (PROGRESSIVE, 1625313869)] {
        let x = ops::Op::run(&op, &[&text(&bytes(file)), &tensor![3i32, 5, 11, 13]])?;
        assert_eq!((x.shape(), hash(&x)?), (shape![11, 13, 3], expected));
    }
    Ok(())
}

#[test]
fn what_a_file_lacks_is_black_or_estimated() -> Result<()> {
    let cut = |file: &str, n: usize| text(&bytes(file)[..bytes(file).len() - n]);
    // 14 of 21 rows.
    let part = ops::DecodeJpeg { acceptable_fraction: 0.3, ..plain() };
    assert_eq!(hash(&ops::Op::run(&part, &[&cut(BASELINE, 25)])?)?, 586612137);
    let most = ops::DecodeJpeg { acceptable_fraction: 0.9, ..plain() };
    let e = ops::Op::run(&most, &[&cut(BASELINE, 25)]).expect_err("too few rows");
    assert!(e.message().contains("14 rows of 21"), "{e}");
    let recover = ops::DecodeJpeg { try_recover_truncated: true, ..plain() };
    for (n, expected) in [(10, 3345503428), (60, 2499021629), (100, 3576268455), (420, 1183559404)]
    {
        let x = ops::Op::run(&recover, &[&cut(PROGRESSIVE, n)])?;
        assert_eq!(hash(&x)?, expected, "{n}");
    }
    Ok(())
}

#[test]
fn damaged_files_are_errors_or_images() {
    for file in [bytes(BASELINE), bytes(PROGRESSIVE)] {
        let mut state = 1u64;
        for _ in 0..2000 {
            let mut damaged = file.clone();
            for _ in 0..3 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let at = (state >> 33) as usize % damaged.len();
                // Sizes of more than a byte would be large images.
                if damaged[at.saturating_sub(9)..at].iter().all(|x| ![0xc0, 0xc2].contains(x)) {
                    damaged[at] = (state >> 20) as u8;
                }
            }
            for try_recover_truncated in [false, true] {
                let op = ops::DecodeJpeg { try_recover_truncated, ..plain() };
                if let Ok(x) = ops::Op::run(&op, &[&text(&damaged)]) {
                    assert_eq!(x.rank(), Some(3));
                }
            }
        }
    }
}
