//! One recorded case: a line of a JSON Lines file.

use anyhow::{Context, Result};
use extype::array::Array;
use serde_json::Value;

use super::compare::{Expected, Tolerance};
use super::values::{Unreadable, array, arrays, splits};

/// True if a label is no class of the scores, whose last axis has one of each.
fn has_label_beyond(labels: Option<&Value>, scores: Option<&Value>) -> bool {
    let (Some(Ok(labels)), Some(Ok(scores))) = (labels.map(array), scores.map(array)) else {
        return false;
    };
    let classes = scores.dims().last().map_or(0, |n| *n as i64);
    labels.to_i64s().is_ok_and(|labels| labels.iter().any(|x| !(0..classes).contains(x)))
}

/// Tags of cases that need not match.
const EXEMPT: [&str; 4] = ["denormal", "platform_defined", "python_equality", "optional"];

/// One recorded case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its unique name.
    pub id: String,
    /// The suite that it belongs to.
    pub suite: String,
    /// Everything recorded.
    pub json: Value,
}

impl Case {
    /// Reads a line.
    ///
    /// # Errors
    /// If it is no JSON object with an id and a suite.
    pub fn parse(line: &str) -> Result<Case> {
        let json: Value = serde_json::from_str(line)?;
        let text = |key: &str| -> Result<String> {
            let found = json[key].as_str().with_context(|| format!("the case has no `{key}`"))?;
            Ok(found.to_owned())
        };
        Ok(Case { id: text("id")?, suite: text("suite")?, json })
    }

    /// Reads a line of a file; a case without id or suite gets them from its place.
    ///
    /// # Errors
    /// If it is no JSON object.
    pub fn parse_at(line: &str, file: &str, number: usize) -> Result<Case> {
        let json: Value = serde_json::from_str(line)?;
        let text = |key: &str| json[key].as_str().map(str::to_owned);
        let suite = text("suite").unwrap_or_else(|| file.to_owned());
        let what = text("name").or_else(|| text("kind")).context("the case has no name")?;
        let id = text("id").unwrap_or_else(|| format!("{file}:{number} {what}"));
        Ok(Case { id, suite, json })
    }

    /// A text under this key.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.json[key].as_str()
    }

    /// The entries of a list under this key; none if there is no list.
    pub fn list(&self, key: &str) -> &[Value] {
        self.json[key].as_array().map_or(&[], Vec::as_slice)
    }

    /// True if the call must be refused.
    pub fn is_refused(&self) -> bool {
        self.json.get("error").is_some()
    }

    /// True if the answer need not match.
    pub fn is_exempt(&self) -> bool {
        self.list("tags").iter().any(|t| t.as_str().is_some_and(|t| EXEMPT.contains(&t)))
            || self.is_undefined()
    }

    /// True if TensorFlow's answer depends on what C++ leaves undefined: a label beyond the classes, for which it reads
    /// beyond its scores, or an infinite number made an integer. Images of float16 get infinite numbers if they are
    /// multiplied by 65504 or more.
    fn is_undefined(&self) -> bool {
        let inputs = self.list("inputs");
        match (self.text("op"), self.text("api")) {
            (Some("CTCLoss"), _) => has_label_beyond(inputs.get(2), inputs.first()),
            (_, Some("program.ctc_loss_v1")) => {
                let labels = inputs.first().map(|labels| &labels["sparse"]["values"]);
                has_label_beyond(labels, inputs.get(1))
            }
            (_, Some("tf.image.convert_image_dtype")) => {
                let wide = ["uint16", "int32", "uint32", "int64", "uint64"];
                inputs.first().is_some_and(|x| x["dtype"] == "float16")
                    && wide.iter().any(|dtype| self.json["attrs"]["dtype"] == *dtype)
                    && self.json["attrs"]["saturate"] != true
            }
            _ => false,
        }
    }

    /// The tensors in.
    ///
    /// # Errors
    /// If one is not a dense tensor.
    pub fn inputs(&self) -> Result<Vec<Array>, Unreadable> {
        self.list("inputs").iter().map(array).collect()
    }

    /// The tensors in, those of a ragged one after the other.
    ///
    /// # Errors
    /// If one is neither dense nor ragged.
    pub fn flat_inputs(&self) -> Result<Vec<Array>, Unreadable> {
        let all: Vec<Vec<Array>> =
            self.list("inputs").iter().map(arrays).collect::<Result<_, _>>()?;
        Ok(all.into_iter().flatten().collect())
    }

    /// A tolerance of the case. TensorFlow adds logarithms of probabilities in float32, also those of float64; and it
    /// computes with images of float64 in float32.
    fn read_tolerance(&self, key: &str) -> Tolerance {
        let Tolerance { rtol, atol } = Tolerance::read(&self.json[key]);
        let single = |id: &str| {
            id.contains("/CTC")
                || id.contains("/ctc_loss")
                || id.contains("/tf.image.") && id.contains("/float64/")
        };
        match self.text("id").is_some_and(single) {
            true => Tolerance { rtol: rtol.max(1e-6), atol: atol.max(1e-6) },
            false => Tolerance { rtol, atol },
        }
    }

    /// The suggested tolerance of the outputs.
    pub fn tolerance(&self) -> Tolerance {
        self.read_tolerance("tol")
    }

    /// The tolerance of the gradients.
    pub fn gradient_tolerance(&self) -> Tolerance {
        self.read_tolerance("grad_tol")
    }

    /// What each output must be; `None` where any value is right.
    ///
    /// # Errors
    /// If one is not a dense tensor.
    pub fn expected(&self) -> Result<Vec<Option<Expected>>, Unreadable> {
        let compared: Option<Vec<usize>> = self.json["compare_outputs"]
            .as_array()
            .map(|l| l.iter().filter_map(|i| Some(i.as_u64()? as usize)).collect());
        let mut all = Vec::new();
        for (i, json) in self.list("outputs").iter().enumerate() {
            match compared.as_ref().is_some_and(|c| !c.contains(&i)) || json.is_null() {
                true => all.push(None),
                false => all.extend(self.expected_output(i, json)?.into_iter().map(Some)),
            }
        }
        Ok(all)
    }

    fn expected_output(&self, i: usize, json: &Value) -> Result<Vec<Expected>, Unreadable> {
        let other = match self.list("alt_outputs").get(i) {
            Some(json) if !json.is_null() => Some(array(json)?),
            _ => None,
        };
        let tensors = arrays(json)?.into_iter();
        Ok(tensors.map(|value| Expected { value, other: other.clone() }).collect())
    }

    /// A list with an entry for each value under this key, spread to one for each of its tensors: splits of ragged
    /// ones have none.
    pub fn spread<T>(&self, key: &str, entries: Vec<Option<T>>) -> Vec<Option<T>> {
        let extra = self.list(key).iter().map(splits).chain(std::iter::repeat(0));
        let spread = |(entry, extra)| std::iter::once(entry).chain((0..extra).map(|_| None));
        entries.into_iter().zip(extra).flat_map(spread).collect()
    }
}
