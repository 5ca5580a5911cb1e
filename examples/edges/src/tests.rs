//! Edges whose places are known, and the files of a run.

use std::env;
use std::fs;

use anyhow::Result;
use extype::image;
use extype::prelude::*;

use crate::detect::edges;
use crate::{STRENGTH, picture, run};

/// Where the edges of a picture of one channel are.
fn found(picture: &Tensor) -> Result<Tensor> {
    let [low, high] = STRENGTH.map(scalar);
    Ok(edges(&picture.expand_dims(-1)?, &low, &high)?.cast(i32)?)
}

#[test]
fn the_edge_of_a_step_is_one_line() -> Result<()> {
    // White from column 5 on.
    let step = ops::arange(10)?.greater_equal(5)?.cast(f32)?.broadcast_to([8, 10])?;
    let columns = found(&step)?.sum(0)?;
    assert_eq!(columns.sum(..)?.item::<i32>()?, 8, "{columns}");
    assert_eq!(columns.max(..)?.item::<i32>()?, 8, "{columns}");
    assert!(matches!(columns.argmax(0)?.item::<i64>()?, 4 | 5), "{columns}");
    // Turned, it is the same line.
    let turned = found(&step.transpose([1, 0])?)?;
    assert_eq!(turned.sum(1)?.as_slice::<i32>()?, columns.as_slice::<i32>()?);
    // What is all of one colour has no edge.
    assert_eq!(found(&ops::ones([8, 10], f32)?)?.sum(..)?.item::<i32>()?, 0);
    Ok(())
}

#[test]
fn weak_edges_count_where_they_go_on_from_strong_ones() -> Result<()> {
    // The step becomes lower from row to row; the other one is as low everywhere.
    let height = ops::linspace(1.0, 0.2, 24)?.cast(f32)?.expand_dims(1)?;
    let columns = ops::arange(40)?;
    let first = columns.greater_equal(10)?.cast(f32)? * &height;
    let second = columns.greater_equal(30)?.cast(f32)? * 0.2;
    let lines = found(&(first + second))?;
    let near = |from: i64, to: i64| -> Result<i32> {
        Ok(lines.index((.., from..to))?.sum(..)?.item::<i32>()?)
    };
    assert_eq!((near(8, 12)?, near(28, 32)?), (24, 0), "{lines}");
    Ok(())
}

#[test]
fn circles_are_closed_lines() -> Result<()> {
    let axis = ops::arange(64)?.cast(f32)? - 31.5;
    let distance = ops::hypot(&axis.expand_dims(0)?, &axis.expand_dims(1)?)?;
    let lines = found(&distance.less(20)?.cast(f32)?)?;
    let on = ops::boolean_mask(&distance, &lines.greater(0)?, 0)?;
    assert!(on.min(..)?.item::<f32>()? > 18.0 && on.max(..)?.item::<f32>()? < 22.0);
    // Once around: of the radius r a line has 4√2 r pixels if steps may be diagonal, and 8 r if not.
    let length = lines.sum(..)?.item::<i32>()?;
    assert!((113..=160).contains(&length), "{length}");
    Ok(())
}

#[test]
fn a_run_writes_its_pictures() -> Result<()> {
    let folder = env::temp_dir().join(format!("extype-edges-{}", std::process::id()));
    let page = picture::digits()?;
    assert_eq!(page.shape(), shape![128, 320, 1]);
    let lines = run(&page, &folder)?;
    let share = lines.mean(..)?.item::<f32>()?;
    assert!((0.03..0.2).contains(&share), "{share}");
    let read = |name: &str| picture::read(&folder.join(name));
    assert_eq!(read("edges.png")?.index((.., .., ..1))?.as_slice::<f32>()?, lines.as_slice()?);
    assert_eq!(read("small.png")?.shape(), shape![32, 80, 3]);
    // With care each pixel stands for all that it covers: nearer to the picture when it is large again.
    let error = |name: &str| -> Result<f32> {
        let small = read(name)?.index((.., .., ..1))?;
        let large = image::resize(&small, [128, 320], ..)?;
        Ok(ops::squared_difference(&large, &page)?.mean(..)?.item()?)
    };
    let (careful, careless) = (error("small.png")?, error("small-careless.png")?);
    assert!(careful * 1.2 < careless, "{careful} {careless}");
    fs::remove_dir_all(&folder)?;
    assert!(read("edges.png").unwrap_err().to_string().contains("edges.png can't be read"));
    Ok(())
}

#[test]
fn drawings_have_the_ratio_of_the_picture() -> Result<()> {
    let corner = ops::pad(ops::ones([4, 4, 1], f32)?, [[0i64, 4], [0, 4], [0, 0]])?;
    assert_eq!(picture::drawn(&corner, 4)?, "@@  \n    ");
    assert_eq!(picture::drawn(&ops::zeros([4, 4, 1], f32)?, 4)?, "    \n    ");
    Ok(())
}
