//! Rows of ops with names that meet those of the macro, and rows that nobody else sees.

#![deny(warnings)]

mod private {
    use extype::Tensor;
    use extype::gradient::Gradient;
    use extype::ir::{KernelContext, Outputs};
    use extype::prelude::*;
    use extype::types::DTypeSet;

    extype::define_op! {
        crate = ::extype;
        /// A trait with the name of a type parameter.
        methods of X;

        /// A gradient that says the type of what it sees.
        unary Cube = "Rows>Cube" {
            types: { T: DTypeSet::FLOAT }, attrs: { power: i64 = 3 },
            call: method cube,
            kernel: same,
            gradient: |g: &Gradient<'_>, dy| ops::mul(dy, g.x(0))?,
        }

        /// An op that is only found by its name: it is no dead code.
        unary Unused = "Rows>Unused" {
            types: { T: DTypeSet::FLOAT }, attrs: { power: i64 = 3 }, kernel: same,
        }

        /// Keywords as names; a parameter and a method with one name; a rule named `rule`.
        op Op = "Rows>Op" {
            inputs: { x: T, y: T, type: {I32} as r#type: ops::Axis }, outputs: { z: T }, types: { T: DTypeSet::FLOAT },
            attrs: { r#in: i64, op: String = "a".to_owned(), count: i64, keep: bool = false },
            call: method op(x, g; op: impl Into<String>, r#type, r#in, n: usize) => { count: n as i64 },
            infer: extype::ops::rules::same_shape, kernel: same,
            gradient: rule,
        }
    }

    extype::define_op! {
        /// A reduction whose axes are made of a parameter of another type.
        pub reduction Total = "Rows>Total" {
            types: { T: DTypeSet::FLOAT },
            call: total(x; from: i64) => { axes: from.into(), keep_dims: true },
            infer: extype::ops::rules::same_shape, kernel: same, gradient: none,
        }

        /// Lists in, lists out.
        pub op Lists = "Rows>Lists" {
            inputs: { xs: [T; N], n: {I32} as ops::Integer }, outputs: { ys: [T; N] },
            types: { T: DTypeSet::FLOAT },
            call: lists([op]; n),
            infer: extype::ops::rules::same_shape, kernel: |c| Ok([c.input(0).clone()].into()),
            gradient: |g| Ok([g.cotangents[0].clone()]),
        }
    }

    #[derive(ExtensionType, Clone, Debug)]
    struct Own {
        x: Tensor,
    }

    #[dispatch]
    impl Own {
        #[overrides(cube)]
        fn cubed(&self, power: i64) -> Result<i64> {
            let _ = &self.x;
            Ok(power)
        }

        #[overrides(self::op, ..)]
        fn of_two(&self, _y: &Self, count: i64) -> Result<i64> {
            Ok(count)
        }

        #[overrides(total, ..)]
        fn totalled(&self, keep_dims: bool) -> Result<bool> {
            Ok(keep_dims)
        }

        #[overrides(lists, ..)]
        fn listed(xs: &[&Self]) -> Result<usize> {
            Ok(xs.len())
        }
    }

    #[test]
    fn ones_own_rows_are_overridden_by_their_functions() -> Result<()> {
        let own = Own { x: scalar(1.0f32) };
        assert_eq!((own.cube()?, cube(&own)?), (3, 3));
        assert_eq!(own.op(&own, "b", 1, 2, 7)?, 7);
        assert!(total(&own, 0)?);
        assert_eq!(lists(&[&own, &own, &own], 1)?, 3);
        Ok(())
    }

    fn same(c: &KernelContext<'_>) -> Result<Outputs> {
        Ok([c.input(0).clone()].into())
    }

    fn rule(g: &Gradient<'_>) -> Result<[Option<Tensor>; 2]> {
        Ok([Some(g.dy()?.clone()), None])
    }

    #[test]
    fn rows_take_no_name_of_the_user() -> Result<()> {
        let x = tensor![1.0f32, 2.0];
        let y = x.cube()?;
        assert_eq!(y.as_slice::<f32>()?, &[1.0, 2.0]);
        let z = x.op(&y, "b", 1, 2, 3)?;
        assert_eq!(z.as_slice::<f32>()?, &[1.0, 2.0]);
        let f = |x: &Tensor| x.op(&y, "b", 1, 2, 3)?.reduce_sum(.., false);
        assert_eq!(extype::grad(f)(&x)?.as_slice::<f32>()?, &[1.0, 1.0]);
        assert_eq!(total(&x, 0)?.as_slice::<f32>()?, &[1.0, 2.0]);
        assert_eq!(lists(&[&x], 1)?[0].as_slice::<f32>()?, &[1.0, 2.0]);
        Ok(())
    }
}
