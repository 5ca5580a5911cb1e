//! Variables: mutable tensors behind a handle, and the ops that read and write them.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use extype_kernels::Par;
use extype_kernels::table::{Table, ZipSignature, binary};

use super::mark::host_number_of;
use super::node_scope::scoped;
use super::slot::AtomicSlot;
use super::{Identity, Tensor, TensorLike, call_site_of, context, execute, execute_one};
use crate::array::{Array, Resource};
use crate::ir::{
    ArgDef, ArgType, AttrDef, AttrKey, AttrValue, Attrs, DTYPE, Effect, InferContext, Kernel,
    KernelContext, OpDef, OpEntry, Outputs, Types,
};
use crate::types::{DType, DTypeSet, Error, Result, Shape, TensorType, bail, err};

/// A number that is unique among all state of the process.
pub(super) fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The state behind a [`Variable`].
pub struct VariableState {
    id: u64,
    name: OnceLock<String>,
    ty: TensorType,
    trainable: bool,
    value: AtomicSlot<Array>,
}

impl VariableState {
    /// True if gradient tapes watch the variable automatically.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::tensor::VariableState;
    /// let steps = Variable::with_shape(&scalar(0i64), shape![], false)?;
    /// let state = steps.handle().value()?.as_resource()?.as_any().downcast_ref::<VariableState>();
    /// assert!(state.is_some_and(|state| !state.is_trainable()));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn is_trainable(&self) -> bool {
        self.trainable
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
    fn update(&self, f: impl Fn(&Array, Par) -> Result<Array>) -> Result<Array> {
        self.value.update(|old, par| {
            let new = f(old, par)?;
            self.accept(&new)?;
            Ok(new)
        })
    }
}

impl fmt::Debug for VariableState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.get() {
            Some(name) => write!(f, "variable `{name}`: {}", self.ty),
            None => write!(f, "variable {}: {}", self.id, self.ty),
        }
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
        Self::with_shape(&value, shape, true)
    }

    /// A variable whose value may take any shape that `shape` allows.
    ///
    /// # Errors
    /// As [`new`](Self::new), and `InvalidArgument` if `shape` does not allow the shape of the value.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::with_shape(&tensor![1.0f32], shape![?], false)?;
    /// v.assign(tensor![1.0f32, 2.0])?;
    /// assert_eq!(v.read()?.shape(), shape![2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn with_shape(value: &Tensor, shape: Shape, trainable: bool) -> Result<Variable> {
        let _site = call_site_of(Some("Variable::with_shape"));
        let owner = context::owner();
        let value = match &owner {
            Some(owner) => owner.initial(value)?,
            None if context::is_tracing() => bail!(
                FailedPrecondition,
                "a traced function can't create a variable at each call; create it outside, or \
                 hold it in a `Late<Variable>` and create it once with `get_or_create`"
            ),
            None => value.data()?.clone(),
        };
        let id = next_id();
        let ty = TensorType::new(value.dtype(), shape);
        if !value.shape().is_subtype_of(&ty.shape) {
            bail!("a variable of shape {} can't hold a value of {}", ty.shape, value.shape());
        }
        let state = VariableState {
            id,
            name: OnceLock::new(),
            ty: ty.clone(),
            trainable,
            value: AtomicSlot::new(value),
        };
        let handle = Tensor::Value(Array::from_resource(Arc::new(state)));
        let variable = Variable { handle, ty, trainable };
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

    /// A new variable with the same name, type and value.
    pub(crate) fn copied(&self) -> Result<Variable> {
        let copy = Self::with_shape(&self.read()?, self.shape().clone(), self.trainable)?;
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
        let (ty, trainable) = variable.state().map(|state| (state.ty.clone(), state.trainable))?;
        Some(Variable { ty, trainable, ..variable })
    }

    fn state(&self) -> Option<&VariableState> {
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
    /// let v = Variable::with_shape(&tensor![[1.0f32, 2.0]], shape![?, 2], true)?;
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
    /// let v = Variable::with_shape(&tensor![[1.0f32, 2.0]], shape![?, 2], true)?;
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
    /// let steps = Variable::with_shape(&scalar(3.0f32), shape![], false)?;
    /// assert!(w.is_trainable() && !steps.is_trainable());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn is_trainable(&self) -> bool {
        self.trainable
    }

    fn attrs(&self) -> Attrs {
        Attrs::new().with(DTYPE, &self.ty.dtype).with(ALLOWED, &self.ty.shape)
    }

    /// The current value.
    ///
    /// # Errors
    /// `InvalidArgument` for a handle of a trace that has ended.
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
    /// As [`assign`](Self::assign).
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
    /// As [`assign`](Self::assign).
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
        let value = match host_number_of(&value) {
            Some(number) => &Tensor::Value(number.fitted(self.dtype())?),
            None => &*value,
        };
        if value.dtype() != self.dtype() || !value.shape().is_compatible_with(self.shape()) {
            return Err(self.unlike(op, value));
        }
        execute(op, self.attrs(), &[&self.handle, value]).map(|_| ())
    }
}

impl Variable {
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

/// Shows the value like a tensor. In a trace, where it has no value, it shows the variable as `Debug` does.
impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.state() {
            Some(state) if !context::is_tracing() => {
                fmt::Display::fmt(&Tensor::Value(state.value.read()), f)
            }
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

/// The variable's state behind a handle.
fn state(handle: &Array) -> Result<&VariableState> {
    let resource = handle.as_resource()?;
    resource
        .as_any()
        .downcast_ref()
        .ok_or_else(|| err!("the resource is a {}, not a variable", resource.kind()))
}

/// The type of the variable behind a handle; `None` for a symbolic handle or another resource.
pub(crate) fn value_type(handle: &Tensor) -> Option<&TensorType> {
    match handle {
        Tensor::Value(array) => state(array).ok().map(|state| &state.ty),
        Tensor::Symbol(_) => None,
    }
}

/// Replaces the value of a variable by a function of it, atomically for other threads, and returns
/// the old value. The function may be called twice, and must stay on its thread when its second argument says so.
pub(crate) fn update_variable(
    handle: &Array,
    f: impl Fn(&Array, Par) -> Result<Array>,
) -> Result<Array> {
    state(handle)?.update(f)
}

/// The attribute with the shape that the variable's values must fit.
const ALLOWED: AttrKey<Shape> = AttrKey::new("_shape");

fn read_type(c: &InferContext<'_>) -> Result<Types> {
    Ok([TensorType::new(c.get(DTYPE)?, c.get(ALLOWED).unwrap_or_default())].into())
}

fn write_type(c: &InferContext<'_>) -> Result<Types> {
    c.shape(1).assert_compatible(&c.get(ALLOWED).unwrap_or_default())?;
    Ok(Types::new())
}

const RESOURCE: ArgDef = ArgDef::one("resource", ArgType::Fixed(DType::Resource));
const VALUE: ArgDef = ArgDef::one("value", ArgType::Var("dtype"));
const ATTRS: &[AttrDef] =
    &[AttrDef::dtype("dtype", DTypeSet::ANY), AttrDef::of::<Shape>(ALLOWED.name())];

/// The op that reads a variable; its result shares the variable's buffer.
pub static READ_VARIABLE: OpDef = OpDef::new(
    "ReadVariableOp",
    "read",
    read_type,
    Kernel::SelfChecked(|c| {
        let (value, dtype) = (state(c.input(0))?.value.read(), c.get(DTYPE)?);
        if value.dtype() != dtype {
            bail!("the variable is {}, not {dtype}", value.dtype());
        }
        if let Ok(allowed) = c.get(ALLOWED) {
            value.shape().assert_compatible(&allowed)?;
        }
        Ok([value].into())
    }),
)
.in_module(module_path!())
.with_doc("The present value of a variable.")
.with_effect(Effect::Reads)
.with_inputs(&[RESOURCE])
.with_outputs(&[VALUE])
.with_attrs(&[
    AttrDef::of::<DType>(DTYPE.name()),
    AttrDef::of::<Shape>(ALLOWED.name()).or(|| AttrValue::Shape(Box::default())),
]);

macro_rules! assignments {
    ($($(#[doc = $doc:literal])* $static:ident = $name:literal $rust_name:literal, $write:expr;)*) => {
        $($(#[doc = $doc])*
        pub static $static: OpDef = OpDef::new(
            $name,
            $rust_name,
            write_type,
            Kernel::General(|c| {
                let write: fn(&VariableState, &Array) -> Result<Array> = $write;
                write(state(c.input(0))?, c.input(1))?;
                Ok(Outputs::new())
            }),
        )
        .in_module(module_path!())
        .with_doc(concat!($($doc),*))
        .with_effect(Effect::Writes)
        .with_inputs(&[RESOURCE, VALUE])
        .with_attrs(ATTRS);
        inventory::submit!(OpEntry(&$static));)*
    };
}
inventory::submit!(OpEntry(&READ_VARIABLE));

assignments! {
    /// Replaces the value of a variable.
    ASSIGN_VARIABLE = "AssignVariableOp" "assign", |v, new| {
        v.accept(new)?;
        Ok(v.value.replace(new.clone()))
    };
    /// Adds to the value of a variable.
    ASSIGN_ADD_VARIABLE = "AssignAddVariableOp" "assign_add", |v, x| combine(v, &binary::ADD, x);
    /// Subtracts from the value of a variable.
    ASSIGN_SUB_VARIABLE = "AssignSubVariableOp" "assign_sub", |v, x| combine(v, &binary::SUB, x);
}

/// Replaces the value by `value op x`.
fn combine(
    variable: &VariableState,
    table: &'static Table<ZipSignature>,
    x: &Array,
) -> Result<Array> {
    let attrs = Attrs::new();
    variable.update(|old, par| {
        Kernel::Zip(table).run_one(&KernelContext::new(&[old, x], &attrs).on(par))
    })
}
