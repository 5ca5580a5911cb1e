//! The statistics of the quickstart against plain loops over the file.

use std::path::{Path, PathBuf};

use extype_examples::penguins::{MEASUREMENTS, Penguins, default_path};
use extype_examples::stats::{Summary, summarize, summarize_traced};

/// The rows of the file, read without the library: species and measurements.
fn rows() -> Vec<(String, [Option<f64>; 4])> {
    let text = std::fs::read_to_string(default_path()).unwrap();
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let columns = MEASUREMENTS.map(|m| header.iter().position(|h| *h == m).unwrap());
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            (fields[0].to_owned(), columns.map(|c| fields[c].parse().ok()))
        })
        .collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let (xs, ys): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (mx, my) = (mean(&xs), mean(&ys));
    let sum =
        |f: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|(x, y)| f(x - mx, y - my)).sum::<f64>();
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

#[track_caller]
fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{a} and {b} differ");
}

fn check(summary: &Summary, rows: &[[Option<f64>; 4]]) {
    let means = summary.means.values.as_slice::<f64>().unwrap();
    let deviations = summary.deviations.values.as_slice::<f64>().unwrap();
    let missing = summary.missing.as_slice::<i64>().unwrap();
    let correlations = summary.correlation.values.as_slice::<f64>().unwrap();
    for m in [&summary.means, &summary.deviations] {
        assert!(!m.is_masked().unwrap().item::<bool>().unwrap());
    }
    for i in 0..4 {
        let column: Vec<f64> = rows.iter().filter_map(|r| r[i]).collect();
        close(means[i], mean(&column));
        close(deviations[i], deviation(&column));
        assert_eq!(missing[i] as usize, rows.len() - column.len());
        for j in 0..4 {
            let pairs: Vec<(f64, f64)> = rows.iter().filter_map(|r| r[i].zip(r[j])).collect();
            close(correlations[4 * i + j], correlation(&pairs));
        }
    }
}

#[test]
fn summaries_agree_with_loops_and_one_trace_serves_all() {
    let penguins = Penguins::read(default_path()).unwrap();
    let rows = rows();
    assert_eq!(rows.len(), 344);
    let names = penguins.species_names();
    for group in names.into_iter().map(Some).chain([None]) {
        let chosen = penguins.chosen(group);
        let of_group: Vec<[Option<f64>; 4]> = rows
            .iter()
            .filter(|(species, _)| group.is_none_or(|g| g == species))
            .map(|(_, row)| *row)
            .collect();
        check(&summarize(&penguins.measurements, &chosen).unwrap(), &of_group);
        check(&summarize_traced(&penguins.measurements, &chosen).unwrap(), &of_group);
    }
    assert_eq!(summarize_traced::trace_count(), 1);
    assert!(summarize_traced::captures().is_empty());
}

/// A file of the test's own.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn refused(path: &Path) -> String {
    format!("{:#}", Penguins::read(path).unwrap_err())
}

#[test]
fn a_missing_file_is_named() {
    let text = refused(Path::new("no/such/file.csv"));
    assert!(text.starts_with("no/such/file.csv: can't be opened"), "{text}");
}

#[test]
fn broken_files_are_named_with_the_line() {
    const HEADER: &str = "species,bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g\n";
    let text = refused(&file("word.csv", &format!("{HEADER}A,1,2,3,4\nB,1,NA,many,4\n")));
    assert!(
        text.ends_with("word.csv, line 3, column `flipper_length_mm`: `many` is no number"),
        "{text}"
    );
    let text = refused(&file("short.csv", &format!("{HEADER}A,1,2\n")));
    assert!(text.contains("short.csv, line 2"), "{text}");
    let text = refused(&file("column.csv", "species,bill_length_mm\nA,1\n"));
    assert!(text.ends_with("column.csv, line 1: there is no column `bill_depth_mm`"), "{text}");
    let text = refused(&file("empty.csv", HEADER));
    assert!(text.ends_with("empty.csv: there are no rows after the header"), "{text}");
}
