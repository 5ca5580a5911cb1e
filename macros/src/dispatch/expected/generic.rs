impl<V> Masked<V>
where
    V: BinaryElementwise<V, Output = V>,
{
    #[allow(clippy::needless_pass_by_value)]
    fn binary<O: BinaryOp>(op: &O, x: &Self, y: &Self) -> Result<Masked<V>> {
        todo!()
    }
    #[allow(clippy::needless_pass_by_value)]
    fn reduce(&self, op: &impl ReductionOp) -> Result<Vec<Self>> {
        todo!()
    }
    #[allow(clippy::needless_pass_by_value)]
    fn concat(xs: &[&Self], axis: Axis) -> Result<Self> {
        todo!()
    }
    #[allow(clippy::needless_pass_by_value)]
    fn select(
        op: &Select,
        c: &Tensor,
        branches: Pair<'_, Self, Tensor>,
    ) -> Result<Self> {
        todo!()
    }
    #[allow(clippy::needless_pass_by_value)]
    fn stack(xs: &[Arg<'_, Self, Tensor>], axis: i64) -> Result<Self> {
        todo!()
    }
}
const _: () = {
    ::renamed::__overridden!(__ExtypeOp0 = fn ops::concat);
    const _: () = {
        ::renamed::__private::fits_operands::<
            <__ExtypeOp0 as ::renamed::__private::Overridden>::Op,
        >("ops::concat", 0usize, 1usize, 1usize, true);
        ::renamed::__private::fits_attributes::<
            <__ExtypeOp0 as ::renamed::__private::Overridden>::Op,
        >("ops::concat", &["axis"]);
    };
    const _: () = {
        ::renamed::__private::fits_operands::<
            ::renamed::ops::Select,
        >("Select", 0usize, 1usize, 3usize, false);
        ::renamed::__private::fits_operands::<
            ::renamed::ops::Select,
        >("Select", 1usize, 3usize, 3usize, false);
    };
    const _: () = {
        ::renamed::__private::fits_operands::<
            ::renamed::ops::Stack,
        >("Stack", 0usize, 1usize, 1usize, true);
        ::renamed::__private::fits_attributes::<
            ::renamed::ops::Stack,
        >("Stack", &["axis"]);
    };
    #[automatically_derived]
    impl<V> ::renamed::ops::BinaryElementwise<Masked<V>> for Masked<V>
    where
        V: BinaryElementwise<V, Output = V>,
    {
        type Output = Masked<V>;
        #[track_caller]
        fn binary<FamilyOp: ::renamed::ops::BinaryOp>(
            op: &FamilyOp,
            operand0: &Masked<V>,
            operand1: &Masked<V>,
        ) -> ::renamed::Result<Self::Output> {
            ::renamed::__private::dispatch::handled::<
                Masked<V>,
                _,
                _,
            >(
                op,
                || {
                    ::renamed::Structure::check_fields(operand0)?;
                    ::renamed::Structure::check_fields(operand1)?;
                    <Masked<V>>::binary(op, operand0, operand1)
                },
            )
        }
    }
    #[automatically_derived]
    impl<V> ::renamed::ops::Reductions for Masked<V>
    where
        V: BinaryElementwise<V, Output = V>,
    {
        type Output = Vec<Masked<V>>;
        #[track_caller]
        fn reduce<FamilyOp: ::renamed::ops::ReductionOp>(
            op: &FamilyOp,
            operand0: &Masked<V>,
        ) -> ::renamed::Result<Self::Output> {
            ::renamed::__private::dispatch::handled::<
                Masked<V>,
                _,
                _,
            >(
                op,
                || {
                    ::renamed::Structure::check_fields(operand0)?;
                    <Masked<V>>::reduce(operand0, op)
                },
            )
        }
    }
    #[automatically_derived]
    impl<
        V,
    > ::renamed::ops::ApplySeq<<__ExtypeOp0 as ::renamed::__private::Overridden>::Op>
    for Masked<V>
    where
        V: BinaryElementwise<V, Output = V>,
    {
        type Output = Masked<V>;
        #[track_caller]
        fn apply_seq(
            op: &<__ExtypeOp0 as ::renamed::__private::Overridden>::Op,
            operand0: &[&Masked<V>],
        ) -> ::renamed::Result<Self::Output> {
            ::renamed::__private::dispatch::handled::<
                Masked<V>,
                _,
                _,
            >(
                op,
                || {
                    for x in operand0 {
                        ::renamed::Structure::check_fields(*x)?;
                    }
                    {
                        let __extype_attribute1 = ::core::clone::Clone::clone(&op.axis);
                        <Masked<V>>::concat(operand0, __extype_attribute1)
                    }
                },
            )
        }
    }
    #[automatically_derived]
    impl<V> ::renamed::ops::Apply3<Masked<V>, Masked<V>, ::renamed::ops::Select>
    for Tensor
    where
        V: BinaryElementwise<V, Output = V>,
    {
        type Output = Masked<V>;
        #[track_caller]
        fn apply3(
            op: &::renamed::ops::Select,
            operand0: &Tensor,
            operand1: &Masked<V>,
            operand2: &Masked<V>,
        ) -> ::renamed::Result<Self::Output> {
            ::renamed::__private::dispatch::handled::<
                Masked<V>,
                _,
                _,
            >(
                op,
                || {
                    ::renamed::Structure::check_fields(operand1)?;
                    ::renamed::Structure::check_fields(operand2)?;
                    <Masked<
                        V,
                    >>::select(
                        op,
                        operand0,
                        ::renamed::ops::Pair::Both(operand1, operand2),
                    )
                },
            )
        }
    }
    #[automatically_derived]
    impl<V> ::renamed::ops::Apply3<Masked<V>, Tensor, ::renamed::ops::Select> for Tensor
    where
        V: BinaryElementwise<V, Output = V>,
    {
        type Output = Masked<V>;
        #[track_caller]
        fn apply3(
            op: &::renamed::ops::Select,
            operand0: &Tensor,
            operand1: &Masked<V>,
            operand2: &Tensor,
        ) -> ::renamed::Result<Self::Output> {
            ::renamed::__private::dispatch::handled::<
                Masked<V>,
                _,
                _,
            >(
                op,
                || {
                    ::renamed::Structure::check_fields(operand1)?;
                    <Masked<
                        V,
                    >>::select(
                        op,
                        operand0,
                        ::renamed::ops::Pair::Left(operand1, operand2),
                    )
                },
            )
        }
    }
    #[automatically_derived]
    impl<V> ::renamed::ops::Apply3<Tensor, Masked<V>, ::renamed::ops::Select> for Tensor
    where
        V: BinaryElementwise<V, Output = V>,
    {
        type Output = Masked<V>;
        #[track_caller]
        fn apply3(
            op: &::renamed::ops::Select,
            operand0: &Tensor,
            operand1: &Tensor,
            operand2: &Masked<V>,
        ) -> ::renamed::Result<Self::Output> {
            ::renamed::__private::dispatch::handled::<
                Masked<V>,
                _,
                _,
            >(
                op,
                || {
                    ::renamed::Structure::check_fields(operand2)?;
                    <Masked<
                        V,
                    >>::select(
                        op,
                        operand0,
                        ::renamed::ops::Pair::Right(operand1, operand2),
                    )
                },
            )
        }
    }
    #[automatically_derived]
    impl<V> ::renamed::ops::ApplySeq<::renamed::ops::Stack> for Masked<V>
    where
        V: BinaryElementwise<V, Output = V>,
    {
        type Output = Masked<V>;
        #[track_caller]
        fn apply_seq(
            op: &::renamed::ops::Stack,
            operand0: &[&Masked<V>],
        ) -> ::renamed::Result<Self::Output> {
            ::renamed::__private::dispatch::handled::<
                Masked<V>,
                _,
                _,
            >(
                op,
                || {
                    for x in operand0 {
                        ::renamed::Structure::check_fields(*x)?;
                    }
                    {
                        let __extype_attribute1 = ::core::clone::Clone::clone(&op.axis);
                        <Masked<
                            V,
                        >>::stack(
                            &operand0
                                .iter()
                                .map(|x| ::renamed::ops::Arg::This(*x))
                                .collect::<::renamed::__private::Vec<_>>(),
                            __extype_attribute1,
                        )
                    }
                },
            )
        }
    }
    #[automatically_derived]
    impl<V> ::renamed::ops::ApplyMixed<::renamed::ops::Stack> for Masked<V>
    where
        V: BinaryElementwise<V, Output = V>,
    {
        type Output = Masked<V>;
        #[track_caller]
        fn apply_mixed(
            op: &::renamed::ops::Stack,
            operand0: &[::renamed::ops::Arg<'_, Masked<V>, ::renamed::Tensor>],
        ) -> ::renamed::Result<Self::Output> {
            ::renamed::__private::dispatch::handled::<
                Masked<V>,
                _,
                _,
            >(
                op,
                || {
                    for x in operand0 {
                        if let ::renamed::ops::Arg::This(x) = x {
                            ::renamed::Structure::check_fields(*x)?;
                        }
                    }
                    {
                        let __extype_attribute1 = ::core::clone::Clone::clone(&op.axis);
                        <Masked<V>>::stack(operand0, __extype_attribute1)
                    }
                },
            )
        }
    }
    ::renamed::__assigning_operators!(
        [V,] Masked < V >, [V : BinaryElementwise < V, Output = V >,], AddAssign
        add_assign Add add, SubAssign sub_assign Sub sub, MulAssign mul_assign Mul mul,
        DivAssign div_assign Div div, RemAssign rem_assign Rem rem, BitAndAssign
        bitand_assign BitAnd bitand, BitOrAssign bitor_assign BitOr bitor, BitXorAssign
        bitxor_assign BitXor bitxor, ShlAssign shl_assign Shl shl, ShrAssign shr_assign
        Shr shr
    );
};
