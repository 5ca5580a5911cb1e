//! Containers of structures: vectors, arrays, options, tuples, string-keyed maps.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{AnySpec, LeafIter, Leaves, SpecContext, Structure, TypeSpec};
use crate::tensor::Tensor;
use crate::types::{Result, bail};

#[diagnostic::do_not_recommend]
impl<S: TypeSpec> TypeSpec for Vec<S> {
    type Value = Vec<S::Value>;

    fn to_any(&self) -> AnySpec {
        AnySpec::List(self.iter().map(S::to_any).collect())
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        match any {
            AnySpec::List(items) => items.iter().map(S::from_any).collect(),
            other => bail!("expected the spec of a list, got {other}"),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Structure> Structure for Vec<T> {
    type Spec = Vec<T::Spec>;

    fn spec_in(&self, context: &mut SpecContext) -> Self::Spec {
        self.iter().map(|x| x.spec_in(context)).collect()
    }

    fn has_spec(&self, spec: &Self::Spec, context: &mut SpecContext) -> bool {
        self.len() == spec.len() && self.iter().zip(spec).all(|(x, s)| x.has_spec(s, context))
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        self.iter().for_each(|x| x.leaves(out));
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        self.into_iter().for_each(|x| x.into_leaves(out));
    }

    fn from_leaves(spec: &Self::Spec, leaves: &mut LeafIter) -> Result<Self> {
        // A list that is collected from results does not know how long it will be.
        let mut items = Vec::with_capacity(spec.len());
        for s in spec {
            items.push(T::from_leaves(s, leaves)?);
        }
        Ok(items)
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
                items.try_into().map_err(|_| crate::types::err!(Internal, "length was checked"))
            }
            other => bail!("expected the spec of {N} entries, got {other}"),
        }
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

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        self.iter().for_each(|x| x.leaves(out));
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        self.into_iter().for_each(|x| x.into_leaves(out));
    }

    fn from_leaves(spec: &Self::Spec, leaves: &mut LeafIter) -> Result<Self> {
        let items: Vec<T> =
            spec.iter().map(|s| T::from_leaves(s, leaves)).collect::<Result<_>>()?;
        items.try_into().map_err(|_| crate::types::err!(Internal, "one entry for each spec"))
    }
}

#[diagnostic::do_not_recommend]
impl<S: TypeSpec> TypeSpec for Option<S> {
    type Value = Option<S::Value>;

    fn to_any(&self) -> AnySpec {
        AnySpec::Optional(self.as_ref().map(|s| Arc::new(s.to_any())))
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        match any {
            AnySpec::Optional(inner) => inner.as_ref().map(|s| S::from_any(s)).transpose(),
            other => bail!("expected the spec of an option, got {other}"),
        }
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

#[diagnostic::do_not_recommend]
impl<S: TypeSpec> TypeSpec for BTreeMap<String, S> {
    type Value = BTreeMap<String, S::Value>;

    fn to_any(&self) -> AnySpec {
        AnySpec::Map(Arc::new(self.iter().map(|(k, s)| (k.clone(), s.to_any())).collect()))
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        match any {
            AnySpec::Map(m) => m.iter().map(|(k, s)| Ok((k.clone(), S::from_any(s)?))).collect(),
            other => bail!("expected the spec of a map, got {other}"),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Structure> Structure for BTreeMap<String, T> {
    type Spec = BTreeMap<String, T::Spec>;

    fn spec_in(&self, context: &mut SpecContext) -> Self::Spec {
        self.iter().map(|(k, x)| (k.clone(), x.spec_in(context))).collect()
    }

    fn has_spec(&self, spec: &Self::Spec, context: &mut SpecContext) -> bool {
        self.len() == spec.len()
            && self.iter().zip(spec).all(|((k, x), (l, s))| k == l && x.has_spec(s, context))
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        self.values().for_each(|x| x.leaves(out));
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        self.into_values().for_each(|x| x.into_leaves(out));
    }

    fn from_leaves(spec: &Self::Spec, leaves: &mut LeafIter) -> Result<Self> {
        let mut entries = Vec::with_capacity(spec.len());
        for (k, s) in spec {
            entries.push((k.clone(), T::from_leaves(s, leaves)?));
        }
        Ok(entries.into_iter().collect())
    }
}

#[diagnostic::do_not_recommend]
impl<S: TypeSpec> TypeSpec for Box<S> {
    type Value = Box<S::Value>;

    fn to_any(&self) -> AnySpec {
        S::to_any(self)
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        S::from_any(any).map(Box::new)
    }
}

/// A box is its content: recursive types are made with it.
#[diagnostic::do_not_recommend]
impl<T: Structure> Structure for Box<T> {
    type Spec = Box<T::Spec>;

    fn spec_in(&self, context: &mut SpecContext) -> Self::Spec {
        Box::new(T::spec_in(self, context))
    }

    fn has_spec(&self, spec: &Self::Spec, context: &mut SpecContext) -> bool {
        T::has_spec(self, spec, context)
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        T::leaves(self, out);
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        T::into_leaves(*self, out);
    }

    fn from_leaves(spec: &Self::Spec, leaves: &mut LeafIter) -> Result<Self> {
        T::from_leaves(spec, leaves).map(Box::new)
    }
}

macro_rules! tuples {
    ($(($($t:ident $s:ident $i:tt),+) $n:literal;)*) => {
        $(#[diagnostic::do_not_recommend]
        impl<$($s: TypeSpec),+> TypeSpec for ($($s,)+) {
            type Value = ($($s::Value,)+);

            fn to_any(&self) -> AnySpec {
                AnySpec::Tuple([$(self.$i.to_any()),+].into())
            }

            fn from_any(any: &AnySpec) -> Result<Self> {
                match any {
                    AnySpec::Tuple(items) if items.len() == $n => Ok(($($s::from_any(&items[$i])?,)+)),
                    other => bail!("expected the spec of a tuple of {}, got {other}", $n),
                }
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($t: Structure),+> Structure for ($($t,)+) {
            type Spec = ($($t::Spec,)+);

            fn spec_in(&self, context: &mut SpecContext) -> Self::Spec {
                ($(self.$i.spec_in(context),)+)
            }

            fn has_spec(&self, spec: &Self::Spec, context: &mut SpecContext) -> bool {
                $(self.$i.has_spec(&spec.$i, context))&&+
            }

            fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
                $(self.$i.leaves(out);)+
            }

            fn into_leaves(self, out: &mut Vec<Tensor>) {
                $(self.$i.into_leaves(out);)+
            }

            fn from_leaves(spec: &Self::Spec, leaves: &mut LeafIter) -> Result<Self> {
                Ok(($($t::from_leaves(&spec.$i, leaves)?,)+))
            }
        })*
    };
}
tuples! {
    (A SA 0) 1;
    (A SA 0, B SB 1) 2;
    (A SA 0, B SB 1, C SC 2) 3;
    (A SA 0, B SB 1, C SC 2, D SD 3) 4;
    (A SA 0, B SB 1, C SC 2, D SD 3, E SE 4) 5;
    (A SA 0, B SB 1, C SC 2, D SD 3, E SE 4, F SF 5) 6;
    (A SA 0, B SB 1, C SC 2, D SD 3, E SE 4, F SF 5, G SG 6) 7;
    (A SA 0, B SB 1, C SC 2, D SD 3, E SE 4, F SF 5, G SG 6, H SH 7) 8;
    (A SA 0, B SB 1, C SC 2, D SD 3, E SE 4, F SF 5, G SG 6, H SH 7, I SI 8) 9;
    (A SA 0, B SB 1, C SC 2, D SD 3, E SE 4, F SF 5, G SG 6, H SH 7, I SI 8, J SJ 9) 10;
    (A SA 0, B SB 1, C SC 2, D SD 3, E SE 4, F SF 5, G SG 6, H SH 7, I SI 8, J SJ 9, K SK 10) 11;
    (A SA 0, B SB 1, C SC 2, D SD 3, E SE 4, F SF 5, G SG 6, H SH 7, I SI 8, J SJ 9, K SK 10, L SL 11) 12;
}
