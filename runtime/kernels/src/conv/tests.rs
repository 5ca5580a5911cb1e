use super::*;
use crate::testing::filled;
use proptest::prelude::*;

/// Sums in `f64`, element by element, of all three ways.
fn plain(c: &Conv, way: Way, x: &[f64], y: &[f64]) -> Vec<f64> {
    let [a, b, d] = c.axes;
    let (channels, features) = (c.channels / c.groups, c.features / c.groups);
    let mut out = vec![
        0.0;
        match way {
            Way::Forward => c.output_len(),
            Way::Input => c.input_len(),
            Way::Filter => c.filter_len(),
        }
    ];
    let at = |axis: &Axis, place: usize, tap: usize| {
        (place * axis.stride + tap * axis.dilation)
            .checked_sub(axis.before)
            .filter(|i| *i < axis.input)
    };
    let places =
        |axis: Axis| (0..axis.output).flat_map(move |o| (0..axis.filter).map(move |t| (o, t)));
    for image in 0..c.batch {
        for (o0, t0) in places(a) {
            for (o1, t1) in places(b) {
                for (o2, t2) in places(d) {
                    let (Some(i0), Some(i1), Some(i2)) =
                        (at(&a, o0, t0), at(&b, o1, t1), at(&d, o2, t2))
                    else {
                        continue;
                    };
                    let input =
                        (((image * a.input + i0) * b.input + i1) * d.input + i2) * c.channels;
                    let output =
                        (((image * a.output + o0) * b.output + o1) * d.output + o2) * c.features;
                    let tap = ((t0 * b.filter + t1) * d.filter + t2) * channels * c.features;
                    for channel in 0..channels {
                        for feature in 0..c.features {
                            let i = input + feature / features * channels + channel;
                            let (o, f) = (output + feature, tap + channel * c.features + feature);
                            match way {
                                Way::Forward => out[o] += x[i] * y[f],
                                Way::Input => out[i] += x[o] * y[f],
                                Way::Filter => out[f] += x[i] * y[o],
                            }
                        }
                    }
                }
            }
        }
    }
    out
}

fn axis() -> impl Strategy<Value = Axis> {
    (1..9usize, 1..4usize, 1..4usize, 1..4usize, 0..4usize, 0..3usize).prop_map(
        |(input, filter, stride, dilation, before, after)| {
            let reach = (filter - 1) * dilation + 1;
            let output = (input + before + after).checked_sub(reach).map_or(0, |n| n / stride + 1);
            Axis { input, output, filter, stride, dilation, before }
        },
    )
}

fn conv() -> impl Strategy<Value = Conv> {
    let channels = prop_oneof![
        (1..40usize, 1..40usize).prop_map(|(c, f)| (c, f, 1)),
        (1..4usize, 1..4usize, 1..4usize).prop_map(|(c, f, g)| (c * g, f * g, g)),
        (1..40usize, 1..3usize).prop_map(|(c, times)| (c, c * times, c)),
    ];
    let axes = [Just(Axis::ONE).boxed(), axis().boxed(), axis().boxed()];
    let axes = prop_oneof![axes, [axis().boxed(), axis().boxed(), axis().boxed()]];
    (0..3usize, axes, channels).prop_map(|(batch, axes, (channels, features, groups))| Conv {
        batch,
        axes,
        channels,
        features,
        groups,
    })
}

fn numbers(len: usize, seed: usize) -> Vec<f64> {
    (0..len).map(|i| ((i * 7919 + seed * 31) % 17) as f64 - 8.0).collect()
}

fn ways(c: &Conv) -> [(Way, usize, usize, usize); 3] {
    let (input, filter, output) = (c.input_len(), c.filter_len(), c.output_len());
    [
        (Way::Forward, input, filter, output),
        (Way::Input, output, filter, input),
        (Way::Filter, input, output, filter),
    ]
}

/// The result for an element type, as `f64`. The numbers are small integers, whose sums are exact.
fn result<T: Convolved>(
    c: &Conv,
    way: Way,
    x: &[f64],
    y: &[f64],
    len: usize,
    from: fn(f64) -> T,
    to: fn(T) -> f64,
) -> Vec<f64> {
    let (x, y): (Vec<T>, Vec<T>) =
        (x.iter().map(|x| from(*x)).collect(), y.iter().map(|y| from(*y)).collect());
    filled(len, |out| convolve(c, way, &x, &y, out, Par::Pool).unwrap())
        .into_iter()
        .map(to)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn all_ways_are_plain_sums(c in conv()) {
        for (way, x, y, len) in ways(&c) {
            let (x, y) = (numbers(x, 1), numbers(y, 2));
            let want = plain(&c, way, &x, &y);
            prop_assert_eq!(&result::<f64>(&c, way, &x, &y, len, |x| x, |x| x), &want);
            prop_assert_eq!(&result::<f32>(&c, way, &x, &y, len, |x| x as f32, f64::from), &want);
            prop_assert_eq!(&result::<i32>(&c, way, &x, &y, len, |x| x as i32, f64::from), &want);
        }
    }
}

/// All elements of a window with their places, in order.
fn window(p: &Pool, x: &[f64], image: usize, at: [usize; 3], channel: usize) -> Vec<(i64, f64)> {
    let place = |axis: &Axis, o: usize, t: usize| {
        (o * axis.stride + t).checked_sub(axis.before).filter(|i| *i < axis.input)
    };
    let [a, b, c] = &p.axes;
    let mut all = Vec::new();
    for i in (0..a.filter).filter_map(|t| place(a, at[0], t)) {
        for j in (0..b.filter).filter_map(|t| place(b, at[1], t)) {
            for k in (0..c.filter).filter_map(|t| place(c, at[2], t)) {
                let here = (i * b.input + j) * c.input + k;
                let image = image * a.input * b.input * c.input;
                all.push((here as i64, x[(image + here) * p.channels + channel]));
            }
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn pools_are_plain_loops(c in conv()) {
        let axes = c.axes.map(|a| Axis { dilation: 1, ..a });
        let p = Pool { batch: c.batch, axes, channels: c.channels };
        let (inputs, outputs) = (axes.map(|a| a.input), axes.map(|a| a.output));
        let len = |sizes: [usize; 3]| p.batch * sizes.iter().product::<usize>() * p.channels;
        let x = numbers(len(inputs), 3);
        let dy = numbers(len(outputs), 4);
        let (mut max, mut mean, mut places) = (vec![], vec![], vec![]);
        let (mut of_max, mut of_mean) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        for (i, dy) in dy.iter().enumerate() {
            let (place, channel) = (i / p.channels, i % p.channels);
            let (rest, k) = (place / outputs[2], place % outputs[2]);
            let at = [rest / outputs[1] % outputs[0], rest % outputs[1], k];
            let image = rest / outputs[1] / outputs[0];
            let all = window(&p, &x, image, at, channel);
            let first = all.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)).copied();
            max.push(first.map_or(f64::NEG_INFINITY, |(_, x)| x));
            places.push(first.map_or(-1, |(place, _)| place));
            mean.push(all.iter().map(|(_, x)| x).sum::<f64>() / all.len() as f64);
            let start = image * inputs.iter().product::<usize>();
            let add = |to: &mut Vec<f64>, place: i64, dy: f64| {
                to[(start + place as usize) * p.channels + channel] += dy;
            };
            if let Some((place, _)) = first {
                add(&mut of_max, place, *dy);
            }
            all.iter().for_each(|(place, _)| add(&mut of_mean, *place, dy / all.len() as f64));
        }
        prop_assert_eq!(filled(max.len(), |out| p.max(&x, f64::NEG_INFINITY, out, Par::Pool)), max);
        prop_assert_eq!(&filled(places.len(), |out| p.arg_max(&x, out, Par::Pool)), &places);
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9 || a.is_nan() && b.is_nan());
        prop_assert!(close(&filled(mean.len(), |out| p.mean(&x, out, Par::Pool)), &mean));
        let found = filled(x.len(), |out| p.max_gradient(&places, &dy, out, Par::Pool));
        prop_assert_eq!(found, of_max);
        prop_assert!(close(&filled(x.len(), |out| p.mean_gradient(&dy, out, Par::Pool)), &of_mean));
    }
}

#[test]
fn many_positions_and_channels_are_divided_into_chunks() {
    let axis = |input| Axis { input, output: input, filter: 3, stride: 1, dilation: 1, before: 1 };
    for (channels, features, groups) in [(33, 70, 1), (70, 70, 70), (4, 8, 2)] {
        let c =
            Conv { batch: 2, axes: [Axis::ONE, axis(40), axis(35)], channels, features, groups };
        for (way, x, y, len) in ways(&c) {
            let (x, y) = (numbers(x, 1), numbers(y, 2));
            let want = plain(&c, way, &x, &y);
            assert_eq!(result::<f32>(&c, way, &x, &y, len, |x| x as f32, f64::from), want);
        }
    }
}

#[test]
fn halves_are_rounded_once() {
    let axis =
        |input| Axis { input, output: input - 2, filter: 3, stride: 1, dilation: 1, before: 0 };
    let c =
        Conv { batch: 1, axes: [Axis::ONE, axis(5), axis(6)], channels: 3, features: 2, groups: 1 };
    for (way, x, y, len) in ways(&c) {
        let (x, y) = (numbers(x, 1), numbers(y, 2));
        let want: Vec<f64> =
            plain(&c, way, &x, &y).into_iter().map(|x| bf16::from_f64(x).to_f64()).collect();
        assert_eq!(result::<bf16>(&c, way, &x, &y, len, bf16::from_f64, bf16::to_f64), want);
    }
}

#[test]
fn a_far_tap_needs_no_memory() {
    let far =
        Axis { input: 4, output: 4, filter: 3, stride: 1, dilation: 1 << 50, before: 1 << 50 };
    let c =
        Conv { batch: 1, axes: [Axis::ONE, Axis::ONE, far], channels: 1, features: 1, groups: 1 };
    let y = filled(4, |out| {
        convolve(&c, Way::Forward, &[1.0f32, 2.0, 3.0, 4.0], &[5.0, 1.0, 5.0], out, Par::Seq)
            .unwrap();
    });
    assert_eq!(y, [1.0, 2.0, 3.0, 4.0]);
}
