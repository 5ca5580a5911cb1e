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
    ::extype::__overridden!(__ExtypeOp0 = Tanh);
    ::extype::__overridden!(__ExtypeOp1 = LeakyRelu);
    ::extype::__overridden!(__ExtypeOp2 = fn reduce_sum);
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
                    if ::extype::__private::downcast_op::<
                        <__ExtypeOp0 as ::extype::__private::Overridden>::Op,
                        _,
                    >(op)
                        .is_some()
                    {
                        return <MaskedTensor>::tanh(operand0);
                    }
                    if let ::core::option::Option::Some(single) = ::extype::__private::downcast_op::<
                        <__ExtypeOp1 as ::extype::__private::Overridden>::Op,
                        _,
                    >(op) {
                        return <MaskedTensor>::leaky_relu(
                            operand0,
                            ::core::clone::Clone::clone(&single.alpha),
                        );
                    }
                    <MaskedTensor>::unary(::core::clone::Clone::clone(op), operand0)
                },
            )
        }
    }
    ::extype::__private::inventory::submit! {
        ::extype::__private::dispatch::DispatchEntry { owner :
        ::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > (), target :
        ::extype::__private::dispatch::Target::Family(::extype::op::OpKind::UnaryElementwise),
        operands : ::extype::__private::dispatch::Operands::Each(&
        [::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > ()]), handler :
        ::extype::__private::dispatch::unary:: < MaskedTensor >, }
    }
    ::extype::__private::inventory::submit! {
        ::extype::__private::dispatch::DispatchEntry { owner :
        ::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > (), target :
        ::extype::__private::dispatch::Target::Op(::extype::__private::op_name:: < <
        __ExtypeOp0 as ::extype::__private::Overridden > ::Op >), operands :
        ::extype::__private::dispatch::Operands::Each(&
        [::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > ()]), handler :
        ::extype::__private::dispatch::apply1:: < MaskedTensor, < __ExtypeOp0 as
        ::extype::__private::Overridden > ::Op >, }
    }
    ::extype::__private::inventory::submit! {
        ::extype::__private::dispatch::DispatchEntry { owner :
        ::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > (), target :
        ::extype::__private::dispatch::Target::Op(::extype::__private::op_name:: < <
        __ExtypeOp1 as ::extype::__private::Overridden > ::Op >), operands :
        ::extype::__private::dispatch::Operands::Each(&
        [::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > ()]), handler :
        ::extype::__private::dispatch::apply1:: < MaskedTensor, < __ExtypeOp1 as
        ::extype::__private::Overridden > ::Op >, }
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
        ::extype::__private::dispatch::Target::Family(::extype::op::OpKind::BinaryElementwise),
        operands : ::extype::__private::dispatch::Operands::Each(&
        [::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > (),
        ::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > ()]), handler :
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
        ::extype::__private::dispatch::Target::Family(::extype::op::OpKind::BinaryElementwise),
        operands : ::extype::__private::dispatch::Operands::Each(&
        [::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > (),
        ::extype::__private::dispatch::TypeRef::of:: < Tensor > ()]), handler :
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
        ::extype::__private::dispatch::Target::Family(::extype::op::OpKind::BinaryElementwise),
        operands : ::extype::__private::dispatch::Operands::Each(&
        [::extype::__private::dispatch::TypeRef::of:: < Tensor > (),
        ::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > ()]), handler :
        ::extype::__private::dispatch::binary:: < Tensor, MaskedTensor >, }
    }
    #[automatically_derived]
    impl ::extype::ops::Apply1<<__ExtypeOp2 as ::extype::__private::Overridden>::Op>
    for MaskedTensor {
        type Output = Tensor;
        #[track_caller]
        fn apply1(
            op: &<__ExtypeOp2 as ::extype::__private::Overridden>::Op,
            operand0: &MaskedTensor,
        ) -> ::extype::Result<Self::Output> {
            ::extype::__private::dispatch::handled::<
                MaskedTensor,
                _,
                _,
            >(
                op,
                || {
                    <MaskedTensor>::reduce_sum(
                        operand0,
                        &op.axes,
                        ::core::clone::Clone::clone(&op.keep_dims),
                    )
                },
            )
        }
    }
    ::extype::__private::inventory::submit! {
        ::extype::__private::dispatch::DispatchEntry { owner :
        ::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > (), target :
        ::extype::__private::dispatch::Target::Op(::extype::__private::op_name:: < <
        __ExtypeOp2 as ::extype::__private::Overridden > ::Op >), operands :
        ::extype::__private::dispatch::Operands::Each(&
        [::extype::__private::dispatch::TypeRef::of:: < MaskedTensor > ()]), handler :
        ::extype::__private::dispatch::apply1:: < MaskedTensor, < __ExtypeOp2 as
        ::extype::__private::Overridden > ::Op >, }
    }
};
