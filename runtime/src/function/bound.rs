//! A traced method together with its receiver.

use std::fmt;

use super::FunctionState;
use super::concrete::{ConcreteFunction, captures_of, signatures_of};
use crate::spec::{AnySpec, SpecContext};
use crate::trace::Argument;

/// The traced function behind a method of one receiver: `model.step_function()`.
///
/// The traces of a module method belong to this instance; the traces of an extension type method are shared by all
/// values.
pub struct BoundFunction<'a, T> {
    state: &'static FunctionState,
    receiver: &'a T,
}

impl<'a, T> BoundFunction<'a, T> {
    /// The function of a method, for one receiver.
    ///
    /// ```
    /// use extype::function::{BoundFunction, FunctionOptions, FunctionState};
    /// use extype::prelude::*;
    /// static NEGATED: FunctionState = FunctionState::new(FunctionOptions::new("negated", &["self"]));
    /// let x = scalar(1.0f32);
    /// NEGATED.call((&x,), |(x,)| ops::neg(&*x))?;
    /// assert_eq!(BoundFunction::new(&NEGATED, &x).trace_count(), 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(state: &'static FunctionState, receiver: &'a T) -> Self {
        Self { state, receiver }
    }
}

impl<T: Argument> BoundFunction<'_, T> {
    /// The traces, in the order they were made.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(Module)]
    /// struct Scale {
    ///     factor: Variable,
    /// }
    ///
    /// impl Scale {
    ///     #[tf_function]
    ///     fn call(&self, x: &Tensor) -> Result<Tensor> {
    ///         ops::mul(x, &self.factor)
    ///     }
    /// }
    ///
    /// let scale = Scale { factor: Variable::new(3.0f32)? };
    /// scale.call(&tensor![1.0f32, 2.0])?;
    /// let traces = scale.call_function().concrete_functions();
    /// assert_eq!(traces[0].output_spec().to_string(), "TensorSpec([2], float32)");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn concrete_functions(&self) -> Vec<ConcreteFunction> {
        self.state.concrete_functions_where(self.is_mine())
    }

    /// How many times the body was traced.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(Module)]
    /// struct Scale {
    ///     factor: Variable,
    /// }
    ///
    /// impl Scale {
    ///     #[tf_function]
    ///     fn call(&self, x: &Tensor) -> Result<Tensor> {
    ///         ops::mul(x, &self.factor)
    ///     }
    /// }
    ///
    /// let [one, other] =
    ///     [Scale { factor: Variable::new(3.0f32)? }, Scale { factor: Variable::new(2.0f32)? }];
    /// one.call(&scalar(1.0f32))?;
    /// one.call(&scalar(2.0f32))?;
    /// assert_eq!(one.call_function().trace_count(), 1);
    /// assert_eq!(other.call_function().trace_count(), 0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn trace_count(&self) -> usize {
        self.state.count_where(self.is_mine())
    }

    /// True for traces of this module instance; for a receiver that is no module, true for all traces.
    fn is_mine(&self) -> impl Fn(&[AnySpec]) -> bool + use<T> {
        let receiver = T::spec_to_any(&self.receiver.argument_spec(&mut SpecContext::new()));
        move |specs| specs.first().is_none_or(|traced| receiver.same_instance(traced))
    }

    /// The argument types of the traces, one tuple for each trace, the receiver first.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Point {
    ///     x: Tensor,
    /// }
    ///
    /// impl Point {
    ///     #[tf_function]
    ///     fn moved(&self, by: &Tensor) -> Result<Tensor> {
    ///         ops::add(&self.x, by)
    ///     }
    /// }
    ///
    /// let point = Point::new(1.0f32)?;
    /// point.moved(&scalar(2.0f32))?;
    /// let signature = point.moved_function().signatures()[0].to_string();
    /// assert_eq!(signature, "(PointSpec(x=TensorSpec([], float32)), TensorSpec([], float32))");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn signatures(&self) -> Vec<AnySpec> {
        signatures_of(&self.concrete_functions())
    }

    /// Descriptions of the captures of all traces.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(Module)]
    /// struct Scale {
    ///     factor: Variable,
    /// }
    ///
    /// impl Scale {
    ///     #[tf_function]
    ///     fn call(&self, x: &Tensor) -> Result<Tensor> {
    ///         ops::mul(x, &self.factor)
    ///     }
    /// }
    ///
    /// let scale = Scale { factor: Variable::new(3.0f32)? };
    /// scale.call(&scalar(1.0f32))?;
    /// assert!(scale.call_function().captures()[0].starts_with("variable "));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn captures(&self) -> Vec<String> {
        captures_of(&self.concrete_functions())
    }
}

impl<T> fmt::Debug for BoundFunction<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.state, f)
    }
}
