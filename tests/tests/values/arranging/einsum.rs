//! Sums of products by equations: against loops over all labels, and wrong uses.

use std::collections::BTreeMap;

use extype::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Just, ProptestConfig, Strategy, prop_assert_eq, proptest};

use super::bad_input::refused;

/// A tensor of small whole numbers, so that sums are exact in any order.
fn numbered(sizes: &[usize], seed: usize) -> Tensor {
    let n = sizes.iter().product::<usize>();
    let data: Vec<f64> = (0..n).map(|i| ((i * 7 + seed * 3) % 11) as f64 - 5.0).collect();
    Tensor::from_slice(&data, sizes).unwrap()
}

/// Every label runs over its size; the products are summed where the result's labels lead.
fn by_loops(inputs: &[(String, Tensor)], output: &str, sizes: &BTreeMap<char, usize>) -> Vec<f64> {
    let labels: Vec<char> = sizes.keys().copied().collect();
    let at = |labels: &str, place: &BTreeMap<char, usize>| {
        labels.chars().fold(0, |at, l| at * sizes[&l] + place[&l])
    };
    let mut sum = vec![0.0; output.chars().map(|l| sizes[&l]).product()];
    let total: usize = labels.iter().map(|l| sizes[l]).product();
    for i in 0..total {
        let (mut rest, mut place) = (i, BTreeMap::new());
        for l in &labels {
            place.insert(*l, rest % sizes[l]);
            rest /= sizes[l];
        }
        let factor =
            |(labels, t): &(String, Tensor)| t.as_slice::<f64>().unwrap()[at(labels, &place)];
        sum[at(output, &place)] += inputs.iter().map(factor).product::<f64>();
    }
    sum
}

/// Labels of up to three tensors, and of a result: some of theirs.
fn equations() -> impl Strategy<Value = (Vec<String>, String)> {
    let word = || vec(proptest::sample::select(vec!['a', 'b', 'c', 'd']), 0..4);
    vec(word(), 1..4).prop_flat_map(|words| {
        let mut all: Vec<char> = words.concat();
        all.sort_unstable();
        all.dedup();
        let words: Vec<String> = words.into_iter().map(String::from_iter).collect();
        let output = proptest::sample::subsequence(all.clone(), 0..=all.len()).prop_shuffle();
        (Just(words), output.prop_map(String::from_iter))
    })
}

#[test]
fn an_operand_that_is_handed_through_has_its_gradient_once() -> Result<()> {
    let x = numbered(&[3], 1);
    let g = grad(|x: &Tensor| ops::einsum("b->b", &[x])?.reduce_sum(.., false))(&x)?;
    assert_eq!(g.as_slice::<f64>()?, &[1.0; 3]);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_equation((words, output) in equations(), lengths in vec(1usize..4, 4)) {
        let present = |l: &char| words.iter().any(|w| w.contains(*l));
        let sizes: BTreeMap<char, usize> =
            ['a', 'b', 'c', 'd'].into_iter().zip(lengths).filter(|(l, _)| present(l)).collect();
        let tensor = |(i, w): (usize, &String)| {
            (w.clone(), numbered(&w.chars().map(|l| sizes[&l]).collect::<Vec<_>>(), i))
        };
        let inputs: Vec<(String, Tensor)> = words.iter().enumerate().map(tensor).collect();
        let tensors: Vec<&Tensor> = inputs.iter().map(|(_, t)| t).collect();
        let equation = format!("{}->{output}", words.join(","));
        let got = ops::einsum(&equation, &tensors).unwrap();
        prop_assert_eq!(got.to_vec::<f64>().unwrap(), by_loops(&inputs, &output, &sizes));
        // What is linear in each input has the gradient that differences tell.
        let x = inputs[0].1.clone();
        let sum = |x: &Tensor| {
            let mut tensors = tensors.clone();
            tensors[0] = x;
            let y = ops::einsum(&equation, &tensors)?;
            (&y * &numbered(&y.shape().sizes().unwrap_or_default(), 9)).reduce_sum(.., false)
        };
        let tape = GradientTape::new();
        tape.watch(&x);
        let before = sum(&x).unwrap();
        let gradient = tape.gradient(&before, &x).unwrap();
        drop(tape);
        let gradient = gradient.leaves().unwrap()[0].clone().unwrap().to_vec::<f64>().unwrap();
        let values = x.to_vec::<f64>().unwrap();
        for (i, g) in gradient.iter().enumerate() {
            let mut moved = values.clone();
            moved[i] += 1.0;
            let moved = Tensor::from_slice(&moved, &x.shape().sizes().unwrap()).unwrap();
            let difference = sum(&moved).unwrap().item::<f64>().unwrap() - before.item::<f64>().unwrap();
            prop_assert_eq!(*g, difference, "{} at {}", equation, i);
        }
    }
}

#[test]
fn ellipses_broadcast_and_their_gradients_are_summed() -> Result<()> {
    let sources = (numbered(&[2, 1, 2], 1), numbered(&[3, 2, 2], 2));
    let watched = |f: &dyn Fn(&Tensor, &Tensor) -> Result<Tensor>| -> Result<Vec<Vec<f64>>> {
        let tape = GradientTape::new();
        tape.watch(&sources.0);
        tape.watch(&sources.1);
        let y = f(&sources.0.expand_dims(1)?, &sources.1)?;
        assert_eq!(y.shape(), shape![2, 3, 1, 2]);
        let gradients = tape.gradient(&y, &sources)?;
        let leaves = gradients.leaves()?;
        let all = std::iter::once(&y).chain(leaves.iter().flatten());
        all.map(Tensor::to_vec).collect()
    };
    let by_equation = watched(&|a, b| ops::einsum("...ij,...jk->...ik", &[a, b]))?;
    let by_product = watched(&|a, b| ops::batch_matmul(a, b))?;
    assert_eq!(by_equation.len(), 3);
    assert_eq!(by_equation, by_product);
    Ok(())
}

#[test]
fn diagonals_can_be_made() -> Result<()> {
    let op = ops::Einsum { equation: "i->ii".to_owned() };
    assert_eq!(op.run(&[&tensor![1.0f32, 2.0]])?.to_vec::<f32>()?, [1.0, 0.0, 0.0, 2.0]);
    let x = numbered(&[2, 3], 0);
    let t = ops::trace(&x)?.item::<f64>()?;
    let v = x.to_vec::<f64>()?;
    assert_eq!(t, v[0] + v[4]);
    Ok(())
}

#[test]
fn axes_in_pairs() -> Result<()> {
    let (a, b) = (numbered(&[2, 3, 4], 0), numbered(&[4, 2], 1));
    let y = ops::tensordot(&a, &b, ([0, 2], [1, 0]))?;
    let z = ops::einsum("abc,ca->b", &[&a, &b])?;
    assert_eq!(y.to_vec::<f64>()?, z.to_vec::<f64>()?);
    assert_eq!(ops::tensordot(&a, &b, 0)?.shape(), shape![2, 3, 4, 4, 2]);
    assert_eq!(ops::tensordot(&a, &b, 1)?.shape(), shape![2, 3, 2]);
    Ok(())
}

#[test]
fn equations_that_do_not_fit() {
    use ErrorKind::InvalidArgument;
    let x = numbered(&[2, 3], 0);
    let call = |equation: &str| ops::einsum(equation, &[&x, &x]);
    refused(call("ij,jk->ik"), InvalidArgument, &["einsum", "ij,jk->ik", "input 1", "[2, 3]", "3"]);
    refused(call("ij,k->ik"), InvalidArgument, &["einsum", "input 1", "`k`", "rank 1", "2"]);
    refused(call("ij->ij"), InvalidArgument, &["einsum", "1 tensors, not 2"]);
    refused(call("ij,ij->k"), InvalidArgument, &["einsum", "`k`"]);
    refused(call("i1,ij->i"), InvalidArgument, &["einsum", "letters"]);
    refused(call("...,...->"), InvalidArgument, &["einsum", "ellipsis"]);
    refused(ops::einsum::<&Tensor>("", &[]), InvalidArgument, &["einsum"]);
    refused(ops::tensordot(&x, &x, 3), InvalidArgument, &["tensordot", "3", "[2, 3]"]);
    refused(ops::tensordot(&x, &x, ([0], [2])), InvalidArgument, &["tensordot", "axis 2"]);
    refused(ops::tensordot(&x, &x, ([0, 0], [0, 1])), InvalidArgument, &["tensordot", "twice"]);
    refused(ops::tensordot(&x, &x, ([0], [1])), InvalidArgument, &["einsum", "3", "2"]);
    refused(ops::matvec(&x, numbered(&[2], 0)), InvalidArgument, &["einsum", "3", "2"]);
    refused(ops::trace(numbered(&[2], 0)), InvalidArgument, &["trace", "rank"]);
    refused(
        x.bias_add(&numbered(&[2], 0)),
        InvalidArgument,
        &["bias_add", "[2]", "[2, 3]", "axis 1"],
    );
    refused(numbered(&[2], 0).bias_add(&numbered(&[2], 0)), InvalidArgument, &["bias_add", "rank"]);
    let odd = ops::BiasAdd { data_format: "CHWN".to_owned() };
    refused(odd.run(&[&x, &numbered(&[3], 0)]), InvalidArgument, &["bias_add", "CHWN"]);
}
