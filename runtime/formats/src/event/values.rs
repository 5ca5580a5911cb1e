use crate::proto::summary::{Value, value};
use crate::proto::summary_metadata::PluginData;
use crate::proto::{DataType, SummaryMetadata, TensorProto, TensorShapeProto};

impl Value {
    /// With a description in Markdown, which dashboards show.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        let metadata = self.metadata.get_or_insert_default();
        metadata.summary_description = description.into();
        self
    }
}

/// A number. TensorFlow: `tf.summary.scalar`.
///
/// ```
/// use extype_formats::event;
/// let loss = event::scalar("train/loss", 0.25).with_description("The *mean* of a batch");
/// assert_eq!(loss.tag, "train/loss");
/// ```
pub fn scalar(tag: impl Into<String>, value: f32) -> Value {
    shown(tag, "scalars", &[], numbers(&[], DataType::Float, value.to_le_bytes().into()))
}

/// Counts of numbers between limits that are equally far apart. NaN and infinities are left out. TensorFlow:
/// `tf.summary.histogram`, which takes 30 buckets where it is not told.
///
/// ```
/// use extype_formats::event;
/// use extype_formats::proto::summary::value::Value;
/// let weights = [0.0f32, 1.0, 1.5, 4.0];
/// let value = event::histogram("weights", weights.iter().map(|w| f64::from(*w)), 2);
/// // Each row is a lower limit, an upper one, and a count: [[0, 2, 3], [2, 4, 1]].
/// let Some(Value::Tensor(rows)) = value.value else { panic!() };
/// assert_eq!(rows.tensor_shape.unwrap().sizes(), Some(vec![2, 3]));
/// ```
pub fn histogram(
    tag: impl Into<String>,
    values: impl IntoIterator<Item = f64, IntoIter: Clone>,
    buckets: usize,
) -> Value {
    let values = values.into_iter().filter(|value| value.is_finite());
    let limits = values.clone().map(|value| (value, value));
    let limits = limits.reduce(|(low, high), (value, _)| (low.min(value), high.max(value)));
    let mut rows = vec![[0.0f64; 3]; buckets];
    if let (Some((low, high)), Some(last)) = (limits, buckets.checked_sub(1)) {
        let (range, count) = (high - low, buckets as f64);
        // The range of all numbers is no number.
        let width = if range.is_finite() { range / count } else { high / count - low / count };
        for (i, row) in rows.iter_mut().enumerate() {
            let edge = |i: usize| if i == buckets { high } else { low + width * i as f64 };
            (row[0], row[1]) = (edge(i), edge(i + 1));
        }
        for value in values {
            // All of one value stand in the last bucket.
            let bucket = if low == high { last } else { ((value - low) / width) as usize };
            rows[bucket.min(last)][2] += 1.0;
        }
    }
    let bytes = rows.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
    shown(tag, "histograms", &[], numbers(&[buckets, 3], DataType::Double, bytes))
}

/// Images of one size, each a PNG file. TensorFlow: `tf.summary.image`.
///
/// ```
/// use extype_formats::event;
/// use extype_formats::proto::summary::value::Value;
/// # let (before, after) = (b"\x89PNG", b"\x89PNG");
/// // `before` and `after` hold files of 64 by 48 pixels.
/// let value = event::images("input", 64, 48, [before, after]);
/// let Some(Value::Tensor(tensor)) = value.value else { panic!() };
/// assert_eq!(tensor.string_val, [&b"64"[..], b"48", before, after]);
/// ```
pub fn images(
    tag: impl Into<String>,
    width: usize,
    height: usize,
    files: impl IntoIterator<Item = impl Into<Vec<u8>>>,
) -> Value {
    let sizes = [width, height].map(|size| size.to_string().into_bytes());
    let strings: Vec<Vec<u8>> =
        sizes.into_iter().chain(files.into_iter().map(Into::into)).collect();
    shown(tag, "images", &[], string_tensor(&[strings.len()], strings))
}

/// Text in Markdown: one, or a table of texts. The shape has as many elements as there are texts. TensorFlow:
/// `tf.summary.text`.
///
/// ```
/// use extype_formats::event;
/// let note = event::text("note", &[], ["**Slow** from here on."]);
/// let table = event::text("names", &[2, 2], ["layer", "size", "dense", "128"]);
/// assert_eq!((&*note.tag, &*table.tag), ("note", "names"));
/// ```
pub fn text(
    tag: impl Into<String>,
    shape: &[usize],
    texts: impl IntoIterator<Item = impl Into<String>>,
) -> Value {
    let texts = texts.into_iter().map(|text| text.into().into_bytes()).collect();
    shown(tag, "text", &[], string_tensor(shape, texts))
}

/// Sounds, each a WAV file and a label in Markdown. TensorFlow: `tf.summary.audio`.
///
/// ```
/// use extype_formats::event;
/// use extype_formats::proto::summary::value::Value;
/// # let wav = b"RIFF";
/// let value = event::audio("speech", [(wav, "*hello*")]);
/// let Some(Value::Tensor(tensor)) = value.value else { panic!() };
/// assert_eq!(tensor.tensor_shape.unwrap().sizes(), Some(vec![1, 2]));
/// ```
pub fn audio(
    tag: impl Into<String>,
    sounds: impl IntoIterator<Item = (impl Into<Vec<u8>>, impl Into<String>)>,
) -> Value {
    let pairs = sounds.into_iter().map(|(wav, label)| [wav.into(), label.into().into_bytes()]);
    let strings: Vec<Vec<u8>> = pairs.flatten().collect();
    // Its message says that the encoding is WAV.
    shown(tag, "audio", &[0x10, 0x0b], string_tensor(&[strings.len() / 2, 2], strings))
}

/// A tensor that a dashboard shows.
fn shown(tag: impl Into<String>, plugin: &str, content: &[u8], tensor: TensorProto) -> Value {
    let plugin = PluginData { plugin_name: plugin.into(), content: content.into() };
    // TensorFlow leaves the class of the data open. TensorBoard knows it by the plugin.
    let metadata = SummaryMetadata { plugin_data: Some(plugin), ..SummaryMetadata::default() };
    let tensor = Some(value::Value::Tensor(Box::new(tensor)));
    Value { tag: tag.into(), metadata: Some(metadata), value: tensor, ..Value::default() }
}

fn numbers(shape: &[usize], dtype: DataType, bytes: Vec<u8>) -> TensorProto {
    TensorProto { tensor_content: bytes, ..empty(shape, dtype) }
}

fn string_tensor(shape: &[usize], strings: Vec<Vec<u8>>) -> TensorProto {
    TensorProto { string_val: strings, ..empty(shape, DataType::String) }
}

fn empty(shape: &[usize], dtype: DataType) -> TensorProto {
    let shape = TensorShapeProto::new(shape.iter().map(|size| *size as i64));
    TensorProto { dtype: dtype.into(), tensor_shape: Some(shape), ..TensorProto::default() }
}
