//! Receivers of traced methods that are no extension types: models with state.

use std::any::{Any, TypeId};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Weak};

use super::{AnySpec, Fingerprint, Literal, StaticData};
use crate::tensor::{Identity, Late, Variable};
use crate::types::TensorType;

/// An object with state: variables, cells of variables, other modules and plain data.
/// `#[derive(Module)]` implements it.
///
/// A traced method runs on the real `&self`; the receiver is part of the key of a trace by its
/// whole structure: the identity of its state, the values of its plain fields, the lengths of its
/// lists and what is absent. So each instance has traces of its own, and a change of a plain field
/// makes a new one.
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

    /// The variables, depth first; those of cells only once they are created.
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
        }
        let mut collect = Collect(Vec::new());
        self.visit(&mut collect);
        collect.0
    }
}

/// Where a part of a module stands in the one around it.
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

/// What stands between [`ModuleVisitor::begin`] and [`ModuleVisitor::end`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// The fields of a module.
    Module,
    /// The entries of a list of this length.
    List(usize),
}

/// Sees the parts of a [`Module`] in order. Every method does nothing by default.
pub trait ModuleVisitor {
    /// A variable, or a cell for one.
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

    /// A field or entry that may be there and is not.
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

    /// A module or a list within: what follows belongs to it.
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

    /// The end of what began last.
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

    /// A variable that a trace may make, such as a slot of an optimizer: the part around it tells
    /// whose it is, and no trace depends on whether it is there.
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
}

/// A variable or a cell for one, as a [`ModuleVisitor`] sees it.
#[derive(Clone, Copy, Debug)]
pub enum ModuleCell<'a> {
    /// A variable.
    Variable(&'a Variable),
    /// A cell that is filled when it is first asked for.
    Late(&'a Late<Variable>),
}

impl<'a> ModuleCell<'a> {
    /// What tells it from every other.
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
            // As it is outside: the same in a trace that it was passed to.
            ModuleCell::Variable(v) => v.handle().id(),
            ModuleCell::Late(cell) => cell.id(),
        }
    }

    /// The variable, if it was created.
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
        }
    }

    /// What lives as long as the state does; nothing for the placeholder of a variable.
    fn lifetime(self) -> Option<Weak<dyn Any + Send + Sync>> {
        match self {
            ModuleCell::Variable(v) => {
                let resource = v.handle().value().ok()?.as_resource().ok()?;
                let resource: Arc<dyn Any + Send + Sync> = resource.clone();
                Some(Arc::downgrade(&resource))
            }
            ModuleCell::Late(cell) => Some(cell.lifetime()),
        }
    }
}

/// Static data behind a reference, as a [`ModuleVisitor`] sees it.
pub trait PlainData: Send + Sync {
    /// The value as a literal.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::PlainData;
    /// let fields: [&dyn PlainData; 2] = [&0.5f64, &"a".to_string()];
    /// assert_eq!(fields.map(|field| field.literal().to_string()), ["0.5", "\"a\""]);
    /// ```
    fn literal(&self) -> Literal;

    /// The value itself, to be compared with later.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::PlainData;
    /// let kept = 3i64.kept();
    /// assert_eq!(kept.downcast_ref(), Some(&3i64));
    /// ```
    fn kept(&self) -> Arc<dyn Any + Send + Sync>;

    /// True if `kept` is the same value.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::PlainData;
    /// let kept = f64::NAN.kept();
    /// assert!(f64::NAN.is(&*kept) && !1.0f64.is(&*kept));
    /// assert!(!f32::NAN.is(&*kept)); // another type
    /// ```
    fn is(&self, kept: &(dyn Any + Send + Sync)) -> bool;

    /// Adds the value to a fingerprint.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{Fingerprint, PlainData};
    /// let of = |field: &dyn PlainData| {
    ///     let mut fingerprint = Fingerprint::default();
    ///     field.mix(&mut fingerprint);
    ///     fingerprint.get()
    /// };
    /// assert_eq!(of(&3i64), of(&3i64));
    /// assert_ne!(of(&3i64), of(&4i64));
    /// ```
    fn mix(&self, fingerprint: &mut Fingerprint);
}

impl<T: StaticData> PlainData for T {
    fn literal(&self) -> Literal {
        self.to_literal()
    }

    fn kept(&self) -> Arc<dyn Any + Send + Sync> {
        Arc::new(self.clone())
    }

    fn is(&self, kept: &(dyn Any + Send + Sync)) -> bool {
        kept.downcast_ref().is_some_and(|kept| self.same(kept))
    }

    fn mix(&self, fingerprint: &mut Fingerprint) {
        self.mix_literal(fingerprint);
    }
}

/// A field of a module: `Variable`, `Late<Variable>`, modules, and options, lists, arrays, tuples
/// and maps with text keys of these. A box of a module is a module.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a field of a module",
    label = "neither a variable, a cell for one, nor a module",
    note = "mark the field `#[plain]` if it is data that never changes a trace's meaning unseen: \
            its value becomes part of the key"
)]
pub trait ModuleState {
    /// Shows the field to the visitor.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use extype::prelude::*;
    /// use extype::spec::{ModuleState, ModuleVisitor, Place};
    ///
    /// /// A variable that several modules have.
    /// struct Shared(Arc<Variable>);
    ///
    /// impl ModuleState for Shared {
    ///     fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
    ///         self.0.as_ref().visit_at(place, visitor);
    ///     }
    /// }
    ///
    /// #[derive(Module)]
    /// struct Line {
    ///     slope: Shared,
    /// }
    ///
    /// let slope = Arc::new(Variable::new(2.0f32)?);
    /// let line = Line { slope: Shared(slope.clone()) };
    /// assert_eq!(line.variables()[0].id(), slope.id());
    /// # Ok::<(), Error>(())
    /// ```
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor);
}

impl ModuleState for Variable {
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
        visitor.state(place, ModuleCell::Variable(self));
    }
}

impl ModuleState for Late<Variable> {
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
        visitor.state(place, ModuleCell::Late(self));
    }
}

impl<T: Module> ModuleState for T {
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
        visitor.begin(place, Group::Module);
        self.visit(visitor);
        visitor.end();
    }
}

fn visit_list<T: ModuleState>(items: &[T], place: Place, visitor: &mut dyn ModuleVisitor) {
    visitor.begin(place, Group::List(items.len()));
    for (i, x) in items.iter().enumerate() {
        x.visit_at(Place::Item(i), visitor);
    }
    visitor.end();
}

impl<T: ModuleState> ModuleState for Vec<T> {
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
        visit_list(self, place, visitor);
    }
}

impl<T: ModuleState, const N: usize> ModuleState for [T; N] {
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
        visit_list(self, place, visitor);
    }
}

macro_rules! tuples {
    ($(($($t:ident $i:tt),*) $n:literal;)*) => {
        $(impl<$($t: ModuleState),*> ModuleState for ($($t,)*) {
            fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
                visitor.begin(place, Group::List($n));
                $(self.$i.visit_at(Place::Item($i), visitor);)*
                visitor.end();
            }
        })*
    };
}
tuples! {
    (A 0) 1;
    (A 0, B 1) 2;
    (A 0, B 1, C 2) 3;
    (A 0, B 1, C 2, D 3) 4;
}

/// A map as a list of pairs, in the order of the keys.
fn visit_map<'a, T: ModuleState + 'a>(
    entries: impl ExactSizeIterator<Item = (&'a String, &'a T)>,
    place: Place,
    visitor: &mut dyn ModuleVisitor,
) {
    visitor.begin(place, Group::List(entries.len()));
    for (i, (key, x)) in entries.enumerate() {
        visitor.begin(Place::Item(i), Group::List(2));
        visitor.plain(Place::Item(0), key);
        x.visit_at(Place::Item(1), visitor);
        visitor.end();
    }
    visitor.end();
}

impl<T: ModuleState> ModuleState for BTreeMap<String, T> {
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
        visit_map(self.iter(), place, visitor);
    }
}

impl<T: ModuleState, S> ModuleState for HashMap<String, T, S> {
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
        let mut entries: Vec<_> = self.iter().collect();
        entries.sort_unstable_by_key(|(key, _)| *key);
        visit_map(entries.into_iter(), place, visitor);
    }
}

impl<T: Module> Module for Box<T> {
    fn visit(&self, visitor: &mut dyn ModuleVisitor) {
        (**self).visit(visitor);
    }
}

impl<T: ModuleState> ModuleState for Option<T> {
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
        match self {
            Some(x) => x.visit_at(place, visitor),
            None => visitor.absent(place),
        }
    }
}

/// The type of a module as an argument: its whole structure, with the identity of its state and
/// its plain data. State is held weakly.
#[derive(Clone)]
pub struct ModuleSpec {
    type_id: TypeId,
    pub(super) name: &'static str,
    pub(super) parts: Vec<Part>,
}

/// What a visitor is shown, in order.
#[derive(Clone)]
pub(super) enum Part {
    State(Place, Identity, State),
    Plain(Place, Literal, Arc<dyn Any + Send + Sync>),
    Absent(Place),
    Begin(Place, Group),
    End,
}

/// What is known of a variable or cell besides its identity.
#[derive(Clone)]
pub(super) struct State {
    lifetime: Option<Weak<dyn Any + Send + Sync>>,
    /// None for a cell that was empty when the spec was made.
    pub(super) ty: Option<TensorType>,
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Part::State(p, a, _), Part::State(q, b, _)) => p == q && a == b,
            (Part::Plain(p, a, _), Part::Plain(q, b, _)) => p == q && a == b,
            (Part::Absent(p), Part::Absent(q)) => p == q,
            (Part::Begin(p, a), Part::Begin(q, b)) => p == q && a == b,
            (Part::End, Part::End) => true,
            _ => false,
        }
    }
}

impl ModuleSpec {
    /// The spec of a module.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::ModuleSpec;
    /// #[derive(Module)]
    /// struct Line {
    ///     slope: Variable,
    ///     steps: i64,
    /// }
    ///
    /// let spec = ModuleSpec::of(&Line { slope: Variable::new(2.0f32)?, steps: 3 });
    /// assert_eq!(spec.to_string(), "Line(slope: float32[], steps: 3)");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn of<M: Module + 'static>(module: &M) -> Self {
        let mut spec = ModuleSpec {
            type_id: TypeId::of::<M>(),
            name: std::any::type_name::<M>(),
            parts: Vec::new(),
        };
        module.visit(&mut spec);
        spec
    }

    /// The type of the module.
    ///
    /// ```
    /// use std::any::TypeId;
    /// use extype::prelude::*;
    /// use extype::spec::ModuleSpec;
    /// #[derive(Module)]
    /// struct Line {
    ///     slope: Variable,
    /// }
    ///
    /// let spec = ModuleSpec::of(&Line { slope: Variable::new(2.0f32)? });
    /// assert_eq!(spec.type_id(), TypeId::of::<Line>());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn type_id(&self) -> TypeId {
        self.type_id
    }

    /// The ids of variables and cells, in order.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::ModuleSpec;
    /// #[derive(Module)]
    /// struct Line {
    ///     slope: Variable,
    ///     offset: Late<Variable>,
    /// }
    ///
    /// let line = Line { slope: Variable::new(2.0f32)?, offset: Late::new() };
    /// let ids: Vec<_> = ModuleSpec::of(&line).state().collect();
    /// assert_eq!(ids, [line.slope.id(), line.offset.id()]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn state(&self) -> impl Iterator<Item = Identity> {
        self.parts.iter().filter_map(|part| match part {
            Part::State(_, id, _) => Some(*id),
            _ => None,
        })
    }

    /// The plain fields, in order.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::ModuleSpec;
    /// #[derive(Module)]
    /// struct Line {
    ///     slope: Variable,
    ///     steps: i64,
    /// }
    ///
    /// let spec = ModuleSpec::of(&Line { slope: Variable::new(2.0f32)?, steps: 3 });
    /// assert_eq!(spec.plain().collect::<Vec<_>>(), [&3i64.to_literal()]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn plain(&self) -> impl Iterator<Item = &Literal> {
        self.parts.iter().filter_map(|part| match part {
            Part::Plain(_, literal, _) => Some(literal),
            _ => None,
        })
    }

    /// True if both are of one instance: the same state, whatever the plain fields are.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::ModuleSpec;
    /// #[derive(Module)]
    /// struct Line {
    ///     slope: Variable,
    ///     steps: i64,
    /// }
    ///
    /// let mut line = Line { slope: Variable::new(2.0f32)?, steps: 3 };
    /// let before = ModuleSpec::of(&line);
    /// line.steps = 4;
    /// let after = ModuleSpec::of(&line);
    /// assert!(before.same_instance(&after) && before != after);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn same_instance(&self, other: &Self) -> bool {
        self.type_id == other.type_id && self.state().eq(other.state())
    }

    /// True if state of the module is gone, so that no module has this spec any more.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::ModuleSpec;
    /// #[derive(Module)]
    /// struct Line {
    ///     slope: Variable,
    /// }
    ///
    /// let line = Line { slope: Variable::new(2.0f32)? };
    /// let spec = ModuleSpec::of(&line);
    /// assert!(!spec.is_dead());
    /// drop(line);
    /// assert!(spec.is_dead());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn is_dead(&self) -> bool {
        self.parts
            .iter()
            .filter_map(|part| match part {
                Part::State(_, _, state) => state.lifetime.as_ref(),
                _ => None,
            })
            .any(|lifetime| lifetime.strong_count() == 0)
    }

    /// True if it is this module's spec; compared without making one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::ModuleSpec;
    /// #[derive(Module)]
    /// struct Line {
    ///     slope: Variable,
    /// }
    ///
    /// let [one, other] = [Line { slope: Variable::new(2.0f32)? }, Line { slope: Variable::new(2.0f32)? }];
    /// let spec = ModuleSpec::of(&one);
    /// assert!(spec.matches(&one) && !spec.matches(&other));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn matches<M: Module + 'static>(&self, module: &M) -> bool {
        if self.type_id != TypeId::of::<M>() {
            return false;
        }
        let mut compare = Compare { rest: self.parts.iter(), equal: true };
        module.visit(&mut compare);
        compare.equal && compare.rest.next().is_none()
    }

    /// Adds the spec of a module to a fingerprint.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{Fingerprint, ModuleSpec};
    /// #[derive(Module)]
    /// struct Line {
    ///     slope: Variable,
    ///     steps: i64,
    /// }
    ///
    /// let of = |line: &Line| {
    ///     let mut fingerprint = Fingerprint::default();
    ///     ModuleSpec::mix(line, &mut fingerprint);
    ///     fingerprint.get()
    /// };
    /// let mut line = Line { slope: Variable::new(2.0f32)?, steps: 3 };
    /// let before = of(&line);
    /// assert_eq!(of(&line), before);
    /// line.steps = 4;
    /// assert_ne!(of(&line), before);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn mix<M: Module>(module: &M, fingerprint: &mut Fingerprint) {
        module.visit(&mut Mix(fingerprint));
    }
}

impl PartialEq for ModuleSpec {
    fn eq(&self, other: &Self) -> bool {
        self.type_id == other.type_id && self.parts == other.parts
    }
}

impl Eq for ModuleSpec {}

impl Hash for ModuleSpec {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.type_id.hash(state);
        self.state().for_each(|id| id.hash(state));
        self.plain().for_each(|literal| literal.hash(state));
    }
}

impl fmt::Debug for ModuleSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl ModuleVisitor for ModuleSpec {
    fn state(&mut self, place: Place, cell: ModuleCell<'_>) {
        let ty = cell.variable().map(|v| v.tensor_type().clone());
        self.parts.push(Part::State(place, cell.id(), State { lifetime: cell.lifetime(), ty }));
    }

    fn plain(&mut self, place: Place, value: &dyn PlainData) {
        self.parts.push(Part::Plain(place, value.literal(), value.kept()));
    }

    fn absent(&mut self, place: Place) {
        self.parts.push(Part::Absent(place));
    }

    fn begin(&mut self, place: Place, group: Group) {
        self.parts.push(Part::Begin(place, group));
    }

    fn end(&mut self) {
        self.parts.push(Part::End);
    }
}

/// Compares part by part.
struct Compare<'a> {
    rest: std::slice::Iter<'a, Part>,
    equal: bool,
}

impl Compare<'_> {
    fn next(&mut self, same: impl FnOnce(&Part) -> bool) {
        self.equal = self.equal && self.rest.next().is_some_and(same);
    }
}

impl ModuleVisitor for Compare<'_> {
    fn state(&mut self, place: Place, cell: ModuleCell<'_>) {
        self.next(|p| matches!(p, Part::State(at, id, _) if *id == cell.id() && *at == place));
    }

    fn plain(&mut self, place: Place, value: &dyn PlainData) {
        self.next(|p| matches!(p, Part::Plain(at, _, kept) if *at == place && value.is(&**kept)));
    }

    fn absent(&mut self, place: Place) {
        self.next(|p| matches!(p, Part::Absent(at) if *at == place));
    }

    fn begin(&mut self, place: Place, group: Group) {
        self.next(|p| matches!(p, Part::Begin(at, known) if *known == group && *at == place));
    }

    fn end(&mut self) {
        self.next(|p| matches!(p, Part::End));
    }
}

/// Adds identities, values and lengths to a fingerprint; names are left to the comparison.
struct Mix<'a>(&'a mut Fingerprint);

impl ModuleVisitor for Mix<'_> {
    fn state(&mut self, _: Place, cell: ModuleCell<'_>) {
        self.0.add(cell.id().word());
    }

    fn plain(&mut self, _: Place, value: &dyn PlainData) {
        value.mix(self.0);
    }

    fn absent(&mut self, _: Place) {
        self.0.add(0);
    }

    fn begin(&mut self, _: Place, group: Group) {
        if let Group::List(len) = group {
            self.0.add(len as u64);
        }
    }
}

impl From<ModuleSpec> for AnySpec {
    fn from(spec: ModuleSpec) -> Self {
        AnySpec::Module(Arc::new(spec))
    }
}
