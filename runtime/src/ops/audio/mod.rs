//! Sound: WAV files, spectrograms, cepstral coefficients.

mod mfcc;
#[cfg(feature = "fft")]
mod spectrogram;
mod wav;

#[cfg(feature = "fft")]
pub(crate) use mfcc::mel;
#[cfg(feature = "fft")]
pub use spectrogram::*;

use crate::define_op;
use crate::ops::args::Integer;

define_op! {
    /// The samples of a WAV file of 16 bits, float32 `[samples, channels]` from -1 to 1, and its sample rate, int32.
    ///
    /// TensorFlow: `tf.audio.decode_wav`, `DecodeWav`. The file is a scalar string. With `desired_samples` and `desired_channels`
    /// other than -1, the samples are cropped or filled up with zeros, and the channels cropped or the last one repeated.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let sound = tensor![[0.5f32], [-0.25]];
    /// let (decoded, rate) = ops::decode_wav(&ops::encode_wav(&sound, 8000)?, -1, -1)?;
    /// assert_eq!(decoded.as_slice::<f32>()?, &[0.5, -0.25]);
    /// assert_eq!(rate.item::<i32>()?, 8000);
    /// # Ok::<(), Error>(())
    /// ```
    pub op DecodeWav = "DecodeWav" {
        inputs: { contents: {String} }, outputs: { audio: {F32}, sample_rate: {I32} },
        attrs: { desired_channels: i64 = -1, desired_samples: i64 = -1 },
        call: decode_wav(contents; desired_channels, desired_samples),
        infer: wav::infer_decode, kernel: wav::decode,
        gradient: none,
    }

    /// A WAV file of 16 bits with these samples, float32 `[samples, channels]`, which are clipped to the range from -1 to 1.
    ///
    /// TensorFlow: `tf.audio.encode_wav`, `EncodeWav`. The sample rate is an int32 scalar above zero.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let file = ops::encode_wav(&tensor![[0.5f32], [-0.25]], 8000)?;
    /// assert_eq!(file.value()?.as_strings()?[0].len(), 44 + 4);
    /// # Ok::<(), Error>(())
    /// ```
    pub op EncodeWav = "EncodeWav" {
        inputs: { audio: {F32}, sample_rate: {I32} as Integer }, outputs: { contents: {String} },
        call: encode_wav(audio; sample_rate),
        infer: wav::infer_encode, kernel: wav::encode,
        gradient: none,
    }

    /// Mel-frequency cepstral coefficients of a spectrogram of squared magnitudes, `[channels, frames, frequencies]`.
    ///
    /// TensorFlow: `Mfcc`. The result is `[channels, frames, dct_coefficient_count]`.
    pub op Mfcc = "Mfcc" {
        inputs: { spectrogram: {F32}, sample_rate: {I32} }, outputs: { output: {F32} },
        attrs: {
            upper_frequency_limit: f32 = 4000.0, lower_frequency_limit: f32 = 20.0,
            filterbank_channel_count: i64 = 40, dct_coefficient_count: i64 = 13
        },
        dispatch: none,
        infer: mfcc::infer, kernel: mfcc::kernel,
    }
}
