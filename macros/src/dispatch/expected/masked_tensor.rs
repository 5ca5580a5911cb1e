impl MaskedTensor {
    #[allow(clippy::needless_pass_by_value)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        op.call(&x.values)
    }
    #[allow(clippy::needless_pass_by_value)]
    fn tanh(x: &Self) -> Result<Self> {
        todo!()
    }
    #[allow(clippy::needless_pass_by_value)]
    fn leaky_relu(x: &Self, alpha: f32) -> Result<Self> {
        todo!()
    }
    #[allow(clippy::needless_pass_by_value)]
    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        todo!()
    }
    #[allow(clippy::needless_pass_by_value)]
    fn reduce_sum(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Tensor> {
        todo!()
    }
}
const _: () = {
    const _: () = {
        ::extype::__private::fits_operands::<
            ::extype::ops::Tanh,
        >("Tanh", 0usize, 1usize, 1usize, false);
        ::extype::__private::fits_attributes::<::extype::ops::Tanh>("Tanh", &[]);
    };
    const _: () = {
        ::extype::__private::fits_operands::<
            ::extype::ops::LeakyRelu,
        >("LeakyRelu", 0usize, 1usize, 1usize, false);
        ::extype::__private::fits_attributes::<
            ::extype::ops::LeakyRelu,
        >("LeakyRelu", &["alpha"]);
    };
    const _: () = {
        ::extype::__private::fits_operands::<
            ::extype::ops::ReduceSum,
        >("reduce_sum", 0usize, 1usize, 1usize, false);
        ::extype::__private::fits_attributes::<
            ::extype::ops::ReduceSum,
        >("reduce_sum", &["axes", "keep_dims"]);
    };
    #[automatically_derived]
    impl ::extype::ops::UnaryElementwise for MaskedTensor {
        type Output = MaskedTensor;
        #[track_caller]
        fn unary<FamilyOp: ::extype::ops::UnaryOp>(
            op: &FamilyOp,
            operand0: &MaskedTensor,
        ) -> ::extype::Result<Self::Output> {
            ::extype::__private::dispatch::handled::<
                MaskedTensor,
                _,
                _,
            >(
                op,
                || {
                    ::extype::Structure::check_fields(operand0)?;
                    if ::extype::__private::downcast_op::<::extype::ops::Tanh, _>(op)
                        .is_some()
                    {
                        return <MaskedTensor>::tanh(operand0);
                    }
                    if let ::core::option::Option::Some(single) = ::extype::__private::downcast_op::<
                        ::extype::ops::LeakyRelu,
                        _,
                    >(op) {
                        return {
                            let __extype_attribute1 = ::core::clone::Clone::clone(
                                &single.alpha,
                            );
                            <MaskedTensor>::leaky_relu(operand0, __extype_attribute1)
                        };
                    }
                    <MaskedTensor>::unary(::core::clone::Clone::clone(op), operand0)
                },
            )
        }
    }
    ::extype::__private::inventory::submit! {
        ::extype::__private::dispatch::DispatchEntry { owner :
        ::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > (), target :
        ::extype::__private::dispatch::Target::Family(::extype::ir::OpKind::UnaryElementwise),
        operands : ::extype::__private::dispatch::Operands::Each(const { &
        [::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > ()] }), handler :
        ::extype::__private::dispatch::unary:: < MaskedTensor >, }
    }
    ::extype::__private::inventory::submit! {
        ::extype::__private::dispatch::DispatchEntry { owner :
        ::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > (), target :
        ::extype::__private::dispatch::Target::Op(::extype::__private::op_name:: <
        ::extype::ops::Tanh >), operands :
        ::extype::__private::dispatch::Operands::Each(const { &
        [::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > ()] }), handler :
        ::extype::__private::dispatch::apply1:: < MaskedTensor, ::extype::ops::Tanh >, }
    }
    ::extype::__private::inventory::submit! {
        ::extype::__private::dispatch::DispatchEntry { owner :
        ::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > (), target :
        ::extype::__private::dispatch::Target::Op(::extype::__private::op_name:: <
        ::extype::ops::LeakyRelu >), operands :
        ::extype::__private::dispatch::Operands::Each(const { &
        [::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > ()] }), handler :
        ::extype::__private::dispatch::apply1:: < MaskedTensor, ::extype::ops::LeakyRelu
        >, }
    }
    #[automatically_derived]
    impl ::extype::ops::BinaryElementwise<MaskedTensor> for MaskedTensor {
        type Output = MaskedTensor;
        #[track_caller]
        fn binary<FamilyOp: ::extype::ops::BinaryOp>(
            op: &FamilyOp,
            operand0: &MaskedTensor,
            operand1: &MaskedTensor,
        ) -> ::extype::Result<Self::Output> {
            ::extype::__private::dispatch::handled::<
                MaskedTensor,
                _,
                _,
            >(
                op,
                || {
                    ::extype::Structure::check_fields(operand0)?;
                    ::extype::Structure::check_fields(operand1)?;
                    <MaskedTensor>::binary(
                        ::core::clone::Clone::clone(op),
                        ::extype::ops::Pair::Both(operand0, operand1),
                    )
                },
            )
        }
    }
    ::extype::__private::inventory::submit! {
        ::extype::__private::dispatch::DispatchEntry { owner :
        ::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > (), target :
        ::extype::__private::dispatch::Target::Family(::extype::ir::OpKind::BinaryElementwise),
        operands : ::extype::__private::dispatch::Operands::Each(const { &
        [::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > (),
        ::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > ()] }), handler :
        ::extype::__private::dispatch::binary:: < MaskedTensor, MaskedTensor >, }
    }
    #[automatically_derived]
    impl ::extype::ops::BinaryElementwise<Tensor> for MaskedTensor {
        type Output = MaskedTensor;
        #[track_caller]
        fn binary<FamilyOp: ::extype::ops::BinaryOp>(
            op: &FamilyOp,
            operand0: &MaskedTensor,
            operand1: &Tensor,
        ) -> ::extype::Result<Self::Output> {
            ::extype::__private::dispatch::handled::<
                MaskedTensor,
                _,
                _,
            >(
                op,
                || {
                    ::extype::Structure::check_fields(operand0)?;
                    <MaskedTensor>::binary(
                        ::core::clone::Clone::clone(op),
                        ::extype::ops::Pair::Left(operand0, operand1),
                    )
                },
            )
        }
    }
    ::extype::__private::inventory::submit! {
        ::extype::__private::dispatch::DispatchEntry { owner :
        ::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > (), target :
        ::extype::__private::dispatch::Target::Family(::extype::ir::OpKind::BinaryElementwise),
        operands : ::extype::__private::dispatch::Operands::Each(const { &
        [::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > (),
        ::extype::__private::dispatch::TypeRef::of:: < Tensor > ()] }), handler :
        ::extype::__private::dispatch::binary:: < MaskedTensor, Tensor >, }
    }
    #[automatically_derived]
    impl ::extype::ops::BinaryElementwise<MaskedTensor> for Tensor {
        type Output = MaskedTensor;
        #[track_caller]
        fn binary<FamilyOp: ::extype::ops::BinaryOp>(
            op: &FamilyOp,
            operand0: &Tensor,
            operand1: &MaskedTensor,
        ) -> ::extype::Result<Self::Output> {
            ::extype::__private::dispatch::handled::<
                MaskedTensor,
                _,
                _,
            >(
                op,
                || {
                    ::extype::Structure::check_fields(operand1)?;
                    <MaskedTensor>::binary(
                        ::core::clone::Clone::clone(op),
                        ::extype::ops::Pair::Right(operand0, operand1),
                    )
                },
            )
        }
    }
    ::extype::__private::inventory::submit! {
        ::extype::__private::dispatch::DispatchEntry { owner :
        ::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > (), target :
        ::extype::__private::dispatch::Target::Family(::extype::ir::OpKind::BinaryElementwise),
        operands : ::extype::__private::dispatch::Operands::Each(const { &
        [::extype::__private::dispatch::TypeRef::of:: < Tensor > (),
        ::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > ()] }), handler :
        ::extype::__private::dispatch::binary:: < Tensor, MaskedTensor >, }
    }
    #[automatically_derived]
    impl ::extype::ops::Apply1<::extype::ops::ReduceSum> for MaskedTensor {
        type Output = Tensor;
        #[track_caller]
        fn apply1(
            op: &::extype::ops::ReduceSum,
            operand0: &MaskedTensor,
        ) -> ::extype::Result<Self::Output> {
            ::extype::__private::dispatch::handled::<
                MaskedTensor,
                _,
                _,
            >(
                op,
                || {
                    ::extype::Structure::check_fields(operand0)?;
                    {
                        let __extype_attribute1 = &op.axes;
                        let __extype_attribute2 = ::core::clone::Clone::clone(
                            &op.keep_dims,
                        );
                        <MaskedTensor>::reduce_sum(
                            operand0,
                            __extype_attribute1,
                            __extype_attribute2,
                        )
                    }
                },
            )
        }
    }
    ::extype::__private::inventory::submit! {
        ::extype::__private::dispatch::DispatchEntry { owner :
        ::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > (), target :
        ::extype::__private::dispatch::Target::Op(::extype::__private::op_name:: <
        ::extype::ops::ReduceSum >), operands :
        ::extype::__private::dispatch::Operands::Each(const { &
        [::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > ()] }), handler :
        ::extype::__private::dispatch::apply1:: < MaskedTensor, ::extype::ops::ReduceSum
        >, }
    }
    ::extype::__number_operators!(
        [] MaskedTensor, [], Add add add[f64, i64], Sub sub sub[f64, i64], Mul mul
        mul[f64, i64], Div div div[f64, i64], Rem rem rem[f64, i64], BitAnd bitand
        bitand[i64, bool], BitOr bitor bitor[i64, bool], BitXor bitxor bitxor[i64, bool],
        Shl shl left_shift[i64], Shr shr right_shift[i64]
    );
    ::extype::__assigning_operators!(
        [] MaskedTensor, [], AddAssign add_assign Add add, SubAssign sub_assign Sub sub,
        MulAssign mul_assign Mul mul, DivAssign div_assign Div div, RemAssign rem_assign
        Rem rem, BitAndAssign bitand_assign BitAnd bitand, BitOrAssign bitor_assign BitOr
        bitor, BitXorAssign bitxor_assign BitXor bitxor, ShlAssign shl_assign Shl shl,
        ShrAssign shr_assign Shr shr
    );
};
