//! The table and the chart of `docs/PERFORMANCE.md`, from the lines that this program and those of the peers print.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result};
use serde_json::Value;

/// What a workload moves or computes, which tells how near it is to the limits of the machine.
enum Size {
    Bytes(f64),
    Flops(f64),
}

/// The workloads of the table in its order: name, description, size.
const ROWS: [(&str, &str, Option<Size>); 35] = [
    ("call_scalar", "cached call, one scalar", None),
    ("call_10args", "cached call, ten scalars", None),
    ("call_ext2", "cached call, a type of two tensors", None),
    ("call_nested20", "cached call, nested, 20 leaves", None),
    ("eager_add8", "eager add, f32[8]", None),
    ("eager_matmul4", "eager product, f32[4, 4]", None),
    ("fused_chain", "elementwise chain of twelve ops, 1M", Some(Size::Bytes(8e6))),
    ("add_bandwidth", "add, 16M", Some(Size::Bytes(3.0 * 67_108_864.0))),
    ("matmul_64", "product, 64", Some(Size::Flops(2.0 * 64.0 * 64.0 * 64.0))),
    ("matmul_256", "product, 256", Some(Size::Flops(2.0 * 256.0 * 256.0 * 256.0))),
    ("matmul_512", "product, 512", Some(Size::Flops(2.0 * 512.0 * 512.0 * 512.0))),
    ("matmul_1024", "product, 1024", Some(Size::Flops(2.0 * 1024.0 * 1024.0 * 1024.0))),
    ("matmul_2048", "product, 2048", Some(Size::Flops(2.0 * 2048.0 * 2048.0 * 2048.0))),
    ("matmul_bf16_1024", "product, 1024, bf16", Some(Size::Flops(2.0 * 1024.0 * 1024.0 * 1024.0))),
    ("matmul_b64_128", "64 products, 128", Some(Size::Flops(64.0 * 2.0 * 128.0 * 128.0 * 128.0))),
    ("sum_all", "sum of 4096², all", Some(Size::Bytes(67_108_864.0))),
    ("sum_axis0", "sum of 4096², axis 0", Some(Size::Bytes(67_108_864.0))),
    ("sum_axis1", "sum of 4096², axis 1", Some(Size::Bytes(67_108_864.0))),
    ("softmax", "softmax, 4096 rows of 1024", Some(Size::Bytes(2.0 * 16_777_216.0))),
    ("layernorm", "layer norm, 4096 rows of 1024", Some(Size::Bytes(2.0 * 16_777_216.0))),
    ("masked_add_mean", "masked add and mean, 1000²", Some(Size::Bytes(10e6))),
    ("mlp_step", "training step of an MLP", None),
    ("while_10k", "while, 10,000 iterations", None),
    ("trace_1000", "trace of 1000 ops", None),
    ("trace_compile_1000", "trace and compile of 1000 ops", None),
    ("run_1000", "run of 1000 ops, f32[8]", None),
    ("tblock_b1", "transformer block, batch 1", None),
    ("tblock_b8", "transformer block, batch 8", None),
    ("cnn_b8", "convolutions of 32² images, batch 8", Some(Size::Flops(618.2e6))),
    ("nest_100", "flatten and rebuild 100 tensors", None),
    ("grad_call", "cached call of value and gradient", None),
    ("collatz_10k", "lengths of Collatz sequences below 10,000", None),
    ("while_10k_gradient", "while, 10,000 iterations, with gradient", None),
    ("gather_1m_10k", "10,000 reads of elements in a loop", None),
    ("list_write_10k", "10,000 writes to a TensorArray", None),
];

/// The median and the fastest sample of each round of a peer, by workload and number of threads.
type Samples = BTreeMap<(String, u64), BTreeMap<String, Vec<(f64, f64)>>>;

/// Prints the table for one and two threads, and writes the chart of one thread to `chart.svg`.
///
/// # Errors
/// If a file can't be read or written.
pub(crate) fn report(files: &[String]) -> Result<()> {
    let mut samples = Samples::new();
    for file in files {
        let text = std::fs::read_to_string(file).with_context(|| file.clone())?;
        for line in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let word = |key: &str| line[key].as_str().map(str::to_owned);
            let (Some(workload), Some(peer)) = (word("workload"), word("peer")) else { continue };
            let key = (workload, line["threads"].as_u64().unwrap_or(1));
            let number = |key: &str| line[key].as_f64().unwrap_or(f64::NAN);
            let time = (number("median"), number("min"));
            samples.entry(key).or_default().entry(peer).or_default().push(time);
        }
    }
    for threads in [1, 2] {
        let mut table = String::from(
            "| workload | extype | rate | best peer | ratio |\n| --- | --- | --- | --- | --- |\n",
        );
        let mut bars = Vec::new();
        for (name, what, size) in &ROWS {
            let Some(times) = samples.get(&((*name).to_owned(), threads)) else { continue };
            let mut peers: Vec<(&str, f64, f64)> = times
                .iter()
                .map(|(peer, times)| {
                    let mut medians: Vec<f64> = times.iter().map(|(median, _)| *median).collect();
                    let fastest = times.iter().map(|(_, min)| *min).fold(f64::INFINITY, f64::min);
                    (peer.as_str(), crate::runner::median(&mut medians), fastest)
                })
                .collect();
            peers.sort_by(|a, b| a.1.total_cmp(&b.1));
            let own = peers.iter().find(|(peer, ..)| *peer == "extype");
            let Some((_, own, own_fastest)) = own.copied() else { continue };
            let best = peers.iter().find(|(peer, ..)| *peer != "extype");
            let rate = match size {
                Some(Size::Bytes(n)) => format!("{:.0} GB/s", n / own),
                Some(Size::Flops(n)) => format!("{:.0} GFLOP/s", n / own),
                None => String::new(),
            };
            let (peer, ratio) = match best {
                Some((peer, time, fastest)) => {
                    bars.push(((*what).to_owned(), time / own));
                    let digits = |ratio: f64| if ratio < 0.1 { 3 } else { 2 };
                    let (ratio, fastest) = (own / time, own_fastest / fastest);
                    let ratio =
                        format!("{ratio:.*} ({fastest:.*})", digits(ratio), digits(fastest));
                    (format!("{peer} {}", shown(*time)), ratio)
                }
                None => Default::default(),
            };
            writeln!(table, "| {what} | {} | {rate} | {peer} | {ratio} |", shown(own))?;
        }
        if !bars.is_empty() {
            println!("Threads: {threads}\n\n{table}");
        }
        if threads == 1 {
            std::fs::write("chart.svg", chart(&bars))?;
        }
    }
    Ok(())
}

fn shown(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        ns => format!("{:.2} ms", ns / 1e6),
    }
}

/// Bars of how many times faster than the best peer each workload is, on a logarithmic axis.
fn chart(bars: &[(String, f64)]) -> String {
    let (left, width, row) = (330.0, 420.0, 20.0);
    let height = bars.len() as f64 * row + 50.0;
    // A tenth to a thousand times.
    let x = |times: f64| left + (times.log10().clamp(-1.0, 3.0) + 1.0) / 4.0 * width;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"820\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for times in [0.1, 1.0, 10.0, 100.0, 1000.0] {
        let (at, stroke) = (x(times), if times == 1.0 { "#444" } else { "#ddd" });
        svg += &format!(
            "<line x1=\"{at}\" y1=\"24\" x2=\"{at}\" y2=\"{}\" stroke=\"{stroke}\"/>\
             <text x=\"{at}\" y=\"16\" text-anchor=\"middle\">{times}×</text>\n",
            height - 10.0
        );
    }
    for (i, (what, times)) in bars.iter().enumerate() {
        let y = 30.0 + i as f64 * row;
        let (from, to) = (x(times.min(1.0)), x(times.max(1.0)));
        let fill = if *times >= 1.0 { "#3a7d44" } else { "#b5482f" };
        svg += &format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{what}</text>\
             <rect x=\"{from}\" y=\"{y}\" width=\"{}\" height=\"14\" fill=\"{fill}\"/>\
             <text x=\"{}\" y=\"{}\">{times:.2}</text>\n",
            left - 8.0,
            y + 11.0,
            to - from,
            to + 4.0,
            y + 11.0
        );
    }
    svg + "</svg>\n"
}
