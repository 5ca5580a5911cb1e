//! Variables: mutable tensors behind a handle.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use extype_kernels::Par;

use super::identity::next_id;
use super::mark::{fitted, placed};
use super::node_scope::scoped;
use super::scope::{on, present_device};
use super::slot::AtomicSlot;
use super::variable_ops::{
    ALLOWED, ASSIGN_ADD_VARIABLE, ASSIGN_SUB_VARIABLE, ASSIGN_VARIABLE, IS_INITIALIZED,
    READ_VARIABLE,
};
use super::{Holder, Identity, Tensor, TensorLike, call_site_of, context, execute, execute_one};
use crate::array::{Array, Resource};
use crate::device::DeviceId;
use crate::ir::{Attrs, DTYPE, OpDef};
use crate::types::{DType, DTypeSet, Error, Result, Shape, TensorType, bail, err};

/// The state behind a [`Variable`].
pub struct VariableState {
    id: u64,
    name: OnceLock<String>,
    ty: TensorType,
    trainable: AtomicBool,
    /// Where its values lie, if it was created in the scope of a device.
    device: Option<DeviceId>,
    /// `None` until the first value is assigned.
    value: AtomicSlot<Option<Array>>,
}

impl VariableState {
    /// True if gradient tapes watch the variable automatically.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::tensor::VariableState;
    /// let steps = Variable::new(0i64)?.not_trainable();
    /// let state = steps.handle().value()?.as_resource()?.as_any().downcast_ref::<VariableState>();
    /// assert!(state.is_some_and(|state| !state.is_trainable()));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn is_trainable(&self) -> bool {
        self.trainable.load(Ordering::Relaxed)
    }

    pub(super) fn ty(&self) -> &TensorType {
        &self.ty
    }

    /// The value.
    pub(super) fn get(&self) -> Result<Array> {
        self.value.read().ok_or_else(|| self.no_value())
    }

    pub(super) fn has_value(&self) -> bool {
        self.value.read().is_some()
    }

    /// Replaces the value.
    pub(super) fn set(&self, new: &Array) -> Result<()> {
        self.accept(new)?;
        let new = placed(new.clone(), self.device.unwrap_or_default())?;
        // The old value is dropped outside the lock.
        drop(self.value.replace(Some(new)));
        Ok(())
    }

    pub(super) fn device(&self) -> Option<DeviceId> {
        self.device
    }

    #[cold]
    fn no_value(&self) -> Error {
        err!(FailedPrecondition, "{self:?} has no value yet; `assign` one first")
    }

    /// Refuses a value that the variable can't hold.
    fn accept(&self, new: &Array) -> Result<()> {
        if new.dtype() != self.ty.dtype || !new.shape().is_subtype_of(&self.ty.shape) {
            bail!("{self:?} can't hold a value of {}", new.tensor_type());
        }
        Ok(())
    }

    /// Replaces the value by a function of it, atomically for other threads, and returns the old
    /// value. The function may be called twice, and must stay on its thread when its second argument says so.
    pub(super) fn update(&self, f: impl Fn(&Array, Par) -> Result<Array>) -> Result<Array> {
        let old = self.value.update(|old, par| {
            let new = f(old.as_ref().ok_or_else(|| self.no_value())?, par)?;
            self.accept(&new)?;
            Ok(Some(placed(new, self.device.unwrap_or_default())?))
        })?;
        old.ok_or_else(|| self.no_value())
    }

    /// Changes parts of the value, atomically for other threads, in place if nobody else holds it. After an error of `f`
    /// it is as before. `f` may be called twice, and must stay on its thread when its second argument says so.
    pub(super) fn change(&self, f: impl Fn(&mut Array, Par) -> Result<()>) -> Result<()> {
        if self.ty.dtype.size().is_some()
            && self.device.is_none()
            && let Some(done) = self.value.change(|value| f(value, Par::Seq))
        {
            return done;
        }
        // Dropping strings and variants takes time, and may run users' code; devices have memory of their own.
        let changed = |old: &Array, par| {
            let mut new = old.clone();
            f(&mut new, par)?;
            Ok(new)
        };
        self.update(changed).map(|_| ())
    }
}

impl fmt::Debug for VariableState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.get() {
            Some(name) => write!(f, "variable `{name}`: {}", self.ty)?,
            None => write!(f, "variable {}: {}", self.id, self.ty)?,
        }
        self.device.map_or(Ok(()), |device| write!(f, " on {}", device.name()))
    }
}

impl Resource for VariableState {
    fn id(&self) -> u64 {
        self.id
    }

    fn kind(&self) -> &'static str {
        "variable"
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A tensor that can be assigned, such as the weights of a model.
///
/// Clones are handles of the same state. Traced functions use a variable by reference: they read
/// its current value at each call, and their writes happen in program order and are visible to everyone.
///
/// # Threads
/// Any number of threads may read and write a variable at the same time. Each read and each write is
/// atomic: a read gets the value of one write, never half of it, and no addition is lost. The operations of
/// one thread, eager or in a traced function, happen in program order. There is no order between threads
/// unless they synchronize. An addition reads and writes in one atomic step, but `v.assign(v.read()? + 1.0)`
/// takes two, and others may write in between. Values that were read never change, whatever is written later.
/// No lock is held while an op computes on the thread pool, so all of this also holds for tasks of the pool.
///
/// ```
/// use extype::prelude::*;
/// let v = Variable::new(scalar(1.0f32))?;
/// v.assign_add(2.0)?;
/// assert_eq!(v.read()?.item::<f32>()?, 3.0);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Variable {
    handle: Tensor,
    ty: TensorType,
    trainable: bool,
}

impl Variable {
    /// A trainable variable with this value, dtype and shape.
    ///
    /// # Errors
    /// `FailedPrecondition` in a traced function, unless through [`Late`](super::Late), in
    /// [`init_scope`](crate::init_scope) or in the body of
    /// [`wrap_function`](crate::function::wrap_function); `InvalidArgument` for a symbolic value, in such a body for one
    /// that depends on the arguments.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new([1.0f32, 2.0])?;
    /// assert_eq!((v.dtype(), v.shape()), (f32, &shape![2]));
    /// assert!(v.is_trainable());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn new(value: impl super::TensorLike) -> Result<Variable> {
        let _site = call_site_of(Some("Variable::new"));
        let value = value.to_tensor()?;
        let shape = value.shape();
        Self::with_shape(&value, shape)
    }

    /// A variable whose value may take any shape that `shape` allows.
    ///
    /// # Errors
    /// As [`new`](Self::new), and `InvalidArgument` if `shape` does not allow the shape of the value.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::with_shape(&tensor![1.0f32], shape![?])?;
    /// v.assign(tensor![1.0f32, 2.0])?;
    /// assert_eq!(v.read()?.shape(), shape![2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn with_shape(value: &Tensor, shape: Shape) -> Result<Variable> {
        let _site = call_site_of(Some("Variable::with_shape"));
        let ty = TensorType::new(value.dtype(), shape);
        if !value.shape().is_compatible_with(&ty.shape) {
            bail!("a variable of shape {} can't hold a value of {}", ty.shape, value.shape());
        }
        match context::initialization() {
            Some(initialization) => initialization.variable(ty, value),
            None => Self::made(ty, |owner| match owner {
                Some(owner) => owner.initial(value).map(Some),
                None => value.data().cloned().map(Some),
            }),
        }
    }

    /// A variable that begins with this value, if any.
    pub(super) fn starting(ty: TensorType, value: Option<Array>) -> Result<Variable> {
        Self::made(ty, |_| Ok(value))
    }

    pub(super) fn has_no_value(&self) -> bool {
        self.state().is_some_and(|state| !state.has_value())
    }

    /// Gives it this value if it has none.
    pub(super) fn give(&self, value: &Array) -> Result<()> {
        match self.state() {
            Some(state) if !state.has_value() => state.set(value),
            _ => Ok(()),
        }
    }

    /// A variable without a value. Reading it fails until a value is assigned. The shape may be partly or
    /// wholly unknown: then values of all shapes that it allows can be assigned.
    ///
    /// TensorFlow: `UninitializedVariable`.
    ///
    /// # Errors
    /// `FailedPrecondition` in a traced function, as [`new`](Self::new).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::uninitialized(shape![?, 2], f32)?.name("table");
    /// assert!(!v.is_initialized()?.item::<bool>()?);
    /// let e = v.read().unwrap_err();
    /// assert!(e.to_string().contains("variable `table`: float32[?, 2] has no value yet"));
    /// v.assign([[1.0, 2.0]])?;
    /// assert_eq!(v.read()?.shape(), shape![1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn uninitialized(shape: impl Into<Shape>, dtype: DType) -> Result<Variable> {
        let _site = call_site_of(Some("Variable::uninitialized"));
        Self::made(TensorType::new(dtype, shape.into()), |_| Ok(None))
    }

    /// A variable that begins with the value of `first`, which gets the owner of what the running body makes.
    fn made(
        ty: TensorType,
        first: impl FnOnce(Option<&Holder>) -> Result<Option<Array>>,
    ) -> Result<Variable> {
        let owner = context::owner();
        if owner.is_none() && context::is_tracing() {
            bail!(
                FailedPrecondition,
                "a traced function can't create a variable at each call; create it outside, or \
                 hold it in a `Late<Variable>` and create it once with `get_or_create`"
            );
        }
        let value = first(owner.as_deref())?;
        let state = VariableState {
            id: next_id(),
            name: OnceLock::new(),
            ty: ty.clone(),
            trainable: AtomicBool::new(true),
            device: present_device(),
            value: AtomicSlot::new(None),
        };
        value.iter().try_for_each(|value| state.set(value))?;
        let handle = Tensor::Value(Array::from_resource(Arc::new(state)));
        let variable = Variable { handle, ty, trainable: true };
        if let Some(owner) = owner {
            owner.own(&variable);
        }
        Ok(variable)
    }

    /// Names the variable, in the enclosing [`name_scope`](super::name_scope()); later calls do not change the name.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(1.0f32))?.name("weight");
    /// assert_eq!(v.label(), Some("weight"));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn name(self, name: &str) -> Variable {
        self.named(scoped(name))
    }

    fn named(self, name: String) -> Variable {
        if let Some(state) = self.state() {
            let _ = state.name.set(name);
        }
        self
    }

    /// The name of the variable, if it has one; a placeholder has none.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// assert_eq!(v.label(), None);
    /// assert_eq!(v.name("weight").name("other").label(), Some("weight"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn label(&self) -> Option<&str> {
        self.state()?.name.get().map(String::as_str)
    }

    /// Gradient tapes do not watch the variable automatically, and models do not train it.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let steps = Variable::new(0i64)?.not_trainable();
    /// assert!(!steps.is_trainable());
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn not_trainable(mut self) -> Variable {
        self.trainable = false;
        if let Some(state) = self.state() {
            state.trainable.store(false, Ordering::Relaxed);
        }
        self
    }

    /// A new variable with the same name, type and value, on the same device.
    pub(crate) fn copied(&self) -> Result<Variable> {
        let _scope = self.state().map(|state| on(state.device().unwrap_or_default()));
        let shape = self.shape().clone();
        let mut copy = match self.state().is_none_or(VariableState::has_value) {
            true => Self::with_shape(&self.read()?, shape)?,
            false => Self::uninitialized(shape, self.dtype())?,
        };
        if !self.is_trainable() {
            copy = copy.not_trainable();
        }
        Ok(match self.label() {
            Some(name) => copy.named(name.to_owned()),
            None => copy,
        })
    }

    /// The variable behind a handle; in a trace the handle may be a placeholder.
    pub(crate) fn from_handle(handle: Tensor, ty: TensorType, trainable: bool) -> Self {
        Variable { handle, ty, trainable }
    }

    /// The variable behind a handle; `None` if the handle is of another resource or a placeholder.
    pub(crate) fn of(handle: &Tensor) -> Option<Self> {
        let variable = Self::from_handle(handle.clone(), handle.tensor_type(), false);
        let ty = variable.state()?.ty.clone();
        Some(Variable { ty, ..variable })
    }

    pub(super) fn state(&self) -> Option<&VariableState> {
        match &self.handle {
            Tensor::Value(a) => a.as_resource().ok()?.as_any().downcast_ref(),
            Tensor::Symbol(_) => None,
        }
    }

    /// The handle: a scalar tensor of dtype `Resource`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(tensor![1.0f32, 2.0])?;
    /// assert_eq!((v.handle().dtype(), v.handle().shape()), (DType::Resource, shape![]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn handle(&self) -> &Tensor {
        &self.handle
    }

    /// The identity of this variable; clones share it. In a trace to which it was passed as an argument, it is the
    /// identity of the placeholder, even if the body reaches the variable in another way.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let (same, other) = (v.clone(), Variable::new(scalar(1.0f32))?);
    /// assert_eq!(v.id(), same.id());
    /// assert_ne!(v.id(), other.id());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn id(&self) -> Identity {
        context::resolved(self.handle.id())
    }

    /// The element type.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(Variable::new([1.0f64])?.dtype(), f64);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn dtype(&self) -> DType {
        self.ty.dtype
    }

    /// The shape that its values must fit.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::with_shape(&tensor![[1.0f32, 2.0]], shape![?, 2])?;
    /// assert_eq!(v.shape(), &shape![?, 2]);
    /// assert_eq!(v.read()?.shape(), shape![1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn shape(&self) -> &Shape {
        &self.ty.shape
    }

    /// Dtype and shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::with_shape(&tensor![[1.0f32, 2.0]], shape![?, 2])?;
    /// assert_eq!(v.tensor_type().to_string(), "float32[?, 2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn tensor_type(&self) -> &TensorType {
        &self.ty
    }

    /// True if gradient tapes watch it automatically.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let w = Variable::new(scalar(2.0f32))?;
    /// let steps = Variable::new(3.0f32)?.not_trainable();
    /// assert!(w.is_trainable() && !steps.is_trainable());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn is_trainable(&self) -> bool {
        self.state().map_or(self.trainable, VariableState::is_trainable)
    }

    /// Whether the variable has a value: a bool scalar, in a trace one of the time when the graph runs.
    ///
    /// TensorFlow: `Variable.is_initialized`.
    ///
    /// # Errors
    /// `InvalidArgument` for a handle of a trace that has ended.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::uninitialized(shape![], f32)?;
    /// assert!(!v.is_initialized()?.item::<bool>()?);
    /// v.assign(1.0)?;
    /// assert!(v.is_initialized()?.item::<bool>()?);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn is_initialized(&self) -> Result<Tensor> {
        execute_one(&IS_INITIALIZED, Attrs::new(), &[&self.handle])
    }

    pub(super) fn attrs(&self) -> Attrs {
        Attrs::new().with(DTYPE, &self.ty.dtype).with(ALLOWED, &self.ty.shape)
    }

    /// The current value.
    ///
    /// # Errors
    /// `FailedPrecondition` if the variable has no value yet; `InvalidArgument` for a handle of a trace that has
    /// ended.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new([1.0f32, 2.0])?;
    /// let before = v.read()?;
    /// v.assign_add(tensor![1.0f32, 1.0])?;
    /// assert_eq!(before.as_slice::<f32>()?, &[1.0, 2.0]);
    /// assert_eq!(v.read()?.as_slice::<f32>()?, &[2.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn read(&self) -> Result<Tensor> {
        execute_one(&READ_VARIABLE, self.attrs(), &[&self.handle])
    }

    /// Replaces the value. Numbers and array literals of numbers are converted to the variable's dtype.
    ///
    /// # Errors
    /// `InvalidArgument` for another dtype or a shape that the variable does not allow.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// v.assign(5.0)?;
    /// assert_eq!(v.read()?.item::<f32>()?, 5.0);
    /// assert!(v.assign([1.0, 2.0]).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn assign(&self, value: impl TensorLike) -> Result<()> {
        self.write(&ASSIGN_VARIABLE, value)
    }

    /// Adds to the value.
    ///
    /// # Errors
    /// As [`assign`](Self::assign), and `FailedPrecondition` if the variable has no value yet.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new([1.0f32, 2.0])?;
    /// v.assign_add([10.0, 20.0])?;
    /// v.assign_add(&v)?;
    /// assert_eq!(v.read()?.as_slice::<f32>()?, &[22.0, 44.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn assign_add(&self, value: impl TensorLike) -> Result<()> {
        self.write(&ASSIGN_ADD_VARIABLE, value)
    }

    /// Subtracts from the value.
    ///
    /// # Errors
    /// As [`assign_add`](Self::assign_add).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new([1.0f32, 2.0])?;
    /// v.assign_sub(tensor![0.5f32, 0.5])?;
    /// assert_eq!(v.read()?.as_slice::<f32>()?, &[0.5, 1.5]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn assign_sub(&self, value: impl TensorLike) -> Result<()> {
        self.write(&ASSIGN_SUB_VARIABLE, value)
    }

    #[track_caller]
    fn write(&self, op: &'static OpDef, value: impl TensorLike) -> Result<()> {
        let _site = call_site_of(Some(op.rust_name));
        let value = value.lend()?;
        let value = fitted(&value, self.dtype())?;
        if value.dtype() != self.dtype() || !value.shape().is_compatible_with(self.shape()) {
            return Err(self.unlike(op, &value));
        }
        execute(op, self.attrs(), &[&self.handle, &value]).map(|_| ())
    }

    /// The error for a value that can't be assigned to the variable.
    #[cold]
    fn unlike(&self, op: &OpDef, value: &Tensor) -> Error {
        let name = self.label().map_or(String::new(), |name| format!(" `{name}`"));
        let advice = match value.dtype() == self.dtype() {
            true => String::new(),
            false => DTypeSet::of(&[self.dtype()]).cast_advice(value.dtype()),
        };
        let of = value.tensor_type();
        err!("the variable{name} is {}; a value of {of} does not fit it{advice}", self.ty)
            .with_op(op.rust_name)
    }
}

/// Shows the value like a tensor; in a trace and without a value, the variable as `Debug` does.
impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.state() {
            Some(state) if !context::is_tracing() => match state.value.read() {
                Some(value) => fmt::Display::fmt(&Tensor::Value(value), f),
                None => fmt::Debug::fmt(self, f),
            },
            _ => fmt::Debug::fmt(self, f),
        }
    }
}

impl fmt::Debug for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.state() {
            Some(state) => write!(f, "<{state:?}>"),
            None => write!(f, "<variable placeholder: {}>", self.ty),
        }
    }
}
