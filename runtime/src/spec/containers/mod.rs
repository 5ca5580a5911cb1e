//! Containers: vectors, arrays, options, boxes; tuples and maps in files of their own. A container of
//! structures is a structure, one of specs is its spec, and one of static data is static data.

mod map;
mod tuple;

use super::{
    AnySpec, Fingerprint, LeafIter, Leaves, Level, Literal, SpecContext, StaticData, Structure,
    TypeSpec,
};
use crate::tensor::Tensor;
use crate::types::{Result, bail, deep, err};

#[diagnostic::do_not_recommend]
impl<S: TypeSpec> TypeSpec for Vec<S> {
    type Value = Vec<S::Value>;

    fn to_any(&self) -> AnySpec {
        deep(|| AnySpec::List(self.iter().map(S::to_any).collect()))
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        deep(|| match any {
            AnySpec::List(items) => items.iter().map(S::from_any).collect(),
            other => bail!("expected the spec of a list, got {other}"),
        })
    }

    fn stated(&self) -> Self {
        self.iter().map(S::stated).collect()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Structure> Structure for Vec<T> {
    type Spec = Vec<T::Spec>;

    fn spec_in(&self, context: &mut SpecContext) -> Self::Spec {
        Level::within(|| self.iter().map(|x| x.spec_in(context)).collect())
    }

    fn has_spec(&self, spec: &Self::Spec, context: &mut SpecContext) -> bool {
        deep(|| {
            self.len() == spec.len() && self.iter().zip(spec).all(|(x, s)| x.has_spec(s, context))
        })
    }

    fn mix_spec(&self, fingerprint: &mut Fingerprint) {
        deep(|| {
            fingerprint.add(self.len() as u64);
            self.iter().for_each(|x| x.mix_spec(fingerprint));
        });
    }

    #[inline]
    fn check_fields(&self) -> Result<()> {
        self.iter().try_for_each(Structure::check_fields)
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        Level::within(|| {
            self.iter().for_each(|x| x.leaves(out));
        });
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        Level::within(|| {
            self.into_iter().for_each(|x| x.into_leaves(out));
        });
    }

    fn from_leaves(spec: &Self::Spec, leaves: &mut LeafIter) -> Result<Self> {
        Level::within(|| {
            // `collect` into a `Result` can't reserve the length in advance.
            let mut items = Vec::with_capacity(spec.len());
            for s in spec {
                items.push(T::from_leaves(s, leaves)?);
            }
            Ok(items)
        })
    }
}

#[diagnostic::do_not_recommend]
impl<T: StaticData> StaticData for Vec<T> {
    fn to_literal(&self) -> Literal {
        Level::within(|| T::list_to_literal(self))
    }

    fn from_literal(literal: &Literal) -> Result<Self> {
        deep(|| T::list_from_literal(literal))
    }

    fn same(&self, other: &Self) -> bool {
        deep(|| same_items(self, other))
    }

    fn mix_literal(&self, fingerprint: &mut Fingerprint) {
        Level::within(|| {
            fingerprint.add(self.len() as u64);
            self.iter().for_each(|x| x.mix_literal(fingerprint));
        });
    }
}

#[diagnostic::do_not_recommend]
impl<S: TypeSpec, const N: usize> TypeSpec for [S; N] {
    type Value = [S::Value; N];

    fn to_any(&self) -> AnySpec {
        AnySpec::Tuple(self.iter().map(S::to_any).collect())
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        match any {
            AnySpec::Tuple(items) if items.len() == N => {
                let items: Vec<S> = items.iter().map(S::from_any).collect::<Result<_>>()?;
                items.try_into().map_err(|_| err!(Internal, "length was checked"))
            }
            other => bail!("expected the spec of {N} entries, got {other}"),
        }
    }

    fn stated(&self) -> Self {
        std::array::from_fn(|i| self[i].stated())
    }
}

#[diagnostic::do_not_recommend]
impl<T: Structure, const N: usize> Structure for [T; N] {
    type Spec = [T::Spec; N];

    fn spec_in(&self, context: &mut SpecContext) -> Self::Spec {
        std::array::from_fn(|i| self[i].spec_in(context))
    }

    fn has_spec(&self, spec: &Self::Spec, context: &mut SpecContext) -> bool {
        self.iter().zip(spec).all(|(x, s)| x.has_spec(s, context))
    }

    fn mix_spec(&self, fingerprint: &mut Fingerprint) {
        self.iter().for_each(|x| x.mix_spec(fingerprint));
    }

    #[inline]
    fn check_fields(&self) -> Result<()> {
        self.iter().try_for_each(Structure::check_fields)
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        self.iter().for_each(|x| x.leaves(out));
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        self.into_iter().for_each(|x| x.into_leaves(out));
    }

    fn from_leaves(spec: &Self::Spec, leaves: &mut LeafIter) -> Result<Self> {
        let items: Vec<T> =
            spec.iter().map(|s| T::from_leaves(s, leaves)).collect::<Result<_>>()?;
        items.try_into().map_err(|_| err!(Internal, "one entry for each spec"))
    }
}

#[diagnostic::do_not_recommend]
impl<T: StaticData, const N: usize> StaticData for [T; N] {
    fn to_literal(&self) -> Literal {
        T::list_to_literal(self)
    }

    fn from_literal(literal: &Literal) -> Result<Self> {
        let items = Vec::<T>::from_literal(literal)?;
        items.try_into().map_err(|v: Vec<T>| err!("expected {N} entries, got {}", v.len()))
    }

    fn same(&self, other: &Self) -> bool {
        same_items(self, other)
    }

    fn mix_literal(&self, fingerprint: &mut Fingerprint) {
        self.iter().for_each(|x| x.mix_literal(fingerprint));
    }
}

fn same_items<T: StaticData>(a: &[T], b: &[T]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
}

#[diagnostic::do_not_recommend]
impl<S: TypeSpec> TypeSpec for Option<S> {
    type Value = Option<S::Value>;

    fn to_any(&self) -> AnySpec {
        AnySpec::Optional(self.as_ref().map(|s| s.to_any().into()))
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        match any {
            AnySpec::Optional(inner) => inner.as_ref().map(|s| S::from_any(s)).transpose(),
            other => bail!("expected the spec of an option, got {other}"),
        }
    }

    fn stated(&self) -> Self {
        self.as_ref().map(S::stated)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Structure> Structure for Option<T> {
    type Spec = Option<T::Spec>;

    fn spec_in(&self, context: &mut SpecContext) -> Self::Spec {
        self.as_ref().map(|x| x.spec_in(context))
    }

    fn has_spec(&self, spec: &Self::Spec, context: &mut SpecContext) -> bool {
        match (self, spec) {
            (Some(x), Some(s)) => x.has_spec(s, context),
            (None, None) => true,
            _ => false,
        }
    }

    fn mix_spec(&self, fingerprint: &mut Fingerprint) {
        fingerprint.add(u64::from(self.is_some()));
        if let Some(x) = self {
            x.mix_spec(fingerprint);
        }
    }

    #[inline]
    fn check_fields(&self) -> Result<()> {
        self.iter().try_for_each(Structure::check_fields)
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        if let Some(x) = self {
            x.leaves(out);
        }
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        if let Some(x) = self {
            x.into_leaves(out);
        }
    }

    fn from_leaves(spec: &Self::Spec, leaves: &mut LeafIter) -> Result<Self> {
        spec.as_ref().map(|s| T::from_leaves(s, leaves)).transpose()
    }
}

/// `None` is written as `Literal::None`, and `Some(x)` as `x` is. Options in options would then share a
/// literal, so each further `Some` around a `None` adds a list: `Some(None)` is `[None]`, `Some(Some(None))`
/// is `[[None]]`.
#[diagnostic::do_not_recommend]
impl<T: StaticData> StaticData for Option<T> {
    fn to_literal(&self) -> Literal {
        match self.as_ref().map(T::to_literal) {
            None => Literal::None,
            Some(inner) if is_wrapped_none(&inner) => Literal::List([inner].into()),
            Some(inner) => inner,
        }
    }

    fn from_literal(literal: &Literal) -> Result<Self> {
        match literal {
            Literal::None => Ok(None),
            Literal::List(items) if is_wrapped_none(literal) => {
                items.first().map(T::from_literal).transpose()
            }
            other => T::from_literal(other).map(Some),
        }
    }

    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(a), Some(b)) => a.same(b),
            (None, None) => true,
            _ => false,
        }
    }

    fn mix_literal(&self, fingerprint: &mut Fingerprint) {
        fingerprint.add(u64::from(self.is_some()));
        if let Some(x) = self {
            x.mix_literal(fingerprint);
        }
    }
}

/// True for `None`, `[None]`, `[[None]]` and so on.
fn is_wrapped_none(literal: &Literal) -> bool {
    match literal {
        Literal::None => true,
        Literal::List(items) => matches!(&items[..], [one] if is_wrapped_none(one)),
        _ => false,
    }
}

#[diagnostic::do_not_recommend]
impl<S: TypeSpec> TypeSpec for Box<S> {
    type Value = Box<S::Value>;

    fn to_any(&self) -> AnySpec {
        deep(|| S::to_any(self))
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        deep(|| S::from_any(any).map(Box::new))
    }

    fn stated(&self) -> Self {
        Box::new((**self).stated())
    }
}

/// A box flattens like its content; recursive types are made with it.
#[diagnostic::do_not_recommend]
impl<T: Structure> Structure for Box<T> {
    type Spec = Box<T::Spec>;

    fn spec_in(&self, context: &mut SpecContext) -> Self::Spec {
        Level::within(|| Box::new(T::spec_in(self, context)))
    }

    fn has_spec(&self, spec: &Self::Spec, context: &mut SpecContext) -> bool {
        deep(|| T::has_spec(self, spec, context))
    }

    fn mix_spec(&self, fingerprint: &mut Fingerprint) {
        deep(|| {
            T::mix_spec(self, fingerprint);
        });
    }

    #[inline]
    fn check_fields(&self) -> Result<()> {
        (**self).check_fields()
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        Level::within(|| {
            T::leaves(self, out);
        });
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        Level::within(|| {
            T::into_leaves(*self, out);
        });
    }

    fn from_leaves(spec: &Self::Spec, leaves: &mut LeafIter) -> Result<Self> {
        deep(|| T::from_leaves(spec, leaves).map(Box::new))
    }
}

#[diagnostic::do_not_recommend]
impl<T: StaticData> StaticData for Box<T> {
    fn to_literal(&self) -> Literal {
        Level::within(|| T::to_literal(self))
    }

    fn from_literal(literal: &Literal) -> Result<Self> {
        deep(|| T::from_literal(literal).map(Box::new))
    }

    fn same(&self, other: &Self) -> bool {
        deep(|| T::same(self, other))
    }

    fn mix_literal(&self, fingerprint: &mut Fingerprint) {
        Level::within(|| {
            T::mix_literal(self, fingerprint);
        });
    }
}
