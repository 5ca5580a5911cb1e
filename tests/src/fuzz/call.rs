//! A call of an op: what a case is.

use std::fmt;

use extype::array::{Array, Quantized};
use extype::ir::{AttrValue, Attrs, Effect, OpDef};
use extype::{DType, Tensor};

use super::defs;

/// An op with attributes and inputs.
#[derive(Clone, Debug)]
pub struct Call {
    /// The op.
    pub op: &'static OpDef,
    /// Its attributes.
    pub attrs: Vec<(&'static str, AttrValue)>,
    /// The tensors in.
    pub inputs: Vec<Array>,
}

impl Call {
    /// The attributes as a call takes them.
    pub(super) fn attrs(&self) -> Attrs {
        let mut attrs = Attrs::new();
        self.attrs.iter().for_each(|(name, value)| attrs.set(*name, value.clone()));
        attrs
    }

    pub(super) fn tensors(&self) -> Vec<Tensor> {
        self.inputs.iter().cloned().map(Tensor::from).collect()
    }

    /// True if every run draws other numbers: what an op that is impure does with two seeds of zero.
    pub(super) fn draws_anew(&self) -> bool {
        let mut seeds = self.attrs.iter().filter(|(name, _)| matches!(*name, "seed" | "seed2"));
        self.op.effect == Effect::Impure && seeds.all(|(_, seed)| *seed == AttrValue::Int(0))
    }

    /// The value of an attribute.
    pub(super) fn attr_mut(&mut self, name: &str) -> Option<&mut AttrValue> {
        self.attrs.iter_mut().find(|(n, _)| *n == name).map(|(_, v)| v)
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", defs::name(self.op))?;
        for (i, input) in self.inputs.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(f, "{comma}{}{:?}{}", input.dtype(), input.dims(), elements(input))?;
        }
        write!(f, ")")?;
        let attrs: Vec<String> = self.attrs.iter().map(|(n, v)| format!("{n}={v}")).collect();
        if attrs.is_empty() { Ok(()) } else { write!(f, " {{{}}}", attrs.join(", ")) }
    }
}

/// The first elements as text. Not by the library's own printing, which may be what is at fault.
fn elements(array: &Array) -> String {
    const SHOWN: usize = 8;
    macro_rules! of {
        ($($dtype:ident $t:ty),*) => {
            match array.dtype() {
                $(DType::$dtype => {
                    let all = array.as_slice::<$t>().unwrap_or_default();
                    all.iter().take(SHOWN).map(|x| format!("{x:?}")).collect::<Vec<_>>()
                })*
                DType::String => {
                    let all = array.as_strings().unwrap_or_default();
                    let text = |s: &Vec<u8>| format!("{:?}", String::from_utf8_lossy(s));
                    all.iter().take(SHOWN).map(text).collect()
                }
                DType::F16 | DType::BF16 => {
                    let bytes = array.as_bytes().unwrap_or_default();
                    let hex = |b: &[u8]| format!("0x{:02x}{:02x}", b[1], b[0]);
                    bytes.chunks_exact(2).take(SHOWN).map(hex).collect()
                }
                DType::F8E5M2 | DType::F8E4M3FN => {
                    let bytes = array.as_bytes().unwrap_or_default();
                    bytes.iter().take(SHOWN).map(|b| format!("0x{b:02x}")).collect()
                }
                DType::Complex64 | DType::Complex128 => vec!["…".to_owned()],
                _ => Vec::new(),
            }
        };
    }
    let shown = of!(
        Bool bool, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64, F32 f32,
        F64 f64, QI8 Quantized<i8>, QU8 Quantized<u8>, QI16 Quantized<i16>, QU16 Quantized<u16>,
        QI32 Quantized<i32>
    );
    let more = if array.len() > SHOWN { ", …" } else { "" };
    if shown.is_empty() { String::new() } else { format!(" = {}{more}", shown.join(" ")) }
}
