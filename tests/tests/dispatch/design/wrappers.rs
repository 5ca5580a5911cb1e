//! Generic wrappers and enums.

use super::*;

#[test]
fn a_generic_wrapper_wraps_types_of_other_crates_and_itself() -> Result<()> {
    let rows = |n: f32| RaggedTensor::from_rows(&[vec![n, 2.0], vec![], vec![3.0]]);
    let inner = Masked::new(rows(1.0)?, [true, true, false])?;
    let m = Masked::new(inner, [false, true, true])?;
    let traced = function(|m: &Masked<Masked<RaggedTensor>>| ops::square(1.0 - (m + m) * 2.0));
    let (eager, graph) = (ops::square(1.0 - (&m + &m) * 2.0)?, traced.call(&m)?);
    assert_eq!(eager.values.values.to_string(), "[[9.0, 49.0], [], [121.0]]");
    assert_eq!(graph.values.values.to_string(), eager.values.values.to_string());
    assert_eq!(graph.mask.to_vec::<bool>()?, [false, true, true]);
    assert_eq!(graph.values.mask.to_vec::<bool>()?, [true, true, false]);
    assert_eq!(graph.type_spec().to_any(), m.type_spec().to_any());

    // Other values of the type, other lengths of rows: the same trace.
    traced.call(&Masked::new(Masked::new(rows(5.0)?, [true; 3])?, [true; 3])?)?;
    assert_eq!(traced.trace_count(), 1);
    let spec = m.type_spec().to_any();
    let back: MaskedSpec<Masked<RaggedTensor>> = TypeSpec::from_any(&spec)?;
    assert_eq!(back.to_any(), spec);
    assert_eq!(spec.leaves().len(), 4);
    // Instances are types of their own.
    let single = m.values.type_spec().to_any();
    assert!(!single.is_compatible_with(&spec) && !single.is_subtype_of(&spec));
    assert!(MaskedSpec::<Masked<RaggedTensor>>::from_any(&single).is_err());
    let numbers = function(|m: &Masked<Tensor>| ops::add(m, 1));
    let four = numbers.call(&Masked::new(tensor![3i32], [true])?)?;
    assert_eq!(four.values.item::<i32>()?, 4);
    Ok(())
}

#[test]
fn gradients_pass_generic_wrappers() -> Result<()> {
    let m = Masked::new(masked(), [true, false])?;
    let g =
        grad(|m: &Masked<MaskedTensor>| ops::reduce_sum(&ops::square(m)?.values, .., false))(&m)?;
    assert_eq!(floats(&g.values.values), [2.0, 0.0, 6.0, 8.0]);
    assert_eq!(g.mask.to_vec::<bool>()?, [true, false]);
    Ok(())
}

#[derive(ExtensionType, Clone, Debug)]
enum Encoding {
    Empty,
    Dense(Tensor),
    Rows { flat: Tensor, row_splits: Tensor },
    Nested(Vec<MaskedTensor>, #[static_data] i64),
}

#[test]
fn an_enum_has_one_trace_a_variant_and_its_spec_round_trips() -> Result<()> {
    let size = function(|e: &Encoding| match e {
        Encoding::Empty => Ok(scalar(0i64)),
        Encoding::Dense(x) => ops::size(x),
        Encoding::Rows { flat, row_splits } => ops::add(ops::size(flat)?, ops::size(row_splits)?),
        Encoding::Nested(list, n) => {
            Ok(list.iter().try_fold(scalar(*n), |sum, m| ops::add(sum, m.count(..)?))?)
        }
    });
    let values = [
        Encoding::Empty,
        Encoding::Dense(tensor![1.0f32, 2.0]),
        Encoding::Rows { flat: tensor![1.0f32], row_splits: tensor![0i64, 1] },
        Encoding::Nested(vec![masked(), masked()], 10),
        Encoding::Nested(vec![masked(), masked()], 20),
        Encoding::Nested(vec![], 10),
    ];
    for _ in 0..2 {
        let sizes: Vec<i64> = values.iter().map(|v| size.call(v)?.item()).collect::<Result<_>>()?;
        assert_eq!(sizes, [0, 2, 3, 16, 26, 10]);
    }
    assert_eq!(size.trace_count(), values.len());
    for (i, v) in values.iter().enumerate() {
        let spec = v.type_spec().to_any();
        assert_eq!(EncodingSpec::from_any(&spec)?.to_any(), spec);
        assert!(v.has_spec(&v.type_spec(), &mut SpecContext::new()));
        let back: Encoding = nest::pack_sequence_as(&v.type_spec(), nest::flatten(v))?;
        assert_eq!(back.type_spec().to_any(), spec);
        for (j, w) in values.iter().enumerate() {
            let other = w.type_spec().to_any();
            assert_eq!(spec == other, i == j);
            assert_eq!(spec.is_compatible_with(&other), i == j, "{spec} and {other}");
            assert_eq!(spec.most_specific_common_supertype(&other).is_some(), i == j);
        }
    }
    // A function may return one as well, whose variant depends on static data.
    let pick = function(|x: &Tensor, dense: &bool| {
        Ok(if *dense { Encoding::Dense(x + 1.0) } else { Encoding::Empty })
    });
    let x = scalar(1.0f32);
    assert!(matches!(pick.call(&x, &true)?, Encoding::Dense(y) if y.item::<f32>()? == 2.0));
    assert!(matches!(pick.call(&x, &false)?, Encoding::Empty));
    Ok(())
}
