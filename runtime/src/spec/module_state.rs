//! Types that can be fields of a module.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};

use super::{Group, Module, ModuleCell, ModuleVisitor, Place, StaticData, VariableCopies};
use crate::tensor::{Late, Variable};
use crate::types::{Result, bail};

/// A type that can be a field of a module: `Variable`, `Late<Variable>`, a module, or an option, vector,
/// array, tuple or map of these. The keys of a map are ordered static data. `Box<M>` is a module if `M` is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a field of a module",
    label = "neither a `Variable`, a `Late<Variable>`, nor a module",
    note = "if it is static data, mark the field `#[plain]`: its value is then part of a trace's key"
)]
pub trait ModuleState {
    /// Calls the visitor for each variable, cell and plain value in this field. `place` is the field's name or
    /// its index in a list.
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

    /// The copy of this field that [`Module::deep_clone`] makes.
    ///
    /// # Errors
    /// `Unimplemented` unless the impl defines it.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{ModuleState, VariableCopies};
    /// #[derive(Module)]
    /// struct Line {
    ///     slope: Variable,
    /// }
    ///
    /// let lines = vec![Line { slope: Variable::new(2.0f32)? }];
    /// let copies = VariableCopies::of(&lines[0])?;
    /// assert_ne!(lines.copied_at(&copies)?[0].slope.id(), lines[0].slope.id());
    /// # Ok::<(), Error>(())
    /// ```
    fn copied_at(&self, copies: &VariableCopies) -> Result<Self>
    where
        Self: Sized,
    {
        let _ = copies;
        bail!(
            Unimplemented,
            "`{}` implements `ModuleState` by hand: write its `copied_at` as well, so that it can be copied",
            std::any::type_name::<Self>()
        )
    }
}

impl ModuleState for Variable {
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
        visitor.state(place, ModuleCell::Variable(self));
    }

    fn copied_at(&self, copies: &VariableCopies) -> Result<Self> {
        Ok(copies.of_variable(self))
    }
}

impl ModuleState for Late<Variable> {
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
        visitor.state(place, ModuleCell::Late(self));
    }

    fn copied_at(&self, copies: &VariableCopies) -> Result<Self> {
        Ok(Late::with(self.peek().map(|variable| copies.of_variable(variable))))
    }
}

impl<T: Module> ModuleState for T {
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
        visitor.begin(place, Group::Module);
        self.visit(visitor);
        visitor.end();
    }

    fn copied_at(&self, copies: &VariableCopies) -> Result<Self> {
        self.copied(copies)
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

    fn copied_at(&self, copies: &VariableCopies) -> Result<Self> {
        self.iter().map(|x| x.copied_at(copies)).collect()
    }
}

impl<T: ModuleState, const N: usize> ModuleState for [T; N] {
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
        visit_list(self, place, visitor);
    }

    fn copied_at(&self, copies: &VariableCopies) -> Result<Self> {
        let copied: Vec<T> = self.iter().map(|x| x.copied_at(copies)).collect::<Result<_>>()?;
        copied.try_into().or_else(|_| bail!(Internal, "the length of an array changed"))
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

            fn copied_at(&self, copies: &VariableCopies) -> Result<Self> {
                Ok(($(self.$i.copied_at(copies)?,)*))
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

/// Visits a map as a list of pairs, each a plain key and a value; `entries` come sorted by key.
fn visit_map<'a, K: StaticData, T: ModuleState + 'a>(
    entries: impl ExactSizeIterator<Item = (&'a K, &'a T)>,
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

impl<K: StaticData + Ord, T: ModuleState> ModuleState for BTreeMap<K, T> {
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
        visit_map(self.iter(), place, visitor);
    }

    fn copied_at(&self, copies: &VariableCopies) -> Result<Self> {
        self.iter().map(|(key, x)| Ok((key.clone(), x.copied_at(copies)?))).collect()
    }
}

impl<K, T, S> ModuleState for HashMap<K, T, S>
where
    K: StaticData + Ord + Hash,
    T: ModuleState,
    S: BuildHasher + Clone,
{
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
        let mut entries: Vec<_> = self.iter().collect();
        entries.sort_unstable_by_key(|(key, _)| *key);
        visit_map(entries.into_iter(), place, visitor);
    }

    fn copied_at(&self, copies: &VariableCopies) -> Result<Self> {
        let mut copied = HashMap::with_capacity_and_hasher(self.len(), self.hasher().clone());
        for (key, x) in self {
            copied.insert(key.clone(), x.copied_at(copies)?);
        }
        Ok(copied)
    }
}

impl<T: Module> Module for Box<T> {
    fn visit(&self, visitor: &mut dyn ModuleVisitor) {
        (**self).visit(visitor);
    }

    fn copied(&self, copies: &VariableCopies) -> Result<Self> {
        (**self).copied(copies).map(Box::new)
    }
}

impl<T: ModuleState> ModuleState for Option<T> {
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
        match self {
            Some(x) => x.visit_at(place, visitor),
            None => visitor.absent(place),
        }
    }

    fn copied_at(&self, copies: &VariableCopies) -> Result<Self> {
        self.as_ref().map(|x| x.copied_at(copies)).transpose()
    }
}
