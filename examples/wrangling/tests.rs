//! Groups of a small table, and files that are wrong.

use std::path::{Path, PathBuf};

use anyhow::Result;
use extype_examples::penguins::default_path;

use crate::frame::{Frame, by_group};
use crate::summary;

/// A file of the test's own.
fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("extype-{}-{name}", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn groups_have_counts_means_and_deviations() -> Result<()> {
    let path = file("small.csv", "kind,x\nb,1\na,5\nb,3\nNA,7\nb,NA\nc,NA\n");
    let frame = Frame::read(&path)?;
    std::fs::remove_file(path)?;
    let (kind, x) = (frame.groups("kind")?, frame.numbers("x")?);
    assert_eq!(kind.names, ["a", "b", "c"]);
    let found = by_group(&x, &kind.of_row, 3)?;
    assert_eq!(found.count.as_slice::<i64>()?, &[1, 2, 0]);
    assert_eq!(found.mean.to_options::<f64>()?, [Some(5.0), Some(2.0), None]);
    assert_eq!(found.deviation.to_options::<f64>()?, [None, Some(2f64.sqrt()), None]);
    let table = summary("kind", &kind, &x)?.to_string();
    let rows: Vec<&str> = table.lines().skip(2).collect();
    assert!(rows[0].starts_with("| a") && rows[2].contains("--"), "{table}");
    Ok(())
}

#[test]
fn the_penguins_are_as_published() -> Result<()> {
    let frame = Frame::read(default_path())?;
    let (species, mass) = (frame.groups("species")?, frame.numbers("body_mass_g")?);
    let found = by_group(&mass, &species.of_row, 3)?;
    assert_eq!(found.count.as_slice::<i64>()?, &[151, 68, 123]);
    let means = found.mean.values.to_vec::<f64>()?;
    let published = [3700.662, 3733.088, 5076.016];
    assert!(means.iter().zip(published).all(|(a, b)| (a - b).abs() < 1e-3), "{means:?}");
    Ok(())
}

#[test]
fn what_is_wrong_is_named() {
    let told = |e: anyhow::Error| format!("{e:#}");
    let path = file("wrong.csv", "x\n1\nmany\n");
    let frame = Frame::read(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    let text = told(frame.numbers("x").unwrap_err());
    assert!(text.contains("wrong.csv, line 3, column `x`"), "{text}");
    assert!(told(frame.numbers("y").unwrap_err()).contains("there is no column `y`"));
    let text = told(Frame::read(Path::new("no/such.csv")).unwrap_err());
    assert!(text.starts_with("no/such.csv: can't be read"), "{text}");
}
