//! Names that std has too, and options, with nothing but the prelude in scope.

mod prelude_only {
    use extype::prelude::*;

    #[test]
    fn methods_named_as_those_of_std_are_the_tensors() -> Result<()> {
        let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
        let by_reference = &x;
        assert_eq!(x.sum(..)?.item::<f32>()?, 10.0);
        assert_eq!(by_reference.max(..)?.item::<f32>()?, 4.0);
        assert_eq!(by_reference.min(0)?.as_slice::<f32>()?, &[1.0, 2.0]);
        assert_eq!(by_reference.take([0], 0)?.shape(), shape![1, 2]);
        assert_eq!(by_reference.repeat(2, 0)?.shape(), shape![4, 2]);
        assert_eq!(by_reference.sort(..)?.shape(), shape![2, 2]);
        assert!(by_reference.greater(0)?.all(..)?.item::<bool>()?);
        Ok(())
    }

    #[test]
    fn rows_one_by_one() {
        let x = tensor![[1, 2], [3, 4]];
        let sums: Vec<i32> =
            x.into_iter().map(|row| row.sum(..).unwrap().item().unwrap()).collect();
        assert_eq!(sums, [3, 7]);
        let mut last = None;
        for row in &x {
            last = Some(row);
        }
        assert_eq!(last.unwrap().as_slice::<i32>().unwrap(), &[3, 4]);
        let scalar = std::panic::catch_unwind(|| scalar(1.0).into_iter());
        let text = scalar.unwrap_err().downcast::<String>().unwrap();
        assert!(text.contains("rows") && text.contains("names.rs"), "{text}");
    }

    #[test]
    fn iterators_keep_their_own_methods() {
        assert_eq!([1, 2, 3].iter().max(), Some(&3));
        assert_eq!([1, 2, 3].iter().sum::<i32>(), 6);
        let (one, two) = (1, 2);
        assert_eq!(one.max(two), 2);
        assert!([true].iter().all(|b| *b));
    }

    #[test]
    fn options_stand_alone_or_together() -> Result<()> {
        let x = tensor![[4.0f32, 2.0], [1.0, 3.0]];
        let axes = tensor![0i64, 1];
        assert_eq!(x.sum(&axes)?.item::<f32>()?, 10.0);
        assert_eq!(x.sum(vec![0i64, 1])?.item::<f32>()?, 10.0);
        assert_eq!(x.sum((KeepDims, -1))?.shape(), shape![2, 1]);
        assert_eq!(x.sum(Axis(1))?.as_slice::<f32>()?, &[6.0, 4.0]);
        let i = 1usize;
        assert_eq!(x.var((i, KeepDims, ops::Ddof(1)))?.as_slice::<f32>()?, &[2.0, 2.0]);
        assert_eq!(x.sort((ops::Descending, 0))?.as_slice::<f32>()?, &[4.0, 3.0, 1.0, 2.0]);
        Ok(())
    }
}

/// Options given twice, tuples of axes, shapes as sizes.
mod options {
    use extype::prelude::*;

    #[test]
    fn integers_in_a_tuple_are_axes() -> Result<()> {
        let x = tensor![[1, 2, 3], [4, 5, 6]];
        assert_eq!(x.sum((0, 1))?.item::<i32>()?, 21);
        assert_eq!(x.sum((KeepDims, 1, 0))?.shape(), [1, 1]);
        assert_eq!(x.flip((0, 1))?.as_slice::<i32>()?, &[6, 5, 4, 3, 2, 1]);
        assert_eq!(x.cast(f64)?.std((0, -1))?.shape(), shape![]);
        assert_eq!(linalg::norm(x.cast(f64)?, (2.0, 0, 1))?.shape(), shape![]);
        Ok(())
    }

    #[test]
    fn nothing_is_set_twice() {
        let x = tensor![[1.0, 2.0], [3.0, 4.0]];
        let said = |r: Result<Tensor>| r.unwrap_err().to_string();
        let twice = [
            (said(x.sort((0, 1))), "sort: the axis"),
            (said(x.cumsum((0, Axis(1)))), "cumsum: the axis"),
            (said(x.sum(([0], 1, [1]))), "sum: the axis"),
            (said(x.sum((KeepDims, KeepDims))), "sum: KeepDims"),
            (said(x.var((ops::Ddof(1), ops::Ddof(0)))), "var: Ddof"),
            (said(x.isclose(&x, (ops::Rtol(1e-3), ops::Rtol(1e-9)))), "isclose: Rtol"),
            (said(random::shuffle(&x, (random::Seed(1), random::Seed(2)))), "shuffle: Seed"),
        ];
        for (text, wanted) in twice {
            let first = text.lines().next().unwrap();
            assert!(first.starts_with(wanted) && first.contains("given twice"), "{text}");
            assert!(text.contains("names.rs"), "{text}");
        }
    }

    #[test]
    fn shapes_are_lists_of_sizes() -> Result<()> {
        let (x, y) = (tensor![1, 2, 3, 4, 5, 6], ops::zeros([2, 3], f32)?);
        assert_eq!(x.reshape(y.shape())?.shape(), [2, 3]);
        assert_eq!(ops::ones(y.shape(), f64)?.shape()[1], 3);
        assert!(std::panic::catch_unwind(|| shape![2][1]).is_err());
        let f = function(|x: &Tensor, y: &Tensor| x.reshape(y.shape()));
        assert_eq!(f.call(&x, &y)?.shape(), [2, 3]);
        let (flat, wide) = (TensorSpec::new([6], f32), TensorSpec::new(shape![?, 3], f32));
        let e = f.concrete(&flat, &wide).unwrap_err().to_string();
        assert!(e.contains("shape_of") && e.contains("unknown while tracing"), "{e}");
        Ok(())
    }

    #[test]
    fn errors_name_the_function_that_was_called() {
        let x = tensor![1.0, 2.0];
        let e = x.take([5], 0).unwrap_err();
        assert_eq!(e.op(), Some("take"), "{e}");
        assert_eq!(x.sum(3).unwrap_err().op(), Some("sum"));
        assert_eq!(x.reduce_sum(3, false).unwrap_err().op(), Some("reduce_sum"));
        assert_eq!(linalg::inv(&x).unwrap_err().op(), Some("inv"));
        assert_eq!(ops::arange((5, 0, 0)).unwrap_err().op(), Some("arange"));
    }

    #[test]
    fn what_a_function_does_not_read_it_refuses() {
        let x = tensor![1.0, 2.0, 4.0];
        let said = |r: Result<Tensor>| r.unwrap_err().to_string();
        let text = said(x.slope((ops::Spaced(2.0), ops::At(tensor![0.0, 1.0, 3.0]))));
        assert!(text.contains("`Spaced` and `At`"), "{text}");
        let weights = |w: [f64; 3], count: i64, o: bool| {
            let w = Tensor::from(w);
            if o {
                random::choice(&x, count, (ops::Weights(&w), random::NoRepeats))
            } else {
                random::choice(&x, count, ops::Weights(&w))
            }
        };
        assert!(said(weights([-0.1, 0.5, 1.0], 2, false)).contains("-0.1"));
        assert!(said(weights([0.0, 0.0, 0.0], 2, false)).contains("above zero"));
        assert!(said(weights([0.0, f64::NAN, 1.0], 1, false)).contains("NaN"));
        assert!(said(weights([0.0, 0.0, 1.0], 2, true)).contains("2 rows are wanted"));
        assert!(weights([0.0, 0.5, 1.0], 2, true).is_ok());
    }
}
