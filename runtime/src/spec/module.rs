//! Modules: receivers of traced methods with state, such as models.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Weak};

use super::module_names::named_variables;
use super::{PlainData, SavedState, Slots, VariableCopies};
use crate::tensor::{Identity, Late, Tensor, Variable};
use crate::types::{Result, bail};

/// An object with state: variables, cells of variables, other modules and plain data.
/// `#[derive(Module)]` implements it.
///
/// A traced method runs on the real `&self`. The whole structure of the receiver is part of the key of a
/// trace: the identity of its state, the values of its plain fields, the lengths of its lists and which
/// options are absent. So each instance has its own traces, and changing a plain field makes a new trace.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the receiver of a traced method",
    label = "neither an extension type nor a module",
    note = "derive `Module` if it holds variables, `ExtensionType` if it is data"
)]
pub trait Module: 'static {
    /// Shows every field to the visitor, in order.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{ModuleCell, ModuleVisitor, Place, PlainData};
    /// #[derive(Module)]
    /// struct Line {
    ///     slope: Variable,
    ///     steps: i64,
    /// }
    ///
    /// /// The names of all fields.
    /// struct Names(Vec<String>);
    ///
    /// impl ModuleVisitor for Names {
    ///     fn state(&mut self, place: Place, _: ModuleCell<'_>) {
    ///         self.0.push(place.to_string());
    ///     }
    ///
    ///     fn plain(&mut self, place: Place, _: &dyn PlainData) {
    ///         self.0.push(place.to_string());
    ///     }
    /// }
    ///
    /// let line = Line { slope: Variable::new(2.0f32)?, steps: 3 };
    /// let mut names = Names(Vec::new());
    /// line.visit(&mut names);
    /// assert_eq!(names.0, [".slope", ".steps"]);
    /// # Ok::<(), Error>(())
    /// ```
    fn visit(&self, visitor: &mut dyn ModuleVisitor);

    /// The variables, depth first. Variables of cells are included once they are created. A variable in two
    /// places is listed twice.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(Module)]
    /// struct Line {
    ///     slope: Variable,
    ///     offset: Late<Variable>,
    ///     steps: i64,
    /// }
    ///
    /// let line = Line { slope: Variable::new(2.0f32)?, offset: Late::new(), steps: 3 };
    /// assert_eq!(line.variables().len(), 1);
    /// line.offset.get_or_create(|| Variable::new(0.0f32))?;
    /// assert_eq!(line.variables().len(), 2);
    /// # Ok::<(), Error>(())
    /// ```
    fn variables(&self) -> Vec<Variable> {
        struct Collect(Vec<Variable>);
        impl ModuleVisitor for Collect {
            fn state(&mut self, _: Place, cell: ModuleCell<'_>) {
                self.0.extend(cell.variable().cloned());
            }

            fn made(&mut self, variable: &Variable) {
                self.0.push(variable.clone());
            }

            fn grows(&mut self, miss: &dyn Fn()) {
                miss();
            }
        }
        let mut collect = Collect(Vec::new());
        self.visit(&mut collect);
        collect.0
    }

    /// The [`variables`](Self::variables) that are trainable.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(Module)]
    /// struct Line {
    ///     slope: Variable,
    ///     steps: Variable,
    /// }
    ///
    /// let line = Line { slope: Variable::new(2.0f32)?, steps: Variable::new(0i64)?.not_trainable() };
    /// assert_eq!((line.variables().len(), line.trainable_variables().len()), (2, 1));
    /// # Ok::<(), Error>(())
    /// ```
    fn trainable_variables(&self) -> Vec<Variable> {
        let mut variables = self.variables();
        variables.retain(Variable::is_trainable);
        variables
    }

    /// The [`variables`](Self::variables) with their paths, which are unique. Slots of optimizers, which no field
    /// holds, have their label at the end of the path.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(Module)]
    /// struct Layer {
    ///     kernel: Variable,
    /// }
    /// #[derive(Module)]
    /// struct Model {
    ///     layers: Vec<Layer>,
    ///     scale: Variable,
    /// }
    ///
    /// let layers = vec![Layer { kernel: Variable::new(2.0f32)? }];
    /// let model = Model { layers, scale: Variable::new(1.0f32)? };
    /// let names: Vec<String> = model.named_variables().into_iter().map(|(name, _)| name).collect();
    /// assert_eq!(names, ["layers[0].kernel", "scale"]);
    /// # Ok::<(), Error>(())
    /// ```
    fn named_variables(&self) -> Vec<(String, Variable)> {
        named_variables(|visitor| self.visit(visitor))
    }

    /// A copy with its own variables, which start at the current values: training this module does not change
    /// the copy. A variable in two places is also shared in the copy, and empty cells stay empty. Optimizer
    /// state in the copy belongs to the copied variables. (`Clone` of a module shares the variables.)
    ///
    /// # Errors
    /// `FailedPrecondition` in a traced function, which can't make variables; `Unimplemented` if a part implements
    /// `Module` by hand without [`copied`](Self::copied).
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(Module)]
    /// struct Line {
    ///     slope: Variable,
    ///     offset: Late<Variable>,
    /// }
    ///
    /// let line = Line { slope: Variable::new(2.0f32)?, offset: Late::new() };
    /// let best = line.deep_clone()?;
    /// line.slope.assign(3.0)?;
    /// assert_eq!(best.slope.read()?.item::<f32>()?, 2.0);
    /// assert!(best.offset.get().is_none());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn deep_clone(&self) -> Result<Self>
    where
        Self: Sized,
    {
        let _site = crate::tensor::call_site_of(Some("deep_clone"));
        self.copied(&VariableCopies::of(self)?)
    }

    /// This module with the variables of `copies` in place of its own, for [`deep_clone`](Self::deep_clone).
    /// The derive writes it.
    ///
    /// # Errors
    /// `Unimplemented` unless the impl defines it.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{ModuleState, ModuleVisitor, VariableCopies};
    /// /// A module by hand.
    /// struct Scale(Variable);
    ///
    /// impl Module for Scale {
    ///     fn visit(&self, visitor: &mut dyn ModuleVisitor) {
    ///         self.0.visit_at("factor".into(), visitor);
    ///     }
    ///
    ///     fn copied(&self, copies: &VariableCopies) -> Result<Self> {
    ///         Ok(Scale(copies.of_variable(&self.0)))
    ///     }
    /// }
    ///
    /// let scale = Scale(Variable::new(2.0f32)?);
    /// assert_ne!(scale.deep_clone()?.0.id(), scale.0.id());
    /// # Ok::<(), Error>(())
    /// ```
    fn copied(&self, copies: &VariableCopies) -> Result<Self>
    where
        Self: Sized,
    {
        let _ = copies;
        bail!(
            Unimplemented,
            "`{}` implements `Module` by hand: write its `copied` as well, so that it can be copied",
            std::any::type_name::<Self>()
        )
    }
}

/// The place of a part in the module or list around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A field.
    Field(&'static str),
    /// An entry of a list.
    Item(usize),
}

impl From<&'static str> for Place {
    fn from(name: &'static str) -> Self {
        Place::Field(name)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Field(name) => write!(f, ".{name}"),
            Place::Item(i) => write!(f, "[{i}]"),
        }
    }
}

/// The kind of a group between [`ModuleVisitor::begin`] and [`ModuleVisitor::end`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// The fields of a module.
    Module,
    /// The entries of a list of this length.
    List(usize),
}

/// Sees the parts of a [`Module`] in order. Every method does nothing by default.
pub trait ModuleVisitor {
    /// A variable, a cell for one, or other state.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{ModuleCell, ModuleVisitor, Place};
    /// #[derive(Module)]
    /// struct Line {
    ///     slope: Variable,
    ///     offset: Late<Variable>,
    /// }
    ///
    /// /// The cells that are not filled yet.
    /// struct Empty(Vec<Place>);
    ///
    /// impl ModuleVisitor for Empty {
    ///     fn state(&mut self, place: Place, cell: ModuleCell<'_>) {
    ///         if cell.variable().is_none() {
    ///             self.0.push(place);
    ///         }
    ///     }
    /// }
    ///
    /// let mut empty = Empty(Vec::new());
    /// Line { slope: Variable::new(2.0f32)?, offset: Late::new() }.visit(&mut empty);
    /// assert_eq!(empty.0, [Place::Field("offset")]);
    /// # Ok::<(), Error>(())
    /// ```
    fn state(&mut self, place: Place, cell: ModuleCell<'_>) {
        let _ = (place, cell);
    }

    /// Plain data.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{ModuleVisitor, Place, PlainData};
    /// #[derive(Module)]
    /// struct Settings {
    ///     rate: f64,
    ///     name: String,
    /// }
    ///
    /// struct Texts(Vec<String>);
    ///
    /// impl ModuleVisitor for Texts {
    ///     fn plain(&mut self, place: Place, value: &dyn PlainData) {
    ///         self.0.push(format!("{place}: {}", value.literal()));
    ///     }
    /// }
    ///
    /// let mut texts = Texts(Vec::new());
    /// Settings { rate: 0.1, name: "a".to_string() }.visit(&mut texts);
    /// assert_eq!(texts.0, [".rate: 0.1", ".name: \"a\""]);
    /// ```
    fn plain(&mut self, place: Place, value: &dyn PlainData) {
        let _ = (place, value);
    }

    /// An optional field or entry that is absent.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{ModuleVisitor, Place};
    /// #[derive(Module)]
    /// struct Line {
    ///     offset: Option<Variable>,
    /// }
    ///
    /// struct Absent(Vec<Place>);
    ///
    /// impl ModuleVisitor for Absent {
    ///     fn absent(&mut self, place: Place) {
    ///         self.0.push(place);
    ///     }
    /// }
    ///
    /// let mut absent = Absent(Vec::new());
    /// Line { offset: None }.visit(&mut absent);
    /// assert_eq!(absent.0, [Place::Field("offset")]);
    /// ```
    fn absent(&mut self, place: Place) {
        let _ = place;
    }

    /// The begin of a nested module or list. The parts that follow, until [`end`](Self::end), belong to it.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{Group, ModuleVisitor, Place};
    /// #[derive(Module)]
    /// struct Stack {
    ///     layers: Vec<Variable>,
    /// }
    ///
    /// struct Lists(Vec<(Place, usize)>);
    ///
    /// impl ModuleVisitor for Lists {
    ///     fn begin(&mut self, place: Place, group: Group) {
    ///         if let Group::List(n) = group {
    ///             self.0.push((place, n));
    ///         }
    ///     }
    /// }
    ///
    /// let mut lists = Lists(Vec::new());
    /// Stack { layers: vec![Variable::new(1.0f32)?, Variable::new(2.0f32)?] }.visit(&mut lists);
    /// assert_eq!(lists.0, [(Place::Field("layers"), 2)]);
    /// # Ok::<(), Error>(())
    /// ```
    fn begin(&mut self, place: Place, group: Group) {
        let _ = (place, group);
    }

    /// The end of the module or list that began last.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{Group, ModuleCell, ModuleVisitor, Place};
    /// #[derive(Module)]
    /// struct Stack {
    ///     layers: Vec<Variable>,
    ///     last: Variable,
    /// }
    ///
    /// /// The path to here, and those of all variables.
    /// #[derive(Default)]
    /// struct Paths(Vec<Place>, Vec<String>);
    ///
    /// impl ModuleVisitor for Paths {
    ///     fn state(&mut self, place: Place, _: ModuleCell<'_>) {
    ///         let path = self.0.iter().chain([&place]).map(ToString::to_string).collect();
    ///         self.1.push(path);
    ///     }
    ///
    ///     fn begin(&mut self, place: Place, _: Group) {
    ///         self.0.push(place);
    ///     }
    ///
    ///     fn end(&mut self) {
    ///         self.0.pop();
    ///     }
    /// }
    ///
    /// let mut paths = Paths::default();
    /// Stack { layers: vec![Variable::new(1.0f32)?], last: Variable::new(2.0f32)? }.visit(&mut paths);
    /// assert_eq!(paths.1, [".layers[0]", ".last"]);
    /// # Ok::<(), Error>(())
    /// ```
    fn end(&mut self) {}

    /// A variable that a trace may create, such as a slot of an optimizer. It is identified by the part
    /// around it, and no trace depends on whether it exists.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::ModuleVisitor;
    /// use extype::train::Adam;
    ///
    /// /// The variables that an optimizer made for itself.
    /// struct Slots(Vec<Variable>);
    ///
    /// impl ModuleVisitor for Slots {
    ///     fn made(&mut self, variable: &Variable) {
    ///         self.0.push(variable.clone());
    ///     }
    /// }
    ///
    /// let v = Variable::new(tensor![1.0f32, 2.0])?;
    /// let adam = Adam::new(0.1);
    /// let (_, gradients) = GradientTape::new().value_and_gradient(&v, || v.read()?.square())?;
    /// adam.apply(&gradients, &v)?;
    /// let mut slots = Slots(Vec::new());
    /// adam.visit(&mut slots);
    /// assert_eq!(slots.0.len(), 2); // averages of gradients and of their squares
    /// # Ok::<(), Error>(())
    /// ```
    fn made(&mut self, variable: &Variable) {
        let _ = variable;
    }

    /// State that is no variable, such as the place of a pass over a dataset. Checkpoints hold what `state` gives.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// use extype::spec::{ModuleVisitor, Place, SavedState};
    /// use std::sync::Arc;
    ///
    /// #[derive(Module)]
    /// struct Run {
    ///     batches: extype::data::Resumable<Tensor>,
    /// }
    ///
    /// struct Names(Vec<&'static str>);
    ///
    /// impl ModuleVisitor for Names {
    ///     fn saved(&mut self, _: Place, state: &dyn Fn() -> Arc<dyn SavedState>) {
    ///         self.0.push(state().name());
    ///     }
    /// }
    ///
    /// let mut names = Names(Vec::new());
    /// Run { batches: Dataset::range(0..3).iter().resumable() }.visit(&mut names);
    /// assert_eq!(names.0, ["ITERATOR"]);
    /// ```
    fn saved(&mut self, place: Place, state: &dyn Fn() -> Arc<dyn SavedState>) {
        let _ = (place, state);
    }

    /// What the next part is called in files, if not by its field.
    #[doc(hidden)]
    fn file_name(&mut self, name: &str) {
        let _ = name;
    }

    /// The state that the module around keeps for variables of others, each of which is also [`made`](Self::made).
    #[doc(hidden)]
    fn slots(&mut self, slots: &dyn Fn() -> Arc<dyn Slots>) {
        let _ = slots;
    }

    /// More variables may be created here later. A visitor that lists the variables calls `miss`, so that a
    /// trace that used the list is retraced once there are more.
    #[doc(hidden)]
    fn grows(&mut self, miss: &dyn Fn()) {
        let _ = miss;
    }
}

/// A variable, a cell for one, or the handle of other state, as a [`ModuleVisitor`] sees it.
#[derive(Clone, Copy, Debug)]
pub enum ModuleCell<'a> {
    /// A variable.
    Variable(&'a Variable),
    /// A cell that is filled on first use.
    Late(&'a Late<Variable>),
    /// The handle of other state, such as a lookup table.
    Handle(&'a Tensor),
}

impl<'a> ModuleCell<'a> {
    /// The identity of the variable or cell.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::ModuleCell;
    /// let (v, cell) = (Variable::new(1.0f32)?, Late::<Variable>::new());
    /// assert_eq!(ModuleCell::Variable(&v).id(), v.id());
    /// assert_eq!(ModuleCell::Late(&cell).id(), cell.id());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn id(self) -> Identity {
        match self {
            // The identity outside of traces, also in a trace that the variable was passed to.
            ModuleCell::Variable(v) => v.handle().id(),
            ModuleCell::Late(cell) => cell.id(),
            ModuleCell::Handle(handle) => handle.id(),
        }
    }

    /// The variable, if it was created; `None` for other state.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::ModuleCell;
    /// let cell = Late::new();
    /// assert!(ModuleCell::Late(&cell).variable().is_none());
    /// let v = cell.get_or_create(|| Variable::new(1.0f32))?;
    /// assert_eq!(ModuleCell::Late(&cell).variable().unwrap().id(), v.id());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn variable(self) -> Option<&'a Variable> {
        match self {
            ModuleCell::Variable(v) => Some(v),
            ModuleCell::Late(cell) => cell.get(),
            ModuleCell::Handle(_) => None,
        }
    }

    /// [`variable`](Self::variable) without making an open trace depend on it; for the key of a call.
    pub(crate) fn peek(self) -> Option<&'a Variable> {
        match self {
            ModuleCell::Variable(v) => Some(v),
            ModuleCell::Late(cell) => cell.peek(),
            ModuleCell::Handle(_) => None,
        }
    }

    /// A weak reference that lives as long as the state; `None` for the placeholder of a variable.
    pub(super) fn lifetime(self) -> Option<Weak<dyn Any + Send + Sync>> {
        match self {
            ModuleCell::Variable(v) => ModuleCell::Handle(v.handle()).lifetime(),
            ModuleCell::Late(cell) => Some(cell.lifetime()),
            ModuleCell::Handle(handle) => {
                let resource = handle.value().ok()?.as_resource().ok()?;
                let resource: Arc<dyn Any + Send + Sync> = resource.clone();
                Some(Arc::downgrade(&resource))
            }
        }
    }
}
