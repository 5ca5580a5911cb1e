//! The type of a module, which is part of the key of its traces.

use std::any::{Any, TypeId};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Weak};

use super::{
    AnySpec, Fingerprint, Group, Literal, Module, ModuleCell, ModuleVisitor, Place, PlainData,
    TraceType, mix_hash,
};
use crate::tensor::Identity;
use crate::types::TensorType;

/// The type of a module as an argument: its whole structure, with the identity of its state and
/// its plain data. State is held weakly.
#[derive(Clone)]
pub struct ModuleSpec {
    type_id: TypeId,
    pub(super) name: &'static str,
    pub(super) parts: Vec<Part>,
}

/// One part of a module, as a visitor sees it.
#[derive(Clone)]
pub(super) enum Part {
    State(Place, Identity, CellState),
    Plain(Place, Literal, Arc<dyn Any + Send + Sync>),
    Absent(Place),
    Begin(Place, Group),
    End,
}

/// The data of a variable or cell besides its identity.
#[derive(Clone)]
pub(super) struct CellState {
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

    /// True if both belong to one instance: they have the same state. Plain fields may differ.
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

    /// True if state of the module was dropped, so that no module has this spec any more.
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

    /// True if this is the spec of `module`, compared without making another spec.
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
        let ty = cell.peek().map(|v| v.tensor_type().clone());
        self.parts.push(Part::State(place, cell.id(), CellState { lifetime: cell.lifetime(), ty }));
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

impl TraceType for ModuleSpec {
    fn equals(&self, other: &dyn TraceType) -> bool {
        other.downcast_ref::<Self>() == Some(self)
    }

    fn mix(&self, fingerprint: &mut Fingerprint) {
        mix_hash(self, fingerprint);
    }

    fn is_dead(&self) -> bool {
        ModuleSpec::is_dead(self)
    }

    fn kind(&self) -> &'static str {
        "module"
    }
}

impl AnySpec {
    /// False for the types of two instances of modules.
    pub(crate) fn same_instance(&self, other: &AnySpec) -> bool {
        match (self.find_custom::<ModuleSpec>(), other.find_custom()) {
            (Some(one), Some(other)) => one.same_instance(other),
            _ => true,
        }
    }
}

impl From<ModuleSpec> for AnySpec {
    fn from(spec: ModuleSpec) -> Self {
        AnySpec::Custom(Arc::new(spec))
    }
}
