//! How the arguments of a call meet the traces that a model was saved with.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use extype_formats::proto::structured_value::Kind;
use extype_formats::proto::{FunctionSpec, StructuredValue};

use super::structures::{as_literal, literal};
use crate::array::{Array, Scalar};
use crate::spec::{
    AnySpec, AnyValue, Composite, Literal, TensorSpec, VariableSpec, anonymous_class,
};
use crate::tensor::{Identity, Tensor, Variable};
use crate::types::{DType, Result, bail, err, nearest};

/// The parameters of a function: those of the Python function that was saved.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters {
    /// Parameters that are given by position or by name.
    names: Vec<String>,
    /// The parameters that are only given by name.
    only_named: Vec<String>,
    /// The values of parameters that are not given; `None` for a value that is no plain data.
    defaults: BTreeMap<String, Option<Literal>>,
    takes_more: bool,
    takes_more_named: bool,
}

/// The arguments of a call, each in its place.
pub(super) struct Placed {
    pub(super) positional: Vec<AnyValue>,
    pub(super) named: BTreeMap<String, AnyValue>,
}

impl Parameters {
    pub(super) fn read(spec: Option<&FunctionSpec>) -> Result<Self> {
        let Some(spec) = spec else {
            return Ok(Self { takes_more: true, takes_more_named: true, ..Self::default() });
        };
        let Some(Kind::NamedTupleValue(fields)) =
            spec.fullargspec.as_ref().and_then(|s| s.kind.as_ref())
        else {
            bail!("the parameters are no `FullArgSpec`");
        };
        let field = |name: &str| fields.values.iter().find(|f| f.key == name)?.value.as_ref();
        let mut names = texts(field("args"))?;
        let only_named = texts(field("kwonlyargs"))?;
        let last: Vec<Option<Literal>> = match field("defaults").and_then(|v| v.kind.as_ref()) {
            Some(Kind::TupleValue(x)) => x.values.iter().map(plain).collect(),
            Some(Kind::ListValue(x)) => x.values.iter().map(plain).collect(),
            _ => Vec::new(),
        };
        let first = names.len().saturating_sub(last.len());
        let mut defaults: BTreeMap<_, _> = names[first..].iter().cloned().zip(last).collect();
        if let Some(Kind::DictValue(dict)) = field("kwonlydefaults").and_then(|v| v.kind.as_ref()) {
            defaults.extend(dict.fields.iter().map(|(name, v)| (name.clone(), plain(v))));
        }
        if names.first().is_some_and(|first| spec.is_method || first == "self") {
            names.remove(0);
        }
        let is_some = |v: Option<&StructuredValue>| {
            matches!(v.and_then(|v| v.kind.as_ref()), Some(Kind::StringValue(_)))
        };
        Ok(Self {
            names,
            only_named,
            defaults,
            takes_more: is_some(field("varargs")),
            takes_more_named: is_some(field("varkw")),
        })
    }

    /// The name of the argument at a place.
    pub(super) fn name(&self, place: usize) -> String {
        self.names.get(place).cloned().unwrap_or_else(|| format!("arg{place}"))
    }

    /// Puts every argument in its place, and the defaults in those of others.
    pub(super) fn place(&self, args: &[AnyValue], named: &[(&str, AnyValue)]) -> Result<Placed> {
        if args.len() > self.names.len() && !self.takes_more {
            bail!("it takes {} arguments, {} given", self.names.len(), args.len());
        }
        let mut by_name: BTreeMap<String, AnyValue> = BTreeMap::new();
        for (name, value) in named {
            let place = self.names.iter().position(|n| n == name);
            if place.is_none()
                && !self.only_named.iter().any(|n| n == name)
                && !self.takes_more_named
            {
                let all = self.names.iter().chain(&self.only_named).map(String::as_str);
                let near = nearest(name, all);
                let advice = near.map_or_else(String::new, |n| format!("; did you mean `{n}`?"));
                bail!("it has no parameter `{name}`{advice}");
            }
            let twice = place.is_some_and(|i| i < args.len());
            if by_name.insert((*name).to_owned(), value.clone()).is_some() || twice {
                bail!("its argument `{name}` is given twice");
            }
        }
        let mut missing = Vec::new();
        let mut take = |name: &String| {
            let given = by_name.remove(name);
            let default = || {
                let literal = AnySpec::Literal(self.defaults.get(name)?.clone()?);
                AnyValue::from_parts(literal, Vec::new()).ok()
            };
            let found = given.or_else(default);
            if found.is_none() {
                missing.push(format!("`{name}`"));
            }
            found
        };
        let mut positional = args.to_vec();
        positional.extend(self.names.iter().skip(args.len()).filter_map(&mut take));
        let only = self.only_named.iter().filter_map(|name| Some((name.clone(), take(name)?)));
        let mut named: BTreeMap<String, AnyValue> = only.collect();
        if !missing.is_empty() {
            bail!("it misses the arguments {}", missing.join(", "));
        }
        named.append(&mut by_name);
        Ok(Placed { positional, named })
    }
}

fn plain(message: &StructuredValue) -> Option<Literal> {
    literal(message).ok().flatten()
}

fn texts(message: Option<&StructuredValue>) -> Result<Vec<String>> {
    let items = match message.and_then(|m| m.kind.as_ref()) {
        Some(Kind::ListValue(x)) => &x.values,
        Some(Kind::TupleValue(x)) => &x.values,
        _ => return Ok(Vec::new()),
    };
    let text = |item: &StructuredValue| match &item.kind {
        Some(Kind::StringValue(name)) => Ok(name.clone()),
        _ => Err(err!("the name of a parameter is no text")),
    };
    items.iter().map(text).collect()
}

/// Fits the values of a call to the specs that a trace was saved for.
pub(super) struct Fitting {
    /// True if plain data may stand for tensors.
    pub(super) convert: bool,
    /// The tensors of the values so far.
    pub(super) tensors: Vec<Tensor>,
    /// The variables so far, with the ids by which a spec tells which are the same.
    aliases: Vec<(u32, Identity)>,
}

impl Fitting {
    pub(super) fn new(convert: bool) -> Self {
        Self { convert, tensors: Vec::new(), aliases: Vec::new() }
    }

    /// Takes the tensors of a value if it fits; false if it does not.
    pub(super) fn fit(&mut self, wanted: &AnySpec, given: &AnyValue) -> Result<bool> {
        Ok(match (wanted, given.spec()) {
            (wanted, AnySpec::Optional(Some(_))) => match &given.components()[..] {
                [inner] => self.fit(wanted, inner)?,
                _ => false,
            },
            (AnySpec::Literal(Literal::None), AnySpec::Optional(None)) => true,
            (AnySpec::Tensor(wanted), AnySpec::Tensor(_)) => {
                self.tensor(wanted, &given.leaves()[0])
            }
            (AnySpec::Tensor(wanted), AnySpec::Variable(_)) => {
                match Variable::of(&given.leaves()[0]) {
                    Some(variable) => self.tensor(wanted, &variable.read()?),
                    None => false,
                }
            }
            (AnySpec::Tensor(wanted), given) => {
                let data = as_literal(given).filter(|_| self.convert);
                let tensor = data.and_then(|data| tensor_of(&data, wanted.dtype));
                tensor.is_some_and(|tensor| self.tensor(wanted, &tensor))
            }
            (AnySpec::Variable(wanted), AnySpec::Variable(_)) => {
                self.variable(wanted, &given.leaves()[0])
            }
            (AnySpec::Tuple(a), AnySpec::Tuple(_)) | (AnySpec::List(a), AnySpec::List(_)) => {
                self.all(a.iter(), &given.components())?
            }
            (AnySpec::Map(a), AnySpec::Map(b)) => {
                a.keys().eq(b.keys()) && self.all(a.values(), &given.components())?
            }
            // A named tuple takes a tuple.
            (AnySpec::Composite(a), AnySpec::Tuple(_))
                if a.class == anonymous_class() && a.components.is_none() =>
            {
                self.all(a.fields.iter().map(|(_, wanted)| wanted), &given.components())?
            }
            // A type that this program does not know takes values of any type with its fields.
            (AnySpec::Composite(a), AnySpec::Composite(b))
                if a.class == anonymous_class() && a.class != b.class && a.components.is_none() =>
            {
                let names = |c: &Composite| -> Vec<_> {
                    c.fields.iter().map(|(name, _)| name.clone()).collect()
                };
                if names(a) != names(b) || b.components.is_some() {
                    return Ok(false);
                }
                for (name, wanted) in &a.fields {
                    if !self.fit(wanted, &given.field(name)?)? {
                        return Ok(false);
                    }
                }
                true
            }
            (wanted, spec) => match (as_literal(wanted), as_literal(spec)) {
                (Some(wanted), Some(given)) => wanted == given,
                _ => {
                    self.tensors.extend(given.leaves().iter().cloned());
                    wanted.is_compatible_with(spec)
                }
            },
        })
    }

    fn all<'a>(
        &mut self,
        wanted: impl ExactSizeIterator<Item = &'a AnySpec>,
        given: &[AnyValue],
    ) -> Result<bool> {
        if wanted.len() != given.len() {
            return Ok(false);
        }
        for (wanted, given) in wanted.zip(given) {
            if !self.fit(wanted, given)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn tensor(&mut self, wanted: &TensorSpec, given: &Tensor) -> bool {
        let fits = given.dtype() == wanted.dtype && wanted.shape.is_compatible_with(&given.shape());
        if fits {
            self.tensors.push(given.clone());
        }
        fits
    }

    /// A trace for one variable twice is none for two variables.
    fn variable(&mut self, wanted: &VariableSpec, given: &Tensor) -> bool {
        self.tensors.push(given.clone());
        let Some(variable) = Variable::of(given) else { return false };
        let ty = variable.tensor_type();
        if let Some(alias) = wanted.alias_id {
            let this = (alias, given.id());
            if self.aliases.iter().any(|other| (other.0 == this.0) != (other.1 == this.1)) {
                return false;
            }
            self.aliases.push(this);
        }
        ty.dtype == wanted.dtype && ty.shape.is_compatible_with(&wanted.shape)
    }
}

/// Plain data as a tensor of this dtype, if it can be one.
fn tensor_of(data: &Literal, dtype: DType) -> Option<Tensor> {
    fn collect(
        data: &Literal,
        depth: usize,
        dims: &mut Vec<usize>,
        out: &mut Vec<Literal>,
    ) -> Option<()> {
        match data {
            Literal::List(items) | Literal::Tuple(items) => {
                match dims.get(depth) {
                    Some(size) if *size != items.len() => return None,
                    Some(_) => {}
                    None if out.is_empty() => dims.push(items.len()),
                    None => return None,
                }
                items.iter().try_for_each(|item| collect(item, depth + 1, dims, out))
            }
            one if depth == dims.len() => {
                out.push(one.clone());
                Some(())
            }
            _ => None,
        }
    }
    let (mut dims, mut items) = (Vec::new(), Vec::new());
    collect(data, 0, &mut dims, &mut items)?;
    if dtype == DType::String {
        let text = |item: &Literal| match item {
            Literal::Str(text) => Some(text.as_bytes().to_vec()),
            Literal::Bytes(bytes) => Some(bytes.to_vec()),
            _ => None,
        };
        let items = items.iter().map(text).collect::<Option<_>>()?;
        return Array::from_strings(&dims[..], items).ok().map(Tensor::Value);
    }
    let mut bytes = Vec::new();
    for item in &items {
        let number = match item {
            Literal::Bool(x) => Scalar::Bool(*x),
            Literal::Int(x) => Scalar::Int(i64::try_from(*x).ok()?),
            Literal::Float(x) => Scalar::Float(*x),
            _ => return None,
        };
        bytes.extend_from_slice(number.to_array(dtype).ok()?.as_bytes()?);
    }
    Array::from_bytes(dtype, &dims[..], &bytes).ok().map(Tensor::Value)
}

/// The types of the arguments as text.
pub(super) fn shown<'a>(arguments: impl Iterator<Item = (String, &'a AnySpec)>) -> String {
    let mut text = String::from("(");
    for (i, (name, spec)) in arguments.enumerate() {
        let _ = write!(text, "{}{name}: {spec}", if i == 0 { "" } else { ", " });
    }
    text.push(')');
    text
}
