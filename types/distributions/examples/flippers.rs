//! How many kinds of penguins the lengths of their flippers tell, without their species: mixtures of normal
//! distributions, fitted by expectation maximization.
//!
//! `flippers [FILE.csv]`: without a file the penguins of `examples/data`.

use std::path::PathBuf;
use std::{env, fs};

use extype::prelude::*;
use extype_distributions::{Distribution, Mixture};

const PENGUINS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/penguins.csv");

/// A better mixture for these numbers: each counts for a component as much as it probably is of it.
#[tf_function]
fn improved(m: &Mixture, x: &Tensor) -> Result<Mixture> {
    let of = m.responsibilities(x)?;
    let counts = of.reduce_sum(0, false)?;
    let x = x.expand_dims(1)?;
    let mean = ops::div(&ops::mul(&of, &x)?.reduce_sum(0, false)?, &counts)?;
    let apart = ops::sub(&x, &mean)?.square()?;
    let variance = ops::div(&ops::mul(&of, &apart)?.reduce_sum(0, false)?, &counts)?;
    Mixture::new(counts.log()?, Distribution::normal(mean, ops::maximum(&variance, 1.0)?.sqrt()?)?)
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let path = env::args_os().nth(1).map_or_else(|| PathBuf::from(PENGUINS), PathBuf::from);
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let header: Vec<&str> = text.lines().next().unwrap_or_default().split(',').collect();
    let column = |name: &str| {
        header.iter().position(|h| *h == name).ok_or_else(|| format!("there is no column `{name}`"))
    };
    let (flipper, species) = (column("flipper_length_mm")?, column("species")?);
    let rows = text.lines().skip(1).filter_map(|line| {
        let row: Vec<&str> = line.split(',').collect();
        Some((row.get(flipper)?.parse::<f64>().ok()?, row.get(species)?.to_string()))
    });
    let (lengths, species): (Vec<f64>, Vec<String>) = rows.unzip();
    let n = lengths.len();
    let x = Tensor::from_vec(lengths);
    println!(
        "flippers of {n} penguins: mean {:.1} mm, deviation {:.1} mm\n",
        x.mean(..)?,
        x.std(..)?
    );

    println!("kinds   log likelihood      BIC   kinds as mean ± deviation (share)");
    let mut fitted = Vec::new();
    for kinds in 1..=4usize {
        // Means begin at quantiles.
        let at = ops::div(&ops::add(&ops::range(0.0, kinds as f64, 1.0)?, 0.5)?, kinds as f64)?;
        let means = x.quantile(&at, ..)?;
        let wide = ops::mul(&means.ones_like()?, x.std(..)?)?;
        let mut m = Mixture::new(means.zeros_like()?, Distribution::normal(means, wide)?)?;
        for _ in 0..300 {
            m = improved(&m, &x)?;
        }
        let likelihood = m.log_prob(&x)?.reduce_sum(.., false)?.item::<f64>()?;
        let bic = (3 * kinds - 1) as f64 * (n as f64).ln() - 2.0 * likelihood;
        let shares = m.logits.softmax()?.to_vec::<f64>()?;
        let (means, spread) = (
            m.components.mean()?.to_vec::<f64>()?,
            m.components.variance()?.sqrt()?.to_vec::<f64>()?,
        );
        let parts: Vec<String> = (0..kinds)
            .map(|i| format!("{:.0} ± {:.1} ({:.0} %)", means[i], spread[i], 100.0 * shares[i]))
            .collect();
        println!("{kinds:>5}   {likelihood:>14.1}   {bic:>6.1}   {}", parts.join(", "));
        fitted.push((bic, m));
    }
    let best = fitted.iter().min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, m)| m);
    let m = best.ok_or("no mixture")?;
    let kind = m.responsibilities(&x)?.argmax(1)?.to_vec::<i64>()?;
    println!("\nThe lowest BIC has {} kinds. Of these species they are:", m.logits.shape().dim(0)?);
    let mut names = species.clone();
    names.sort();
    names.dedup();
    for name in names {
        let mut counts = [0; 4];
        species
            .iter()
            .zip(&kind)
            .filter(|(s, _)| **s == name)
            .for_each(|(_, k)| counts[*k as usize] += 1);
        println!("{name:<10} {:?}", &counts[..m.logits.shape().dim(0)?.size().unwrap_or(0)]);
    }
    let all = Distribution::normal(x.mean(..)?, x.std(..)?)?;
    let apart = m.components.kl(&all)?.to_vec::<f64>()?;
    println!("divergence of each kind from all flippers, in nats: {apart:.2?}");
    Ok(())
}
