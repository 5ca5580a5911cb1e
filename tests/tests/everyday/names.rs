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
        assert_eq!(x.var((i, KeepDims, Ddof(1)))?.as_slice::<f32>()?, &[2.0, 2.0]);
        assert_eq!(x.sort((Descending, 0))?.as_slice::<f32>()?, &[4.0, 3.0, 1.0, 2.0]);
        Ok(())
    }
}
