//! A table of features, and a linear regression trained on it.

use extype::prelude::*;
use extype::random;
use extype::train::{Adam, Loss, MeanSquaredError};
use extype_examples::penguins::{MEASUREMENTS, Penguins};

/// Features of rows, each scaled to mean 0 and deviation 1, and the target to predict from them.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "examples.Table")]
pub(crate) struct Table {
    /// `[n, features]`.
    pub(crate) features: Tensor,
    /// The mass in grams: `[n]`.
    pub(crate) mass: Tensor,
    /// The names of the features.
    pub(crate) names: Vec<String>,
}

impl Table {
    /// Keeps the rows without missing values. The features are three measurements and a one-hot column for
    /// each species but the first, which is the baseline.
    pub(crate) fn of(penguins: &Penguins) -> Result<Self> {
        let names = penguins.species_names();
        let is = |name: &&str| penguins.chosen(Some(name)).cast(f64);
        let species = names.iter().skip(1).map(is).collect::<Result<Vec<_>>>()?;
        let complete = penguins.measurements.mask.reduce_all(1, false)?;
        let values = &penguins.measurements.values;
        let mut columns = values.unstack(MEASUREMENTS.len(), 1)?;
        let mass = columns.pop().ok_or_else(|| Error::internal("the table has no measurements"))?;
        columns.extend(species);
        let kept = ops::boolean_mask(&ops::stack(&columns, 1)?, &complete, 0)?;
        let mean = kept.reduce_mean(0, KeepDims)?;
        let deviation = ops::reduce_std(&kept, 0, KeepDims)?;
        let features = ops::div(ops::sub(&kept, &mean)?, &deviation)?;
        let names = MEASUREMENTS[..3].iter().chain(&names[1..]).map(ToString::to_string).collect();
        Ok(Self { features, mass: ops::boolean_mask(&mass, &complete, 0)?, names })
    }

    /// Shuffles the rows by `seed`; returns four fifths for training and one fifth for testing.
    pub(crate) fn split(&self, seed: [i64; 2]) -> Result<(Self, Self)> {
        let n = self.len()? as i64;
        let order = random::stateless_shuffle(ops::range(0i64, n, 1)?, seed)?;
        let part = |rows: Tensor| {
            let features = self.features.gather(&rows, 0)?;
            Ok(Self { features, mass: self.mass.gather(&rows, 0)?, names: self.names.clone() })
        };
        let cut = n * 4 / 5;
        Ok((part(order.index(..cut)?)?, part(order.index(cut..)?)?))
    }

    pub(crate) fn len(&self) -> Result<usize> {
        let rows = self.mass.shape().dim(0)?;
        rows.size().ok_or_else(|| Error::invalid("the number of rows is not known"))
    }
}

/// Predicts the mass: a weight for each feature, and a bias.
#[derive(Module)]
pub(crate) struct LinearRegression {
    pub(crate) weights: Variable,
    bias: Variable,
    optimizer: Adam,
}

impl LinearRegression {
    pub(crate) fn new(features: usize) -> Result<Self> {
        Ok(Self {
            weights: Variable::new(vec![0.0f64; features])?.name("weights"),
            bias: Variable::new(4000.0f64)?.name("bias"),
            optimizer: Adam::new(20.0),
        })
    }

    /// Masses in grams: `[n]`.
    pub(crate) fn predict(&self, table: &Table) -> Result<Tensor> {
        ops::add(ops::matvec(&table.features, &self.weights.read()?)?, self.bias.read()?)
    }

    /// Runs one training step. Returns the loss before the update.
    #[tf_function]
    pub(crate) fn step(&self, table: &Table) -> Result<Tensor> {
        let params = (self.weights.clone(), self.bias.clone());
        let tape = GradientTape::new();
        let (loss, gradients) = tape.value_and_gradient(&params, || {
            MeanSquaredError::new().call(&table.mass, &self.predict(table)?)
        })?;
        self.optimizer.apply(&gradients, &params)?;
        Ok(loss)
    }

    /// The share of the variance that the regression explains.
    pub(crate) fn explained(&self, table: &Table) -> Result<f64> {
        let mean = table.mass.reduce_mean(.., false)?;
        let left = ops::squared_difference(&table.mass, self.predict(table)?)?;
        let all = ops::squared_difference(&table.mass, &mean)?;
        Ok(1.0
            - left.reduce_sum(.., false)?.item::<f64>()?
                / all.reduce_sum(.., false)?.item::<f64>()?)
    }
}
