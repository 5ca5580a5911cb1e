//! Values of extension types packed into one scalar variant tensor.
//!
//! A packed value has one tensor, however many its type has. Pack a value to send it through something that
//! carries single tensors, such as a list of tensors or a table, and unpack it afterwards. Packed and
//! unpacked values have different types, without a common supertype.

use std::fmt::{self, Debug, Display};
use std::panic::Location;
use std::sync::{Arc, OnceLock};

use super::{
    AnySpec, AnyValue, Class, Composite, ExtensionType, Hooks, LeafIter, Leaves, Nested,
    SpecContext, SpecEntry, Structure, TensorSpec, TypeSpec,
};
use crate::array::{AddArrays, Array, Boxed, Dims, Variant};
use crate::define_op;
use crate::ir::{InferContext, KernelContext, Outputs, Types};
use crate::ops::UnaryMethods as _;
use crate::ops::{Gradient, InputGradients, Op};
use crate::tensor::Tensor;
use crate::types::{DType, Result, Shape, TensorType, bail, err};

define_op! {
    /// The components of an extension type as one variant.
    ///
    /// TensorFlow: `CompositeTensorVariantFromComponents`.
    pub op PackComponents = "CompositeTensorVariantFromComponents" {
        inputs: { components: (Tcomponents) }, outputs: { encoded: {Variant} },
        attrs: { metadata: String },
        dispatch: none,
        infer: |_| Ok([TensorType::new(DType::Variant, Shape::scalar())].into()), kernel: pack,
        gradient: unpacked_gradient,
    }

    /// The components out of a variant that [`PackComponents`] made.
    ///
    /// TensorFlow: `CompositeTensorVariantToComponents`.
    pub op UnpackComponents = "CompositeTensorVariantToComponents" {
        inputs: { encoded: {Variant} }, outputs: { components: (Tcomponents) },
        attrs: {
            metadata: String, dtypes as "Tcomponents": Vec<DType>,
            shapes as "_output_shapes": Vec<Shape>
        },
        dispatch: none,
        infer: unpacked_types, kernel: unpack,
        gradient: packed_gradient,
    }
}

/// The content of the variant.
struct Components {
    /// The registered name of the type.
    name: String,
    parts: Vec<Array>,
}

impl Boxed for Components {
    fn kind(&self) -> &'static str {
        "packed value of an extension type"
    }

    /// Zeros for components that pass gradients; the others stay as they are.
    fn zeros_like(&self) -> Result<Variant> {
        let zeros = |part: &Array| match part.dtype().passes_gradient() {
            true => part.zeros_like(),
            false => Ok(part.clone()),
        };
        let parts = self.parts.iter().map(zeros).collect::<Result<_>>()?;
        Ok(Variant::new(Components { name: self.name.clone(), parts }))
    }

    fn sum(&self, other: &Variant, add: &AddArrays<'_>) -> Result<Variant> {
        let other = other.downcast_ref::<Self>();
        let Some(other) =
            other.filter(|o| o.name == self.name && o.parts.len() == self.parts.len())
        else {
            bail!("a packed `{}` and a value of another type have no sum", self.name);
        };
        let sum = |(x, y): (&Array, &Array)| match x.dtype().passes_gradient() {
            true => add(x, y),
            false => Ok(x.clone()),
        };
        let parts = self.parts.iter().zip(&other.parts).map(sum).collect::<Result<_>>()?;
        Ok(Variant::new(Components { name: self.name.clone(), parts }))
    }
}

/// The gradient of packing unpacks: a cotangent is a packed value of the same type.
fn unpacked_gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let op = UnpackComponents {
        metadata: g.get(PackComponents::METADATA)?,
        dtypes: g.inputs.iter().map(Tensor::dtype).collect(),
        shapes: g.inputs.iter().map(Tensor::shape).collect(),
    };
    let parts: Vec<Tensor> = op.run_as(&[g.dy()?])?;
    Ok(parts.into_iter().map(|part| Some(part).filter(|p| p.dtype().passes_gradient())).collect())
}

/// The gradient of unpacking packs the cotangents. Components that pass no gradient keep their values.
fn packed_gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let part = |(y, dy): (&Tensor, &Option<Tensor>)| match dy {
        Some(dy) => Ok(dy.clone()),
        None if y.dtype().passes_gradient() => y.zeros_like(),
        None => Ok(y.clone()),
    };
    let parts = g.outputs.iter().zip(g.cotangents).map(part).collect::<Result<Vec<_>>>()?;
    let op = PackComponents { metadata: g.get(UnpackComponents::METADATA)? };
    let packed = op.run(&parts.iter().collect::<Vec<_>>())?;
    Ok([Some(packed)].into_iter().collect())
}

fn pack(c: &KernelContext<'_>) -> Result<Outputs> {
    let parts = c.inputs.iter().map(|a| (*a).clone()).collect();
    let components = Components { name: c.get(PackComponents::METADATA)?, parts };
    Ok([Array::from_variants(Dims::new(), vec![Variant::new(components)])?].into())
}

fn unpacked_types(c: &InferContext<'_>) -> Result<Types> {
    if !c.shape(0).is_compatible_with(&Shape::scalar()) {
        bail!("a packed value is a scalar variant, not of shape {}", c.shape(0));
    }
    let dtypes = c.get(UnpackComponents::DTYPES)?;
    let shapes = match c.attrs.value(UnpackComponents::SHAPES.name()) {
        Some(_) => c.get(UnpackComponents::SHAPES)?,
        None => vec![Shape::unknown(); dtypes.len()],
    };
    if shapes.len() != dtypes.len() {
        bail!("{} shapes are given for {} components", shapes.len(), dtypes.len());
    }
    Ok(dtypes.into_iter().zip(shapes).map(|(d, s)| TensorType::new(d, s)).collect())
}

fn unpack(c: &KernelContext<'_>) -> Result<Outputs> {
    let wanted = c.get(UnpackComponents::METADATA)?;
    let [variant] = c.input(0).as_variants()? else {
        bail!("a packed value is a scalar variant, not of shape {}", c.input(0).shape());
    };
    let Some(components) = variant.downcast_ref::<Components>() else {
        bail!("the variant holds no value of an extension type; a `{wanted}` is wanted");
    };
    if components.name != wanted {
        bail!("the variant holds a `{}`, not a `{wanted}`", components.name);
    }
    let dtypes = c.get(UnpackComponents::DTYPES)?;
    let shapes = c.get(UnpackComponents::SHAPES).ok();
    if dtypes.len() != components.parts.len() {
        bail!("`{wanted}` is packed as {} tensors, not {}", components.parts.len(), dtypes.len());
    }
    for (i, (part, dtype)) in components.parts.iter().zip(&dtypes).enumerate() {
        let shape = shapes.as_ref().and_then(|s| s.get(i));
        if part.dtype() != *dtype || shape.is_some_and(|s| !part.shape().is_compatible_with(s)) {
            let shape = shape.map_or(String::new(), ToString::to_string);
            bail!(
                "component {i} of the packed `{wanted}` is {}, not {dtype}{shape}",
                part.tensor_type()
            );
        }
    }
    Ok(components.parts.iter().cloned().collect())
}

/// The class of all packed values. The field `value` of the spec holds the spec of the content.
fn class() -> Arc<Class> {
    static CLASS: OnceLock<Arc<Class>> = OnceLock::new();
    let class = || Class {
        name: "extype.Packed".into(),
        short_name: "Packed".into(),
        type_id: None,
        hooks: Hooks {
            rebuild: |c| {
                let value = c.field("value").ok_or_else(|| err!("field `value` is missing"))?;
                packed_spec(value.clone())
            },
            ..Hooks::STRUCTURAL
        },
    };
    CLASS.get_or_init(|| Arc::new(class())).clone()
}

inventory::submit! {
    SpecEntry { class, location: || Location::caller() }
}

fn packed_spec(value: AnySpec) -> Result<AnySpec> {
    if !matches!(&value, AnySpec::Composite(c) if c.class != class()) {
        bail!("only values of extension types are packed, not {value}");
    }
    let variant = AnySpec::Tensor(TensorSpec::new([], DType::Variant));
    Ok(AnySpec::Composite(Nested::try_new(Composite {
        class: class(),
        fields: vec![("value".into(), value)],
        components: Some(vec![variant]),
    })?))
}

/// The spec of the content, if this is the spec of a packed value.
fn content(spec: &AnySpec) -> Option<&AnySpec> {
    match spec {
        AnySpec::Composite(c) if c.class == class() => c.field("value"),
        _ => None,
    }
}

/// The registered name of the type, by which packed values are distinguished.
fn name_of(spec: &AnySpec) -> Result<String> {
    let AnySpec::Composite(c) = spec else {
        bail!("only values of extension types are packed, not {spec}");
    };
    if spec.leaves().iter().any(|s| matches!(s, AnySpec::Variable(_))) {
        bail!("a value with variables can't be packed: {spec}");
    }
    Ok(c.class.registered_name()?.to_owned())
}

#[track_caller]
fn pack_leaves(spec: &AnySpec, leaves: &[&Tensor]) -> Result<Tensor> {
    pack_as(name_of(spec)?, leaves)
}

#[track_caller]
fn unpack_leaves(spec: &AnySpec, variant: &Tensor) -> Result<Vec<Tensor>> {
    unpack_as(name_of(spec)?, spec, variant)
}

/// Tensors as one variant under a name.
#[track_caller]
pub(crate) fn pack_as(name: String, leaves: &[&Tensor]) -> Result<Tensor> {
    PackComponents { metadata: name }.run(leaves)
}

/// The tensors of a value of this spec that were packed under a name.
#[track_caller]
pub(crate) fn unpack_as(name: String, spec: &AnySpec, variant: &Tensor) -> Result<Vec<Tensor>> {
    let types = spec.leaves().into_iter().filter_map(|leaf| match leaf {
        AnySpec::Tensor(t) => Some((t.dtype, t.shape)),
        _ => None,
    });
    let (dtypes, shapes) = types.unzip();
    UnpackComponents { metadata: name, dtypes, shapes }.run_as(&[variant])
}

impl AnySpec {
    /// The spec of packed values of this type.
    ///
    /// # Errors
    /// `InvalidArgument` if it is not the spec of an extension type.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Interval {
    ///     low: Tensor,
    ///     high: Tensor,
    /// }
    ///
    /// let spec = Interval::new(1.0f32, 2.0f32)?.type_spec().to_any();
    /// assert_eq!(spec.packed()?.leaves()[0].to_string(), "TensorSpec([], variant)");
    /// assert!(TensorSpec::of::<f32>([]).to_any().packed().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn packed(&self) -> Result<AnySpec> {
        match content(self) {
            Some(_) => Ok(self.clone()),
            None => packed_spec(self.clone()),
        }
    }
}

impl AnyValue {
    /// The value packed into one scalar variant tensor; a packed value is returned as it is.
    ///
    /// In a trace this adds an op. Gradients pass, component by component.
    ///
    /// # Errors
    /// `InvalidArgument` if it is no value of an extension type, or one with variables;
    /// `NotFound` if the type has no registered name.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    ///
    /// #[derive(ExtensionType, Clone, Debug)]
    /// #[extension_type(name = "doc.Interval")]
    /// struct Interval {
    ///     low: Tensor,
    ///     high: Tensor,
    /// }
    ///
    /// let value = AnyValue::new(Interval::new(1.0f32, 2.0f32)?);
    /// let packed = value.pack()?;
    /// assert_eq!(packed.leaves().len(), 1);
    /// assert!(packed.is_packed()? && !value.is_packed()?);
    /// assert_eq!(packed.field("high")?.as_tensor().unwrap().item::<f32>()?, 2.0);
    /// let back: Interval = packed.unpack()?.downcast()?;
    /// assert_eq!(back.low.item::<f32>()?, 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn pack(&self) -> Result<AnyValue> {
        if self.is_packed()? {
            return Ok(self.clone());
        }
        let leaves: Vec<&Tensor> = self.leaves().iter().collect();
        let variant = pack_leaves(self.spec(), &leaves)?;
        Ok(AnyValue::joined(packed_spec(self.spec().clone())?, vec![AnyValue::new(variant)]))
    }

    /// The value unpacked; one that is not packed is returned as it is. Each call unpacks again.
    ///
    /// # Errors
    /// `InvalidArgument` if it is no value of an extension type, or the variant holds another.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Interval {
    ///     low: Tensor,
    ///     high: Tensor,
    /// }
    ///
    /// let packed = AnyValue::new(Interval::new(1.0f32, 2.0f32)?).pack()?;
    /// assert_eq!((packed.leaves().len(), packed.unpack()?.leaves().len()), (1, 2));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn unpack(&self) -> Result<AnyValue> {
        if !self.is_packed()? {
            return Ok(self.clone());
        }
        let spec = content(self.spec()).ok_or_else(|| err!(Internal, "packed, as was checked"))?;
        AnyValue::from_parts(spec.clone(), unpack_leaves(spec, &self.leaves()[0])?)
    }

    /// True if the value is packed.
    ///
    /// # Errors
    /// `InvalidArgument` if it is no value of an extension type.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Interval {
    ///     low: Tensor,
    ///     high: Tensor,
    /// }
    ///
    /// let value = AnyValue::new(Interval::new(1.0f32, 2.0f32)?);
    /// assert!(!value.is_packed()? && value.pack()?.is_packed()?);
    /// assert!(AnyValue::new(scalar(1.0f32)).is_packed().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn is_packed(&self) -> Result<bool> {
        match self.spec() {
            AnySpec::Composite(c) => Ok(c.class == class()),
            other => bail!("only values of extension types are packed or not, not {other}"),
        }
    }
}

/// A value of an extension type packed into one scalar variant tensor.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::Packed;
///
/// #[derive(ExtensionType, Clone, Debug)]
/// #[extension_type(name = "doc.Pair")]
/// struct Pair {
///     a: Tensor,
///     b: Tensor,
/// }
///
/// #[tf_function]
/// fn swapped(pair: &Packed<Pair>) -> Result<Packed<Pair>> {
///     let Pair { a, b } = pair.unpack()?;
///     Packed::new(&Pair { a: b, b: a })
/// }
///
/// let pair = Packed::new(&Pair::new(1.0f32, 2.0f32)?)?;
/// assert_eq!(nest::flatten(&pair).len(), 1);
/// assert_eq!(swapped(&pair)?.unpack()?.a.item::<f32>()?, 2.0);
/// # Ok::<(), Error>(())
/// ```
pub struct Packed<T: ExtensionType> {
    spec: T::Spec,
    variant: Tensor,
}

impl<T: ExtensionType> Packed<T> {
    /// Packs a value.
    ///
    /// # Errors
    /// `NotFound` if the type has no registered name; `InvalidArgument` for a value with
    /// variables.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Packed;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Interval {
    ///     low: Tensor,
    ///     high: Tensor,
    /// }
    ///
    /// let packed = Packed::new(&Interval::new(1.0f32, 2.0f32)?)?;
    /// assert_eq!(nest::flatten(&packed)[0].dtype(), DType::Variant);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn new(value: &T) -> Result<Self> {
        let spec = value.type_spec();
        let mut leaves = Leaves::new();
        value.leaves(&mut leaves);
        let variant = pack_leaves(&spec.to_any(), &leaves)?;
        Ok(Self { spec, variant })
    }

    /// Unpacks the value; each call unpacks again.
    ///
    /// # Errors
    /// `InvalidArgument` if the variant holds a value of another type.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Packed;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Interval {
    ///     low: Tensor,
    ///     high: Tensor,
    /// }
    ///
    /// let packed = Packed::new(&Interval::new(1.0f32, 2.0f32)?)?;
    /// assert_eq!(packed.unpack()?.high.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn unpack(&self) -> Result<T> {
        let mut leaves = LeafIter::new(unpack_leaves(&self.spec.to_any(), &self.variant)?);
        T::from_leaves(&self.spec, &mut leaves)
    }
}

impl<T: ExtensionType> Clone for Packed<T> {
    fn clone(&self) -> Self {
        Self { spec: self.spec.clone(), variant: self.variant.clone() }
    }
}

impl<T: ExtensionType> Debug for Packed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Packed({})", self.spec.to_any())
    }
}

/// The spec of a [`Packed`] value, which holds the spec of its content.
pub struct PackedSpec<T: ExtensionType> {
    /// The spec of the value that is packed.
    pub value: T::Spec,
}

impl<T: ExtensionType> Clone for PackedSpec<T> {
    fn clone(&self) -> Self {
        Self { value: self.value.clone() }
    }
}

impl<T: ExtensionType> PartialEq for PackedSpec<T> {
    fn eq(&self, other: &Self) -> bool {
        self.to_any() == other.to_any()
    }
}

impl<T: ExtensionType> Debug for PackedSpec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl<T: ExtensionType> Display for PackedSpec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.to_any(), f)
    }
}

impl<T: ExtensionType> TypeSpec for PackedSpec<T> {
    type Value = Packed<T>;

    fn to_any(&self) -> AnySpec {
        // The spec of an extension type is a composite. A hand-written spec that is not is refused when a
        // value is packed.
        let value = self.value.to_any();
        packed_spec(value.clone()).unwrap_or(value)
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        match content(any) {
            Some(value) => Ok(Self { value: T::Spec::from_any(value)? }),
            None => bail!("expected the spec of a packed value, got {any}"),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: ExtensionType> Structure for Packed<T> {
    type Spec = PackedSpec<T>;

    fn spec_in(&self, _: &mut SpecContext) -> PackedSpec<T> {
        PackedSpec { value: self.spec.clone() }
    }

    fn has_spec(&self, spec: &PackedSpec<T>, _: &mut SpecContext) -> bool {
        self.spec.to_any() == spec.value.to_any()
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        out.push(&self.variant);
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        out.push(self.variant);
    }

    fn from_leaves(spec: &PackedSpec<T>, leaves: &mut LeafIter) -> Result<Self> {
        let variant = leaves.take()?;
        if variant.dtype() != DType::Variant {
            bail!("expected a packed value, got a tensor of {}", variant.tensor_type());
        }
        Ok(Self { spec: spec.value.clone(), variant })
    }
}
