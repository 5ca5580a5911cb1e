//! Records: to and from nested values, updates, levels, stacks, traces and gradients.

use extype::prelude::*;
use extype::spec::{concat_values, stack_values, unstack_values};
use extype_ragged::{RaggedTensor, RowPartition};
use extype_structured::{Field, Structured, Value};

fn doc(sentences: Vec<Value>) -> Value {
    Value::record([("id", Value::from(sentences.len() as i64)), ("sentences", sentences.into())])
}

fn sentence(tokens: &[i64], length: f64) -> Value {
    Value::record([("length", Value::from(length)), ("tokens", tokens.to_vec().into())])
}

/// Two texts, of two sentences and of one, and one of none.
fn texts() -> Value {
    Value::from([
        doc(vec![sentence(&[1, 2], 2.0), sentence(&[3], 1.5)]),
        doc(vec![sentence(&[7], 4.0)]),
        doc(vec![]),
    ])
}

fn of(value: &Value) -> Structured {
    Structured::of(value).unwrap()
}

fn text(x: Result<RaggedTensor>) -> String {
    x.unwrap().to_string()
}

#[test]
fn nested_values_come_back() -> Result<()> {
    let record = |x: i64| Value::record([("x", x)]);
    for value in [
        texts(),
        record(1),
        Value::from([[record(1), record(2)], [record(3), record(4)]]),
        Value::from([vec![record(1)], vec![], vec![record(2), record(3)]]),
        Value::record([("a", Value::record([("b", Value::record([("c", vec!["x", "y"])]))]))]),
        Value::record([("a", vec![vec![true], vec![]])]),
        Value::from([Value::record([("e", Value::Record(Default::default()))])]),
        Value::from([Value::record([("none", Value::List(vec![]))])]),
    ] {
        assert_eq!(of(&value).to_value()?, value, "{value}");
    }
    let texts = of(&texts());
    assert_eq!(texts.shape(), shape![3]);
    assert_eq!(texts.names().collect::<Vec<_>>(), ["id", "sentences"]);
    assert_eq!(text(texts.values(&["sentences", "tokens"])), "[[[1, 2], [3]], [[7]], []]");
    assert_eq!(text(texts.values(&["sentences", "length"])), "[[2.0, 1.5], [4.0], []]");
    assert_eq!(texts.records(&["sentences"])?.rank()?, 2);
    // An integer among numbers is a number.
    let mixed =
        Value::from([Value::record([("x", Value::from(1i64))]), Value::record([("x", 2.5)])]);
    assert_eq!(of(&mixed).values(&["x"])?.dtype(), f64);
    Ok(())
}

#[test]
fn what_is_no_record_is_refused() {
    let refused = |value: Value, wanted: &str| {
        let e = Structured::of(&value).unwrap_err();
        assert!(e.message().contains(wanted), "{e}");
    };
    let x = |v: Value| Value::record([("x", v)]);
    refused(Value::from(vec![1i64]), "no list of integers");
    refused(Value::List(vec![]), "a list without records");
    refused(
        Value::from([x(1.into()), Value::from(1i64)]),
        "a record first, and an integer at place 1",
    );
    refused(
        Value::from([x(1.into()), x("a".into())]),
        "`x` holds an integer first, and a text at place 1",
    );
    refused(
        Value::from([x(vec![1i64].into()), x(1.into())]),
        "`x` holds a list first, and an integer at place 1",
    );
    refused(
        x(Value::from([Value::from(1i64), Value::from([2i64])])),
        "an integer first, and a list",
    );
    refused(Value::from([x(1.into()), Value::record([("y", 1i64)])]), "record 1 has no `x`");
    refused(
        Value::from([x(1.into()), Value::record([("x", 1i64), ("y", 1i64)])]),
        "record 0 has no `y`, which record 1 has",
    );
}

#[test]
fn paths_name_what_is_missing() {
    let x = of(&texts());
    let refused = |e: Error, wanted: &str| assert!(e.message().contains(wanted), "{e}");
    refused(x.field(&[]).unwrap_err(), "one name at least");
    refused(x.field(&["ids"]).unwrap_err(), "no field `ids`; the record has `id`, `sentences`");
    refused(
        x.values(&["sentences"]).unwrap_err(),
        "holds records; name one of their fields, such as `length`",
    );
    refused(x.records(&["id"]).unwrap_err(), "`id` holds int64, and no records");
    refused(x.values(&["id", "x"]).unwrap_err(), "`id` holds int64, and no records");
    refused(x.promote(&["id"], "x").unwrap_err(), "`id` is on the highest level");
    refused(
        x.promote(&["sentences", "tokens"], "id").unwrap_err(),
        "there is a field `id` already",
    );
    refused(x.with_updates([(&["ids"][..], None)]).unwrap_err(), "no field `ids`");
    refused(x.merge(0, 1).unwrap_err(), "a batch of 1 axes");
    refused(of(&Value::record([("x", 1i64)])).at(0).unwrap_err(), "one record has no rows");
    assert!(x.at(3).is_err() && x.at(-4).is_err() && x.take([3]).is_err());
    refused(x.partition(RowPartition::from_lengths([1i64, 1]).unwrap()).unwrap_err(), "3");
}

#[test]
fn updates_keep_the_rows() -> Result<()> {
    let x = of(&texts());
    let doubled = ops::mul(&x.values(&["sentences", "length"])?, 2.0)?;
    let y = x.with_updates([
        (&["sentences", "double"][..], Some(doubled.into())),
        (&["sentences", "tokens"], None),
        (&["new"], Some(tensor![[1, 2], [3, 4], [5, 6]].into())),
    ])?;
    assert_eq!(y.records(&["sentences"])?.names().collect::<Vec<_>>(), ["double", "length"]);
    assert_eq!(text(y.values(&["sentences", "double"])), "[[4.0, 3.0], [8.0], []]");
    assert_eq!(
        y.at(1)?.to_string(),
        "{id: 1, new: [3, 4], sentences: [{double: 8.0, length: 4.0}]}"
    );
    let refused = |field: Field, path: &[&str], wanted: &str| {
        let e = x.with_updates([(path, Some(field))]).unwrap_err();
        assert!(e.message().contains(wanted), "{e}");
    };
    refused(tensor![1, 2].into(), &["new"], "`new`");
    refused(scalar(1).into(), &["new"], "0 axes, fewer than the 1 of the records");
    let other = RaggedTensor::from_rows(&[vec![1], vec![2, 3], vec![]])?;
    refused(other.into(), &["sentences", "new"], "row 0 has the lengths 1 and 2");
    refused(tensor![[1, 2], [3, 4], [5, 6]].into(), &["sentences", "new"], "rows");
    refused(tensor![1].into(), &["id", "x"], "no records");
    refused(of(&Value::from([Value::record([("a", 1i64)])])).into(), &["new"], "rows");
    // Even rows may be told by a dense tensor.
    let even = of(&Value::from([[Value::record([("a", 1i64)]), Value::record([("a", 2i64)])]]));
    let even = even.with_updates([(&["b"][..], Some(tensor![[5, 6]].into()))])?;
    assert_eq!(even.to_string(), "[[{a: 1, b: 5}, {a: 2, b: 6}]]");
    Ok(())
}

#[test]
fn fields_and_rows_move_between_levels() -> Result<()> {
    let x = of(&texts());
    let y = x
        .promote(&["sentences", "tokens"], "tokens")?
        .promote(&["sentences", "length"], "lengths")?;
    assert_eq!(text(y.values(&["tokens"])), "[[1, 2, 3], [7], []]");
    assert_eq!(text(y.values(&["lengths"])), "[[2.0, 1.5], [4.0], []]");
    let one = x.at(0)?.promote(&["sentences", "tokens"], "tokens")?;
    assert_eq!(text(one.values(&["tokens"])), "[1, 2, 3]");
    // Records within records, one each.
    let deep = of(&Value::from([1i64, 2].map(|i| {
        Value::record([("a", Value::record([("b", Value::record([("c", vec![i, i])]))]))])
    })));
    let deep = deep.promote(&["a", "b"], "b")?.promote(&["b", "c"], "c")?;
    assert_eq!(text(deep.values(&["c"])), "[[1, 1], [2, 2]]");
    assert_eq!(text(deep.values(&["b", "c"])), "[[1, 1], [2, 2]]");
    // Lists of records move whole.
    let books =
        Value::from([Value::record([("texts", texts())]), Value::record([("texts", texts())])]);
    let books = of(&books).promote(&["texts", "sentences"], "sentences")?;
    assert_eq!(text(books.values(&["sentences", "length"])), "[[2.0, 1.5, 4.0], [2.0, 1.5, 4.0]]");

    let rows = x.partition(RowPartition::from_lengths([2i64, 0, 1])?)?;
    assert_eq!((rows.rank()?, text(rows.values(&["id"]))), (2, "[[2, 1], [], [0]]".to_owned()));
    assert_eq!(rows.merge(0, 1)?.to_value()?, texts());
    assert_eq!(rows.at(0)?.to_value()?, x.take([0, 1])?.to_value()?);
    assert_eq!(x.take([2, 0])?.values(&["id"])?.to_string(), "[0, 2]");
    Ok(())
}

#[test]
fn stacks_are_lists_of_records() -> Result<()> {
    let x = of(&texts());
    let all = unstack_values(&x)?;
    assert_eq!(all[1].to_value()?, x.at(1)?.to_value()?);
    let again = stack_values(&all)?;
    assert_eq!(again.to_value()?, texts());
    assert_eq!(again.type_spec(), x.type_spec());
    let deep = stack_values(&[x.clone(), x.take([2, 0])?])?;
    assert_eq!(text(deep.values(&["id"])), "[[2, 1, 0], [0, 2]]");
    assert_eq!(unstack_values(&deep)?[0].to_value()?, texts());
    assert_eq!(concat_values(&[x.clone(), x.clone()])?.shape(), shape![6]);
    let sums = map_fn(&x, |text: Structured| {
        ops::reduce_sum(&text.values(&["sentences", "length"])?, .., false)?.into_tensor()
    })?;
    assert_eq!(sums.to_vec::<f64>()?, [3.5, 4.0, 0.0]);
    Ok(())
}

#[test]
fn one_trace_serves_rows_of_all_lengths() -> Result<()> {
    let f = function(|x: &Structured| {
        let lengths = x.values(&["sentences", "length"])?;
        let sum = ops::reduce_sum(&lengths, 1, false)?;
        x.with_updates([(&["sum"][..], Some(sum.into())), (&["id"], None)])?
            .promote(&["sentences", "tokens"], "tokens")
    });
    let x = of(&texts());
    let y = f.call(&x)?;
    assert_eq!(text(y.values(&["sum"])), "[3.5, 4.0, 0.0]");
    assert_eq!(text(y.values(&["tokens"])), "[[1, 2, 3], [7], []]");
    let turned = f.call(&x.take([1, 1, 1])?)?;
    assert_eq!(text(turned.values(&["sum"])), "[4.0, 4.0, 4.0]");
    assert_eq!(f.trace_count(), 1);
    // Rows are compared when the program runs.
    let joined = function(|(x, new): &(Structured, RaggedTensor)| {
        x.with_updates([(&["sentences", "new"][..], Some(new.clone().into()))])
    });
    let rows = |lengths: [i64; 3]| RaggedTensor::from_row_lengths(ops::ones([3], i64)?, lengths);
    assert!(joined.call(&(x.clone(), rows([2, 1, 0])?)).is_ok());
    let e = joined.call(&(x.clone(), rows([1, 1, 1])?)).unwrap_err();
    assert!(e.message().contains("row 0 has the lengths 1 and 2"), "{e}");
    let slope = grad(|x: &Structured| {
        let lengths = x.values(&["sentences", "length"])?;
        ops::reduce_sum(&ops::square(&lengths)?, .., false)?.into_tensor()
    })(&x)?;
    assert_eq!(text(slope.values(&["sentences", "length"])), "[[4.0, 3.0], [8.0], []]");
    Ok(())
}
