//! Arguments of a call at run time, put in order.

use super::convert::plain_to_tensor;
use super::dispatched;
use crate::ir::{ArgDef, Attr, AttrValue, Attrs, OpDef, find_op};
use crate::spec::{AnySpec, AnyValue, Literal, Structure};
use crate::types::{Result, bail, err};

/// A call with arguments by position and by name: tensors and values of extension types for the
/// op's inputs, plain values for its attributes.
///
/// A list input takes one value for each element, or a `Vec` of them. Attributes that are not
/// given have the op's defaults.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::dispatch::Invocation;
///
/// let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
/// let product = Invocation::new("MatMul").named("b", x.clone()).arg(x).named("transpose_a", true);
/// assert_eq!(product.call()?.downcast::<Tensor>()?.as_slice::<f32>()?[0], 10.0);
/// let sum = Invocation::new("Sum").arg(tensor![[1i32, 2], [3, 4]]).arg(vec![0i64]);
/// assert_eq!(sum.call()?.downcast::<Tensor>()?.as_slice::<i32>()?, &[4, 6]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "it runs by `.call()`"]
pub struct Invocation {
    op: String,
    positional: Vec<AnyValue>,
    named: Vec<(String, AnyValue)>,
    attrs: Vec<(String, AttrValue)>,
}

impl Invocation {
    /// A call of the op with this graph name, without arguments yet.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::dispatch::Invocation;
    /// let y = Invocation::new("Neg").arg(scalar(2.0f32)).call()?;
    /// assert_eq!(y.downcast::<Tensor>()?.item::<f32>()?, -2.0);
    /// assert_eq!(Invocation::new("Nothing").call().unwrap_err().kind(), ErrorKind::NotFound);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(op: impl Into<String>) -> Self {
        Self { op: op.into(), positional: Vec::new(), named: Vec::new(), attrs: Vec::new() }
    }

    /// Adds the next argument by position.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::dispatch::Invocation;
    /// let difference = Invocation::new("Sub").arg(scalar(5.0f32)).arg(3.0);
    /// assert_eq!(difference.call()?.downcast::<Tensor>()?.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn arg<T: Structure>(self, value: T) -> Self {
        self.arg_value(AnyValue::new(value))
    }

    /// [`arg`](Self::arg) for a value without its Rust type.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// use extype::spec::dispatch::Invocation;
    /// let values = [AnyValue::new(scalar(5.0f32)), AnyValue::new(3.0)];
    /// let difference = values.into_iter().fold(Invocation::new("Sub"), Invocation::arg_value);
    /// assert_eq!(difference.call()?.downcast::<Tensor>()?.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn arg_value(mut self, value: AnyValue) -> Self {
        self.positional.push(value);
        self
    }

    /// Adds an argument by name: an input of the op, or an attribute as a plain value.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::dispatch::Invocation;
    /// let x = tensor![[1.0f32, 2.0, 3.0]];
    /// let product = Invocation::new("MatMul").named("a", x.clone()).named("b", x);
    /// let product = product.named("transpose_b", true).call()?;
    /// assert_eq!(product.downcast::<Tensor>()?.item::<f32>()?, 14.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn named<T: Structure>(self, name: impl Into<String>, value: T) -> Self {
        self.named_value(name, AnyValue::new(value))
    }

    /// [`named`](Self::named) for a value without its Rust type.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// use extype::spec::dispatch::Invocation;
    /// let given = [("y", AnyValue::new(scalar(3.0f32))), ("x", AnyValue::new(scalar(5.0f32)))];
    /// let call = Invocation::new("Sub");
    /// let call = given.into_iter().fold(call, |call, (name, value)| call.named_value(name, value));
    /// assert_eq!(call.call()?.downcast::<Tensor>()?.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn named_value(mut self, name: impl Into<String>, value: AnyValue) -> Self {
        self.named.push((name.into(), value));
        self
    }

    /// Adds an attribute of any kind.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::dispatch::Invocation;
    /// let cast = Invocation::new("Cast").arg(scalar(2.5f32)).attr("DstT", &DType::I64);
    /// assert_eq!(cast.call()?.downcast::<Tensor>()?.item::<i64>()?, 2);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn attr(mut self, name: impl Into<String>, value: &impl Attr) -> Self {
        self.attrs.push((name.into(), value.to_attr()));
        self
    }

    /// Calls the op, as [`call`](super::call) does.
    ///
    /// # Errors
    /// `InvalidArgument` for a name that the op does not have, an argument given twice or
    /// missing, and as [`call`](super::call).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::dispatch::Invocation;
    /// let sum = Invocation::new("AddV2").arg(scalar(1i64)).arg(2i64).call()?;
    /// assert_eq!(sum.downcast::<Tensor>()?.item::<i64>()?, 3);
    /// let e = Invocation::new("AddV2").arg(scalar(1i64)).named("z", 2i64).call().unwrap_err();
    /// assert!(e.message().contains("no argument `z`"));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn call(self) -> Result<AnyValue> {
        let def = find_op(&self.op)?;
        let (args, attrs) = self.canonical(def).map_err(|e| e.with_op(def.rust_name))?;
        dispatched(def, &args, &attrs)
    }

    /// The arguments by position, and the attributes.
    fn canonical(self, def: &'static OpDef) -> Result<(Vec<AnyValue>, Attrs)> {
        let mut attrs = Attrs::new();
        let given = self.attrs.into_iter().map(|(name, value)| (name, Ok(value)));
        let mut inputs: Vec<(usize, AnyValue)> = Vec::new();
        let mut plain = Vec::new();
        for (name, value) in self.named {
            match def.inputs.iter().position(|a| a.name == name) {
                Some(i) if inputs.iter().any(|(j, _)| i == *j) => {
                    bail!("the argument `{name}` is given twice")
                }
                Some(i) => inputs.push((i, value)),
                None => plain.push((name, attribute(&value))),
            }
        }
        for (name, value) in given.chain(plain) {
            let Some(attr) = def.attrs.iter().find(|a| a.name == name) else {
                bail!("there is no argument `{name}`: {}", signature(def));
            };
            if attrs.value(&name).is_some() {
                bail!("the argument `{name}` is given twice");
            }
            attrs.set(attr.name, value.map_err(|e| e.prefixed(format!("`{name}`")))?);
        }
        let args = match inputs.is_empty() {
            true => self.positional,
            false => places(def, self.positional, inputs)?,
        };
        Ok((in_order(def, args)?, with_defaults(def, attrs)))
    }
}

/// Positional arguments, followed by the named ones in the order of the op's inputs.
fn places(
    def: &OpDef,
    positional: Vec<AnyValue>,
    mut named: Vec<(usize, AnyValue)>,
) -> Result<Vec<AnyValue>> {
    named.sort_by_key(|(i, _)| *i);
    // A list input takes all positional arguments from its position on.
    let list = def.inputs.iter().position(|a| a.list);
    let filled = match list {
        Some(list) if positional.len() > list => list + 1,
        _ => positional.len(),
    };
    let mut args = positional;
    for (next, (i, value)) in (filled..).zip(named) {
        let name = def.inputs[i].name;
        if i < next {
            bail!("the argument `{name}` is given by position and by name");
        }
        if i > next {
            let missing = def.inputs[next].name;
            bail!("the argument `{missing}` is missing, `{name}` is given");
        }
        args.push(value);
    }
    Ok(args)
}

/// The arguments with lists replaced by their elements and plain data by tensors. Fails if there are too
/// many.
pub(super) fn in_order(def: &OpDef, args: Vec<AnyValue>) -> Result<Vec<AnyValue>> {
    let list = def.inputs.iter().position(|a| a.list);
    if list.is_none() && args.len() > def.inputs.len() {
        bail!("takes {} inputs, {} given: {}", def.inputs.len(), args.len(), signature(def));
    }
    let mut out = Vec::with_capacity(args.len());
    for (i, arg) in args.into_iter().enumerate() {
        let spliced = list.is_some_and(|list| i >= list) && {
            let items = match arg.spec() {
                AnySpec::List(items) | AnySpec::Tuple(items) => &items[..],
                _ => &[],
            };
            items.iter().any(|s| !matches!(s, AnySpec::Literal(_)))
        };
        if spliced {
            out.extend(arg.components());
        } else {
            out.push(plain_to_tensor(arg)?);
        }
    }
    Ok(out)
}

/// The attributes with the op's defaults where none are given.
pub(super) fn with_defaults(def: &OpDef, mut attrs: Attrs) -> Attrs {
    for attr in def.attrs {
        if let Some(default) = attr.default
            && attrs.value(attr.name).is_none()
        {
            attrs.set(attr.name, default());
        }
    }
    attrs
}

fn attribute(value: &AnyValue) -> Result<AttrValue> {
    fn of(literal: &Literal) -> Result<AttrValue> {
        Ok(match literal {
            Literal::Bool(b) => AttrValue::Bool(*b),
            Literal::Int(i) => AttrValue::Int(
                i64::try_from(*i).map_err(|_| err!("the integer {i} has more than 64 bits"))?,
            ),
            Literal::Float(x) => AttrValue::Float(*x as f32),
            Literal::Str(s) => AttrValue::Str(s.as_bytes().into()),
            Literal::Bytes(s) => AttrValue::Str(s.clone()),
            Literal::DType(d) => AttrValue::Type(*d),
            Literal::Shape(s) => AttrValue::Shape(Box::new(s.clone())),
            Literal::List(items) | Literal::Tuple(items) => {
                AttrValue::List(items.iter().map(of).collect::<Result<_>>()?)
            }
            Literal::None | Literal::Map(_) => bail!("{literal} is no attribute's value"),
        })
    }
    match value.spec() {
        AnySpec::Literal(literal) => of(literal),
        AnySpec::List(items) | AnySpec::Tuple(items) => {
            let item = |item: &AnySpec| match item {
                AnySpec::Literal(literal) => of(literal),
                other => bail!("attributes are plain values, not {other}"),
            };
            Ok(AttrValue::List(items.iter().map(item).collect::<Result<_>>()?))
        }
        other => bail!("attributes are plain values, not {other}"),
    }
}

/// The inputs and attributes of the op, for messages: `(a, b; transpose_a, transpose_b)`.
fn signature(def: &OpDef) -> String {
    let input = |a: &ArgDef| if a.list { format!("{}…", a.name) } else { a.name.to_owned() };
    let inputs: Vec<String> = def.inputs.iter().map(input).collect();
    let attrs: Vec<&str> = def.attrs.iter().filter(|a| !a.told).map(|a| a.name).collect();
    match attrs.is_empty() {
        true => format!("the op has ({})", inputs.join(", ")),
        false => format!("the op has ({}; {})", inputs.join(", "), attrs.join(", ")),
    }
}
