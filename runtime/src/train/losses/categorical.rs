//! Losses for classes.

use super::super::rule::within;
use super::regression::plain;
use super::{EPSILON, LossFunction, Reduced, aligned, alike, check_smoothing, inside};
use crate::ops::{self, KeepDims, methods::*};
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail, normalize_axis};

plain! {
    /// The sum of `y_true * log(y_true / y_pred)` along the last axis, of probabilities.
    ///
    /// Keras: `keras.losses.KLDivergence`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::KLDivergence;
    /// let (y, p) = (tensor![[0.5f32, 0.5]], tensor![[0.25f32, 0.75]]);
    /// let loss = KLDivergence::new().call(&y, &p)?;
    /// assert!((loss.item::<f32>()? - 0.5 * (4f32 / 3.0).ln()).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    KLDivergence = Divergence, "kl_divergence", |y, p| {
        let (y, p) = (ops::clip_by_value(y, EPSILON, 1.0)?, ops::clip_by_value(p, EPSILON, 1.0)?);
        ops::mul(&y, &ops::div(&y, &p)?.log()?)?.reduce_sum(-1, false)
    };
}

/// The settings of losses on class probabilities.
#[derive(Clone, Copy, Debug)]
struct Classes {
    from_logits: bool,
    smoothing: f64,
    axis: i64,
}

impl Default for Classes {
    fn default() -> Self {
        Self { from_logits: false, smoothing: 0.0, axis: -1 }
    }
}

impl Classes {
    /// Labels moved towards equal probabilities.
    fn smoothed(&self, y: Tensor, p: &Tensor) -> Result<Tensor> {
        if self.smoothing == 0.0 {
            return Ok(y);
        }
        let kept = ops::mul(&y, 1.0 - self.smoothing)?;
        match p.shape().dim(self.axis)?.size() {
            Some(n) => ops::add(&kept, self.smoothing / n as f64),
            None => {
                let n = ops::shape_of(p)?.gather(&Tensor::scalar(self.axis(p)?), 0)?;
                ops::add(&kept, &ops::div(self.smoothing, &n.cast(p.dtype())?)?)
            }
        }
    }

    /// The axis, counted from the beginning.
    fn axis(&self, p: &Tensor) -> Result<i64> {
        match p.rank() {
            Some(rank) => Ok(normalize_axis(self.axis, rank)? as i64),
            None => bail!("the rank of `y_pred` must be known while tracing; give it a shape"),
        }
    }

    /// Probabilities that sum to one along the axis, none of them zero.
    fn normalized(&self, p: &Tensor) -> Result<Tensor> {
        inside(&ops::div(p, &p.reduce_sum(self.axis, KeepDims)?)?)
    }
}

/// The cross entropy of true class probabilities with predicted ones, or with logits, along an axis.
///
/// Keras: `keras.losses.CategoricalCrossentropy`.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::{CategoricalCrossentropy, Loss};
/// let (y, p) = (tensor![[0.0f32, 1.0]], tensor![[0.75f32, 0.25]]);
/// let loss = CategoricalCrossentropy::new().call(&y, &p)?;
/// assert!((loss.item::<f32>()? - 4f32.ln()).abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
pub type CategoricalCrossentropy = Reduced<CategoricalEntropy>;

/// The function of [`CategoricalCrossentropy`].
#[derive(Clone, Copy, Debug, Default)]
pub struct CategoricalEntropy {
    classes: Classes,
}

impl CategoricalCrossentropy {
    /// Treats predictions as logits instead of probabilities; safe against overflow.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::CategoricalCrossentropy;
    /// let loss = CategoricalCrossentropy::new().from_logits();
    /// let y = loss.call(&tensor![[0.0f32, 1.0]], &tensor![[0.0f32, -1000.0]])?;
    /// assert_eq!(y.item::<f32>()?, 1000.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn from_logits(mut self) -> Self {
        self.function.classes.from_logits = true;
        self
    }

    /// Moves labels this fraction of the way to equal probabilities.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::CategoricalCrossentropy;
    /// let loss = CategoricalCrossentropy::new().from_logits();
    /// let (y, logits) = (tensor![[0.0f32, 1.0]], tensor![[0.0f32, 1000.0]]);
    /// assert_eq!(loss.call(&y, &logits)?.item::<f32>()?, 0.0);
    /// // The labels are 0.25 and 0.75.
    /// assert_eq!(loss.label_smoothing(0.5).call(&y, &logits)?.item::<f32>()?, 250.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn label_smoothing(mut self, smoothing: f64) -> Self {
        self.function.classes.smoothing = smoothing;
        self
    }

    /// The axis of the classes; the last one by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{CategoricalCrossentropy, Reduction};
    /// let loss = CategoricalCrossentropy::new().from_logits().axis(0).reduction(Reduction::None);
    /// let (y, logits) = (tensor![[1.0f32, 0.0], [0.0, 1.0]], tensor![[0.0f32, 0.0], [0.0, -1000.0]]);
    /// let columns = loss.call(&y, &logits)?;
    /// assert_eq!(columns.as_slice::<f32>()?, &[2f32.ln(), 1000.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn axis(mut self, axis: i64) -> Self {
        self.function.classes.axis = axis;
        self
    }
}

impl LossFunction for CategoricalEntropy {
    fn name(&self) -> &'static str {
        "categorical_crossentropy"
    }

    fn check(&self) -> Result<()> {
        check_smoothing(self.classes.smoothing)
    }

    fn values(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor> {
        let (classes, (y, p)) = (&self.classes, alike(y_true, y_pred)?);
        let y = classes.smoothed(y, &p)?;
        if !classes.from_logits {
            let log = classes.normalized(&p)?.log()?;
            return ops::neg(&ops::mul(&y, &log)?.reduce_sum(classes.axis, false)?);
        }
        let last = match p.rank() {
            Some(rank) => classes.axis(&p)? == rank as i64 - 1,
            None => classes.axis == -1,
        };
        if last {
            return ops::softmax_cross_entropy_with_logits(&y, &p);
        }
        let log = ops::log_softmax_along(&p, classes.axis)?;
        ops::neg(&ops::mul(&y, &log)?.reduce_sum(classes.axis, false)?)
    }
}

/// The cross entropy of class numbers with predicted probabilities, or with logits, along the last axis.
///
/// `y_true` holds integers (or floats with integer values). It has the shape of `y_pred` without the last axis, or with
/// size 1 there.
///
/// Keras: `keras.losses.SparseCategoricalCrossentropy`.
///
/// ```
/// use extype::prelude::*;
/// use extype::train::{Loss, SparseCategoricalCrossentropy};
/// let loss = SparseCategoricalCrossentropy::new().from_logits();
/// let logits = tensor![[0.0f32, 0.0], [0.0, 100.0]];
/// let both = loss.clone().call(&tensor![0, 1], &logits)?.item::<f32>()?;
/// assert!((both - 2f32.ln() / 2.0).abs() < 1e-6);
/// let first = loss.ignore_class(1).call(&tensor![0, 1], &logits)?.item::<f32>()?;
/// assert!((first - 2f32.ln()).abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
pub type SparseCategoricalCrossentropy = Reduced<SparseEntropy>;

/// The function of [`SparseCategoricalCrossentropy`].
#[derive(Clone, Copy, Debug, Default)]
pub struct SparseEntropy {
    from_logits: bool,
    ignored: Option<i64>,
}

impl SparseCategoricalCrossentropy {
    /// Treats predictions as logits instead of probabilities; safe against overflow.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SparseCategoricalCrossentropy;
    /// let loss = SparseCategoricalCrossentropy::new().from_logits();
    /// assert_eq!(loss.call(&tensor![1], &tensor![[0.0f32, -1000.0]])?.item::<f32>()?, 1000.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn from_logits(mut self) -> Self {
        self.function.from_logits = true;
        self
    }

    /// Ignores rows of this class, also in a mean: for example -1 for rows without a label.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::SparseCategoricalCrossentropy;
    /// let loss = SparseCategoricalCrossentropy::new().from_logits().ignore_class(-1);
    /// let logits = tensor![[-1000.0f32, 0.0], [7.0, 8.0]];
    /// assert_eq!(loss.call(&tensor![0, -1], &logits)?.item::<f32>()?, 1000.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn ignore_class(mut self, class: i64) -> Self {
        self.function.ignored = Some(class);
        self
    }
}

impl SparseEntropy {
    /// The class numbers as int64, without a trailing axis of size 1.
    fn classes(y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor> {
        let y = match y_true.dtype().is_integer() {
            true => ops::whole_numbers(y_true, DType::I64)?,
            false => y_true.cast(DType::I64)?,
        };
        let same = y.rank().is_some() && y.rank() == y_pred.rank();
        let column = if same { super::ending_with_one(&y)? } else { None };
        column.map_or(Ok(y), |column| column.squeeze([-1]))
    }
}

impl LossFunction for SparseEntropy {
    fn name(&self) -> &'static str {
        "sparse_categorical_crossentropy"
    }

    fn mask(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Option<Tensor>> {
        let counts = |class| Self::classes(y_true, y_pred)?.not_equal(class);
        self.ignored.map(counts).transpose()
    }

    fn values(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor> {
        let (mut y, mut p) = (Self::classes(y_true, y_pred)?, y_pred.clone());
        let mask = self.mask(y_true, y_pred)?;
        if let Some(mask) = &mask {
            y = ops::select(mask, &y, &y.zeros_like()?)?;
            p = ops::select(&mask.expand_dims(-1)?, &p, &p.zeros_like()?)?;
        }
        if !self.from_logits {
            p = inside(&p)?.log()?;
        }
        let loss = ops::sparse_softmax_cross_entropy_with_logits(&y, &p)?;
        mask.map_or(Ok(loss.clone()), |mask| ops::select(&mask, &loss, &loss.zeros_like()?))
    }
}

/// [`CategoricalCrossentropy`] where each class is weighted by `alpha * (1 - p)^gamma`. `p` is its predicted
/// probability, so correct predictions count less.
///
/// Keras: `keras.losses.CategoricalFocalCrossentropy`. Lin and others, 2017 (arXiv:1708.02002).
///
/// ```
/// use extype::prelude::*;
/// use extype::train::CategoricalFocalCrossentropy;
/// let (y, p) = (tensor![[0.0f32, 1.0]], tensor![[0.5f32, 0.5]]);
/// let loss = CategoricalFocalCrossentropy::new().call(&y, &p)?;
/// assert!((loss.item::<f32>()? - 0.25 * 0.25 * 2f32.ln()).abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
pub type CategoricalFocalCrossentropy = Reduced<CategoricalFocalEntropy>;

/// The function of [`CategoricalFocalCrossentropy`].
#[derive(Clone, Copy, Debug)]
pub struct CategoricalFocalEntropy {
    classes: Classes,
    alpha: f64,
    gamma: f64,
}

impl Default for CategoricalFocalEntropy {
    fn default() -> Self {
        Self { classes: Classes::default(), alpha: 0.25, gamma: 2.0 }
    }
}

impl CategoricalFocalCrossentropy {
    /// The weight of all classes; 0.25 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::CategoricalFocalCrossentropy;
    /// let loss = CategoricalFocalCrossentropy::new().alpha(1.0).gamma(0.0);
    /// let y = loss.call(&tensor![[0.0f32, 1.0]], &tensor![[0.5f32, 0.5]])?;
    /// assert!((y.item::<f32>()? - 2f32.ln()).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.function.alpha = alpha;
        self
    }

    /// The power `gamma`, which reduces the weight of correct predictions; 2 by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::CategoricalFocalCrossentropy;
    /// let (y, p) = (tensor![[0.0f32, 1.0]], tensor![[0.5f32, 0.5]]);
    /// let loss = CategoricalFocalCrossentropy::new().alpha(1.0).gamma(1.0);
    /// assert!((loss.call(&y, &p)?.item::<f32>()? - 2f32.ln() / 2.0).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn gamma(mut self, gamma: f64) -> Self {
        self.function.gamma = gamma;
        self
    }

    /// Treats predictions as logits instead of probabilities.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::CategoricalFocalCrossentropy;
    /// let loss = CategoricalFocalCrossentropy::new().alpha(1.0).gamma(0.0).from_logits();
    /// let y = loss.call(&tensor![[0.0f32, 1.0]], &tensor![[0.0f32, 0.0]])?;
    /// assert!((y.item::<f32>()? - 2f32.ln()).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn from_logits(mut self) -> Self {
        self.function.classes.from_logits = true;
        self
    }

    /// Moves labels this fraction of the way to equal probabilities.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::CategoricalFocalCrossentropy;
    /// let loss = CategoricalFocalCrossentropy::new().alpha(1.0).gamma(0.0).label_smoothing(1.0);
    /// // Both labels are a half.
    /// let y = loss.call(&tensor![[0.0f32, 1.0]], &tensor![[0.25f32, 0.75]])?;
    /// assert!((y.item::<f32>()? - (4f32.ln() + (4f32 / 3.0).ln()) / 2.0).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn label_smoothing(mut self, smoothing: f64) -> Self {
        self.function.classes.smoothing = smoothing;
        self
    }

    /// The axis of the classes; the last one by default.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::train::{CategoricalFocalCrossentropy, Reduction};
    /// let loss = CategoricalFocalCrossentropy::new().axis(0).reduction(Reduction::None);
    /// let (y, p) = (tensor![[1.0f32, 0.0, 0.0], [0.0, 1.0, 1.0]], ops::ones([2, 3], f32)?);
    /// assert_eq!(loss.call(&y, &p)?.shape(), shape![3]);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn axis(mut self, axis: i64) -> Self {
        self.function.classes.axis = axis;
        self
    }
}

impl LossFunction for CategoricalFocalEntropy {
    fn name(&self) -> &'static str {
        "categorical_focal_crossentropy"
    }

    fn check(&self) -> Result<()> {
        check_smoothing(self.classes.smoothing)?;
        within("alpha", self.alpha, 0.0, f64::MAX)?;
        within("gamma", self.gamma, 0.0, f64::MAX)
    }

    fn values(&self, y_true: &Tensor, y_pred: &Tensor) -> Result<Tensor> {
        let (classes, (y, p)) = (&self.classes, alike(y_true, y_pred)?);
        let y = classes.smoothed(y, &p)?;
        let p = if classes.from_logits { ops::softmax_along(&p, classes.axis)? } else { p };
        let p = classes.normalized(&p)?;
        let entropy = ops::neg(&ops::mul(&y, &p.log()?)?)?;
        let focus = ops::mul(&ops::pow(&ops::sub(1.0, &p)?, self.gamma)?, self.alpha)?;
        ops::mul(&focus, &entropy)?.reduce_sum(classes.axis, false)
    }
}
