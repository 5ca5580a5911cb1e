//! The table, and a regression that is known.

use extype::prelude::*;
use extype_examples::penguins::{Penguins, default_path};

use crate::regression::{LinearRegression, Table};

#[test]
fn features_are_scaled_and_rows_are_complete() -> anyhow::Result<()> {
    let table = Table::of(&Penguins::read(default_path())?)?;
    assert_eq!(table.features.shape(), shape![342, 5]);
    assert_eq!(table.names[3..], ["Chinstrap", "Gentoo"]);
    let mean = table.features.reduce_mean(0, false)?.to_vec::<f64>()?;
    assert!(mean.iter().all(|m| m.abs() < 1e-12), "{mean:?}");
    let mass = table.mass.reduce_mean(.., false)?.item::<f64>()?;
    assert!((mass - 4201.75).abs() < 0.01, "{mass}");
    let (a, b) = table.split([1, 7])?;
    assert_eq!((a.len()?, b.len()?), (273, 69));
    let sums = [&a, &b].map(|t| t.mass.reduce_sum(.., false).and_then(|s| s.item::<f64>()));
    let all = table.mass.reduce_sum(.., false)?.item::<f64>()?;
    assert_eq!(sums.into_iter().sum::<Result<f64>>()?, all);
    Ok(())
}

#[test]
fn a_line_that_is_there_is_found() -> Result<()> {
    let features = tensor![[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [1.0, 1.0]];
    let mass = ops::add(ops::matvec(&features, tensor![300.0, -200.0])?, 4100.0)?;
    let names = vec!["a".to_owned(), "b".to_owned()];
    let table = Table { features, mass, names };
    let regression = LinearRegression::new(2)?;
    let first = regression.step(&table)?.item::<f64>()?;
    for _ in 0..400 {
        let _ = regression.step(&table)?;
    }
    assert!(regression.step(&table)?.item::<f64>()? < 1e-3 * first);
    let weights = regression.weights.read()?.to_vec::<f64>()?;
    assert!((weights[0] - 300.0).abs() < 5.0 && (weights[1] + 200.0).abs() < 5.0, "{weights:?}");
    assert!(regression.explained(&table)? > 0.99);
    assert_eq!(regression.step_function().trace_count(), 1);
    Ok(())
}
