//! Tuples as structures, item by item.

use crate::spec::literal::wrong;
use crate::spec::{
    AnySpec, Fingerprint, LeafIter, Leaves, Literal, SpecContext, StaticData, Structure, TypeSpec,
};
use crate::tensor::Tensor;
use crate::types::{Result, bail};

/// A row holds the items of a tuple, each with the parameter for its type, the one for its spec, and its index; then the
/// number of items.
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
                    other => bail!("expected the spec of a tuple of {} items, got {other}", $n),
                }
            }

            fn stated(&self) -> Self {
                ($(self.$i.stated(),)+)
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

            fn mix_spec(&self, fingerprint: &mut Fingerprint) {
                $(self.$i.mix_spec(fingerprint);)+
            }

            #[inline]
            fn check_fields(&self) -> Result<()> {
                $(self.$i.check_fields()?;)+
                Ok(())
            }

            #[inline]
            fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
                $(self.$i.leaves(out);)+
            }

            #[inline]
            fn into_leaves(self, out: &mut Vec<Tensor>) {
                $(self.$i.into_leaves(out);)+
            }

            #[inline]
            fn from_leaves(spec: &Self::Spec, leaves: &mut LeafIter) -> Result<Self> {
                Ok(($($t::from_leaves(&spec.$i, leaves)?,)+))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($t: StaticData),+> StaticData for ($($t,)+) {
            fn to_literal(&self) -> Literal {
                Literal::Tuple([$(self.$i.to_literal()),+].into())
            }

            fn from_literal(literal: &Literal) -> Result<Self> {
                match literal {
                    // Earlier versions of this crate wrote tuples as lists.
                    Literal::Tuple(items) | Literal::List(items) if items.len() == $n => {
                        Ok(($($t::from_literal(&items[$i])?,)+))
                    }
                    other => wrong(concat!("a tuple of ", $n), other),
                }
            }

            fn same(&self, other: &Self) -> bool {
                $(self.$i.same(&other.$i))&&+
            }

            fn mix_literal(&self, fingerprint: &mut Fingerprint) {
                $(self.$i.mix_literal(fingerprint);)+
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
