/// The cube of every element.
pub type Cube = ::extype::ops::Unary<CubeFn>;
///Tells [`Cube`] from the other ops of its family.
#[cfg_attr(doc, doc(hidden))]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct CubeFn {}
impl ::core::default::Default for CubeFn {
    fn default() -> Self {
        Self {}
    }
}
impl ::core::cmp::PartialEq for CubeFn {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
const _: () = {
    static __DEF: ::extype::ir::OpDef = ::extype::ir::OpDef::compound(
            "Mine>Cube",
            "cube",
        )
        .in_module(::core::module_path!())
        .with_doc("The cube of every element.")
        .with_kind(::extype::ir::OpKind::UnaryElementwise)
        .with_effect(::extype::ir::Effect::Pure)
        .with_inputs(&[::extype::ir::ArgDef::one("x", ::extype::ir::ArgType::Var("T"))])
        .with_outputs(&[::extype::ir::ArgDef::one("y", ::extype::ir::ArgType::Var("T"))])
        .with_attrs(&[::extype::ir::AttrDef::dtype("T", DTypeSet::FLOAT)]);
    ::extype::__private::inventory::submit!(::extype::ir::OpEntry(& __DEF));
    ::extype::__private::inventory::submit!(
        ::extype::__private::CompoundEntry::new(& __DEF, | attrs, inputs | {
        ::extype::__private::compound_call:: < Cube > (& __DEF, attrs, inputs, | _,
        operands | { let [x] = operands[..] else { return
        ::core::result::Result::Err(::extype::Error::internal("the operands are not those of the row"));
        }; let results = (| x : & ::extype::Tensor | -> ::extype::Result < _ > {
        ops::mul(x, x.square() ?) }) (x) ?;
        ::core::result::Result::Ok(::extype::__private::Results::into_tensors(results))
        }) })
    );
    impl ::extype::ops::NamedOp for CubeFn {
        const NAME: &'static str = "Mine>Cube";
        const RUST_NAME: &'static str = "Cube";
        const DEF: &'static ::extype::ir::OpDef = &__DEF;
        const OPERANDS: ::extype::ops::Operands = ::extype::ops::Operands::Each(1usize);
        const FIELDS: &'static [::extype::ops::Field] = &[];
    }
    impl ::extype::ops::FunctionOf<::extype::ops::family::Unary> for CubeFn {
        const KEPT: ::extype::ops::Kept = ::extype::ops::Kept::Yes;
        fn def(&self) -> &'static ::extype::ir::OpDef {
            &__DEF
        }
        fn attrs(&self) -> ::extype::ir::Attrs {
            ::extype::ir::Attrs::new()
        }
        fn from_attrs(attrs: &::extype::ir::Attrs) -> ::extype::Result<Self> {
            let _ = attrs;
            ::core::result::Result::Ok(Self {})
        }
    }
};
/// The first `count` of a list.
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct Firsts {
    ///The attribute `count`.
    pub count: i64,
}
impl Firsts {
    ///Names the attribute `count` of a call of this op.
    pub const COUNT: ::extype::ir::AttrKey<i64> = ::extype::ir::AttrKey::new("count");
}
impl ::core::cmp::PartialEq for Firsts {
    fn eq(&self, other: &Self) -> bool {
        true && ::core::cmp::PartialEq::eq(&self.count, &other.count)
    }
}
const _: () = {
    static __DEF: ::extype::ir::OpDef = ::extype::ir::OpDef::compound(
            "Mine>Firsts",
            "firsts",
        )
        .in_module(::core::module_path!())
        .with_doc("The first `count` of a list.")
        .with_kind(::extype::ir::OpKind::Standalone)
        .with_effect(::extype::ir::Effect::Pure)
        .with_inputs(
            &[::extype::ir::ArgDef::list("xs", ::extype::ir::ArgType::Var("T"), "N")],
        )
        .with_outputs(&[::extype::ir::ArgDef::one("y", ::extype::ir::ArgType::Var("T"))])
        .with_attrs(
            &[
                ::extype::ir::AttrDef::dtype("T", DTypeSet::FLOAT),
                ::extype::ir::AttrDef::length("N"),
                ::extype::ir::AttrDef::of::<i64>("count"),
            ],
        );
    ::extype::__private::inventory::submit!(::extype::ir::OpEntry(& __DEF));
    ::extype::__private::inventory::submit!(
        ::extype::__private::CompoundEntry::new(& __DEF, | attrs, inputs | {
        ::extype::__private::compound_call:: < Firsts > (& __DEF, attrs, inputs, | op,
        operands | { let results = (firsts) (op, & operands[..]) ?;
        ::core::result::Result::Ok(::extype::__private::Results::into_tensors(results))
        }) })
    );
    impl ::extype::ops::NamedOp for Firsts {
        const NAME: &'static str = "Mine>Firsts";
        const RUST_NAME: &'static str = "Firsts";
        const DEF: &'static ::extype::ir::OpDef = &__DEF;
        const OPERANDS: ::extype::ops::Operands = ::extype::ops::Operands::Sequence;
        const FIELDS: &'static [::extype::ops::Field] = &[
            ::extype::ops::Field {
                name: "count",
                ty: "i64",
            },
        ];
    }
    impl ::extype::ops::Op for Firsts {
        const STATIC_INPUTS: usize = 0usize;
        fn def(&self) -> &'static ::extype::ir::OpDef {
            &__DEF
        }
        fn attrs(&self) -> ::extype::ir::Attrs {
            ::extype::ir::Attrs::new()
                .with(::extype::ir::AttrKey::new("count"), &self.count)
        }
        fn from_parts(
            attrs: &::extype::ir::Attrs,
            statics: &[::extype::Tensor],
        ) -> ::extype::Result<Self> {
            let _ = statics;
            ::core::result::Result::Ok(Self {
                count: attrs.get(::extype::ir::AttrKey::new("count"))?,
            })
        }
    }
    #[diagnostic::do_not_recommend]
    impl ::extype::ops::ApplySeq<Firsts> for ::extype::Tensor {
        type Output = ::extype::Tensor;
        #[track_caller]
        fn apply_seq(op: &Firsts, xs: &[&Self]) -> ::extype::Result<Self::Output> {
            ::extype::ops::Op::run_as(op, xs)
        }
    }
};
