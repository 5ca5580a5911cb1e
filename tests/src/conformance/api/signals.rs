//! `tf.signal`.

use extype::DType;
use extype::fft::{self, Sizes};
use extype::ops::options::Among;
use extype::signal::{self, Cosine, Framing, Periodic, Spectrum, Warped, Window};

use super::{Params, Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    row("tf.signal.rfft", |p, x| one(fft::rfft(&x[0], length(p)))),
    row("tf.signal.irfft", |p, x| one(fft::irfft(&x[0], length(p)))),
    row("tf.signal.rfft2d", |p, x| one(fft::rfft2(&x[0], sizes(p)))),
    row("tf.signal.irfft2d", |p, x| one(fft::irfft2(&x[0], sizes(p)))),
    row("tf.signal.rfft3d", |p, x| one(fft::rfftn(&x[0], sizes(p)))),
    row("tf.signal.irfft3d", |p, x| one(fft::irfftn(&x[0], sizes(p)))),
    row("tf.signal.fftshift", |p, x| one(fft::fftshift(&x[0], Among { axes: p.axes("axes") }))),
    row("tf.signal.ifftshift", |p, x| one(fft::ifftshift(&x[0], Among { axes: p.axes("axes") }))),
    row("tf.signal.frame", |p, x| {
        let pad = p.flag("pad_end").then(|| p.float("pad_value", 0.0));
        let framing = Framing { axis: p.int("axis", -1), pad };
        one(signal::frame(&x[0], p.int("frame_length", 0), p.int("frame_step", 0), framing))
    }),
    row("tf.signal.overlap_and_add", |p, x| {
        one(signal::overlap_and_add(&x[0], p.int("frame_step", 0)))
    }),
    row("tf.signal.hann_window", |p, _| {
        one(signal::hann_window(p.int("length", 0), (dtype(p), Periodic(p.flag("periodic")))))
    }),
    row("tf.signal.hamming_window", |p, _| {
        one(signal::hamming_window(p.int("length", 0), (dtype(p), Periodic(p.flag("periodic")))))
    }),
    row("tf.signal.kaiser_window", |p, _| {
        one(signal::kaiser_window(p.int("length", 0), p.float("beta", 12.0), dtype(p)))
    }),
    row("tf.signal.kaiser_bessel_derived_window", |p, _| {
        let (n, beta) = (p.int("length", 0), p.float("beta", 12.0));
        one(signal::kaiser_bessel_derived_window(n, beta, dtype(p)))
    }),
    row("tf.signal.vorbis_window", |p, _| one(signal::vorbis_window(p.int("length", 0), dtype(p)))),
    row("tf.signal.stft", |p, x| {
        one(signal::stft(&x[0], p.int("frame_length", 0), p.int("frame_step", 0), spectrum(p)))
    }),
    row("tf.signal.inverse_stft", |p, x| {
        let (size, step) = (p.int("frame_length", 0), p.int("frame_step", 0));
        one(signal::inverse_stft(&x[0], size, step, spectrum(p)))
    }),
    row("tf.signal.inverse_stft_window_fn", |p, _| {
        let (size, step) = (p.int("frame_length", 0), p.int("frame_step", 0));
        one(signal::inverse_stft_window(size, step, Window::Hann, DType::F32))
    }),
    Row {
        name: "tf.signal.dct",
        function: |p, x| one(signal::dct(&x[0], cosine(p))),
        accepts: is_known_cosine,
    },
    Row {
        name: "tf.signal.idct",
        function: |p, x| one(signal::idct(&x[0], cosine(p))),
        accepts: is_known_cosine,
    },
    row("tf.signal.mdct", |p, x| one(signal::mdct(&x[0], p.int("frame_length", 0), warped(p)))),
    row("tf.signal.inverse_mdct", |p, x| one(signal::inverse_mdct(&x[0], warped(p)))),
    row("tf.signal.linear_to_mel_weight_matrix", |p, _| {
        let (mels, bins) = (p.int("num_mel_bins", 20), p.int("num_spectrogram_bins", 129));
        let band = p.float("lower_edge_hertz", 125.0)..p.float("upper_edge_hertz", 3800.0);
        let rate = p.float("sample_rate", 8000.0);
        one(signal::linear_to_mel_weight_matrix(mels as usize, bins as usize, rate, band, dtype(p)))
    }),
    row("tf.signal.mfccs_from_log_mel_spectrograms", |_, x| {
        one(signal::mfccs_from_log_mel_spectrograms(&x[0]))
    }),
];

/// The programs.
pub(in crate::conformance) const PROGRAMS: &[Row] = &[
    row("program.stft_there_and_back", |p, x| {
        let (size, step) = (p.int("frame_length", 0), p.int("frame_step", 0));
        let y = signal::stft(&x[0], size, step, signal::PadEnd)?;
        one(signal::inverse_stft(&y, size, step, Window::Inverse(step.into())))
    }),
    row("program.mdct_there_and_back", |p, x| {
        let y = signal::mdct(&x[0], p.int("frame_length", 0), fft::Ortho)?;
        one(signal::inverse_mdct(&y, fft::Ortho))
    }),
];

fn dtype(p: &Params) -> DType {
    p.dtype("dtype", DType::F32)
}

fn length(p: &Params) -> fft::OverOne {
    let n = p.integers("fft_length").first().map(|n| *n as usize);
    fft::OverOne {
        length: n.or(p.json("fft_length").as_u64().map(|n| n as usize)),
        ..Default::default()
    }
}

fn sizes(p: &Params) -> Sizes {
    Sizes(p.integers("fft_length").iter().map(|n| *n as usize).collect())
}

fn window(p: &Params, default: Window) -> Window {
    match p.json("window").as_str() {
        Some("hann_window") => Window::Hann,
        Some("hamming_window") => Window::Hamming,
        Some("vorbis_window") => Window::Vorbis,
        Some("kaiser_window") => Window::Kaiser(12.0),
        Some("kaiser_bessel_derived_window") => Window::KaiserBesselDerived(12.0),
        Some("inverse") => Window::Inverse(p.int("frame_step", 0).into()),
        Some(_) => default,
        None if p.has("window") => Window::None,
        None => default,
    }
}

fn spectrum(p: &Params) -> Spectrum {
    let length = p.json("fft_length").as_i64().map(Into::into);
    Spectrum { length, window: window(p, Window::Hann), pad_end: p.flag("pad_end") }
}

fn warped(p: &Params) -> Warped {
    let ortho = p.json("norm").as_str() == Some("ortho");
    Warped { window: window(p, Window::Vorbis), pad_end: p.flag("pad_end"), ortho }
}

fn cosine(p: &Params) -> Cosine {
    let length = p.json("n").as_u64().map(|n| n as usize);
    Cosine { kind: p.int("type", 2), length, ortho: p.json("norm").as_str() == Some("ortho") }
}

/// Another norm, or an axis, can't be written here.
fn is_known_cosine(p: &Params) -> bool {
    matches!(p.json("norm").as_str(), None | Some("ortho")) && p.json("axis").is_null()
}
