//! The program in parts: its data, what it draws, and a short training.

use std::io::Write;
use std::path::PathBuf;

use extype::prelude::*;
use flate2::{Compression, write::GzEncoder};

use crate::curve;
use crate::data::{Digits, PIXELS};
use crate::model::{Mlp, Scores};
use crate::options::Options;
use crate::report;
use crate::training::{Epoch, train};

fn digits() -> Digits {
    Digits::read(Digits::default_path()).unwrap()
}

/// A gzipped file of the test's own.
fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("extype-{}-{name}", std::process::id()));
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    std::fs::write(&path, gzip.finish().unwrap()).unwrap();
    path
}

/// What is said of a file with this text.
fn refused(name: &str, text: &str) -> String {
    let path = file(name, text);
    let error = Digits::read(&path).unwrap_err();
    std::fs::remove_file(path).unwrap();
    format!("{error:#}")
}

#[test]
fn the_file_holds_images_and_labels() {
    let digits = digits();
    assert_eq!((digits.len(), digits.images.shape()), (1797, shape![1797, 64]));
    let ink = digits.images.as_slice::<f32>().unwrap();
    assert!(ink.iter().all(|x| (0.0..=1.0).contains(x)) && ink.contains(&1.0));
    assert_eq!(digits.labels.as_slice::<i64>().unwrap()[..4], [0, 1, 2, 3]);
}

#[test]
fn a_fifth_is_held_out_and_nothing_is_in_both_parts() {
    let rows = Tensor::from_vec((0..1797i64).collect());
    let numbered = Digits { labels: rows, ..digits() };
    let (training, held_out) = numbered.split().unwrap();
    assert_eq!((training.len(), held_out.len()), (1438, 359));
    let mut all = held_out.labels.to_vec::<i64>().unwrap();
    all.extend(training.labels.as_slice::<i64>().unwrap());
    all.sort_unstable();
    assert!(all.into_iter().eq(0..1797));
}

#[test]
fn batches_hold_each_row_once_in_an_order_of_the_seed() {
    let few = digits().rows(&tensor![0i64, 1, 2, 3, 4, 5, 6, 7, 8, 9]).unwrap();
    let labels = |seed| -> Vec<Vec<i64>> {
        let batches = few.batches(4, seed).unwrap();
        batches.map(|batch| batch.unwrap().labels.to_vec().unwrap()).collect()
    };
    let first = labels([1, 0]);
    assert_eq!(first.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4, 2]);
    let mut all = first.concat();
    all.sort_unstable();
    assert!(all.into_iter().eq(0..10));
    assert_eq!(first, labels([1, 0]));
    assert_ne!(first, labels([1, 1]));
}

#[test]
fn broken_files_are_named_with_the_line() {
    let good = format!("{}7\n", "16,".repeat(PIXELS));
    let text = refused("many.csv.gz", &format!("{good}{}7\n", "17,".repeat(PIXELS)));
    assert!(text.ends_with("many.csv.gz, line 2: `17` is no number from 0 to 16"), "{text}");
    let text = refused("digit.csv.gz", &format!("{}10\n", "0,".repeat(PIXELS)));
    assert!(text.ends_with("digit.csv.gz, line 1: `10` is no number from 0 to 9"), "{text}");
    let text = refused("short.csv.gz", "1,2,3\n");
    assert!(text.ends_with("short.csv.gz, line 1: 3 numbers, not 64 and a digit"), "{text}");
    let text = refused("few.csv.gz", &good);
    assert!(text.ends_with("few.csv.gz: of 1 rows no fifth can be held out"), "{text}");
    let plain = concat!(env!("CARGO_MANIFEST_DIR"), "/data/penguins.csv");
    let text = format!("{:#}", Digits::read(plain.as_ref()).unwrap_err());
    assert!(text.contains("penguins.csv") && text.contains("gzip"), "{text}");
    let text = format!("{:#}", Digits::read("no/such.gz".as_ref()).unwrap_err());
    assert!(text.starts_with("no/such.gz: can't be opened"), "{text}");
}

fn options(line: &str) -> anyhow::Result<Option<Options>> {
    Options::read(line.split_whitespace().map(Into::into))
}

#[test]
fn options_are_read_and_checked() {
    let read = options("--epochs 3 --hidden 16 --rate 0.01 --seed -1 --curve a.svg").unwrap();
    let read = read.unwrap();
    assert_eq!((read.epochs, read.hidden, read.seed, read.batch), (3, 16, -1, 32));
    assert_eq!(read.curve, Some(PathBuf::from("a.svg")));
    assert!(options("--help").unwrap().is_none());
    for (line, says) in [
        ("--epoch 3", "there is no option `--epoch`"),
        ("--epochs", "--epochs wants a value"),
        ("--epochs many", "--epochs: `many` is not a whole number"),
        ("--batch 0", "--batch: 0 is too few"),
        ("--rate -1", "--rate: -1 is not above zero"),
        ("--rate inf", "--rate: inf is not above zero and finite"),
    ] {
        let text = options(line).unwrap_err().to_string();
        assert!(text.starts_with(says), "{line}: {text}");
    }
}

#[test]
fn mistakes_are_counted_and_drawn() -> Result<()> {
    let right = tensor![3i64, 4];
    let table = report::confusion(&right, &tensor![3i64, 5])?.to_string();
    let row = |digit: usize| table.lines().nth(digit + 2).unwrap().replace(' ', "");
    assert_eq!(row(3), "|3|·|·|·|1|·|·|·|·|·|·|");
    assert_eq!(row(4), "|4|·|·|·|·|·|1|·|·|·|·|");

    let images = Tensor::from_vec((0..128).map(|i| (i % 8) as f32 / 7.0).collect());
    let digits = Digits::new(images.reshape([2, 64])?, right)?;
    let share = |sure: &Tensor| sure.one_hot(10, ops::OnValue(0.75f32));
    let drawn = report::mistakes(&digits, &share(&tensor![3i64, 5])?)?;
    let line = "  ░░░░▒▒▒▒▓▓▓▓██\n";
    assert_eq!(drawn, format!("4 read as 5, 75%\n{}", line.repeat(8)));
    assert_eq!(report::mistakes(&digits, &share(&digits.labels)?)?, "");
    Ok(())
}

#[test]
fn the_curve_has_lines_and_labels() {
    let scores = |loss, accuracy| Scores { loss, accuracy };
    let epoch = |loss: f64| Epoch {
        training: scores(loss, 1.0 - loss),
        held_out: scores(2.0 * loss, 1.0 - 2.0 * loss),
    };
    let svg = curve::draw(&[epoch(0.3), epoch(0.1), epoch(0.04)]);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<path class=\"line ").count(), 4);
    for part in [">Loss<", ">Accuracy, %<", ">epoch<", ">held out<", ">0.0400<", ">96.0<", ">0.02<"]
    {
        assert!(svg.contains(part), "{part}: {svg}");
    }
    // Also of one epoch, of scores that do not change, and of perfect ones.
    for epochs in [vec![epoch(0.1)], vec![epoch(0.1); 3], vec![epoch(0.0); 2]] {
        let svg = curve::draw(&epochs);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert_eq!(svg.contains("≤ 0.0001"), epochs[0].training.loss == 0.0);
    }
}

#[test]
fn a_short_training_learns_and_repeats() -> anyhow::Result<()> {
    let some = digits().rows(&ops::range(0i64, 500, 1)?)?;
    let (training, held_out) = some.split()?;
    let options = Options { epochs: 6, hidden: 32, rate: 0.01, ..Options::default() };
    let run = || {
        let model = Mlp::new(options.hidden, options.seed)?;
        let epochs = train(&model, &training, &held_out, &options, |_| ())?;
        // Whole batches, and the smaller one at the end.
        assert_eq!(model.train_step_function().trace_count(), 2);
        anyhow::Ok(epochs)
    };
    let epochs = run()?;
    let (first, last) = (&epochs[0], &epochs[5]);
    assert!(last.training.loss < first.training.loss, "{epochs:?}");
    assert!(last.held_out.accuracy > 0.8, "{epochs:?}");
    assert_eq!(epochs, run()?);
    Ok(())
}
