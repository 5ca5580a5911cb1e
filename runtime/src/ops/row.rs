//! The syntax of a row of the op table.

/// Defines an op: one row of the op table, for this crate and for yours.
///
/// A row names the op as in a GraphDef, its typed inputs and outputs, the dtypes that its type
/// attributes may have, other attributes, and the functions that infer and compute. From it come
/// the op's struct, its entry in the registry and its meaning for [`Tensor`](crate::Tensor);
/// other types give it a meaning through the `Apply…` traits or `#[dispatch]`.
///
/// * `op` rows stand alone; `arity` is the number of operands: `1`, `2`, `3`, `seq` for a
///   sequence, `none` for ops that are called through [`execute`](crate::tensor::execute) only.
///   Fields under `host` are inputs, wherever they stand, that are host data in Rust. The result is
///   a tensor, a pair or triple for two or three outputs, a `Vec` for an output that is a list,
///   `()` for none.
/// * `unary`, `binary` and `reduction` rows belong to the family of that name. They name a
///   function struct too, that holds the attributes.
///
/// Eager calls run the kernel alone: it checks what inference checks. When it fails, inference
/// runs too, and if it refuses the call as well its message is the one given.
///
/// An attribute or host input whose graph name is no good field name is written
/// `dst as "DstT": DType`; `alpha: f32 = 0.2` says what a call by name may leave out. An
/// argument's type is a type attribute (`T`), a list of one dtype (`[T]`, `[{I32}]`) or of any (`(T)`), or a
/// fixed dtype (`{Bool}`).
///
/// ```
/// use extype::ops::{Apply1, Op, rules};
/// use extype::prelude::*;
/// use extype::op::{KernelContext, Outputs};
///
/// extype::define_op! {
///     /// The cube of every element.
///     pub unary Cube = CubeFn("Cube") {
///         inputs: { x: T }, outputs: { y: T },
///         types: { T: DTypeSet::of(&[DType::F32]) }, attrs: {},
///         infer: rules::same_shape, kernel: cube,
///     }
/// }
///
/// fn cube(c: &KernelContext<'_>) -> Result<Outputs> {
///     let x = c.input(0);
///     let cubes: Vec<f32> = x.as_slice::<f32>()?.iter().map(|x| x * x * x).collect();
///     Ok([Array::from_slice(x.dims(), &cubes)?].into())
/// }
///
/// let y = Tensor::apply1(&Cube::default(), &tensor![1.0f32, 2.0])?;
/// assert_eq!(y.as_slice::<f32>()?, &[1.0, 8.0]);
/// # Ok::<(), Error>(())
/// ```
#[macro_export]
macro_rules! define_op {
    ($(#[doc = $doc:literal])* $vis:vis op $name:ident = $graph:literal {
        inputs: { $($in:ident: $inty:tt),* $(,)? }, outputs: { $($out:ident: $outty:tt),* $(,)? },
        types: { $($tv:ident: $set:expr),* $(,)? },
        attrs: { $($attr:ident $(as $aname:literal)?: $attrty:ty $(= $default:expr)?),* $(,)? },
        host: { $($host:ident $(as $hname:literal)?: $hostty:ty),* $(,)? },
        arity: $arity:tt, effect: $effect:ident, infer: $infer:expr, kernel: $kernel:expr $(,)?
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $name {
            $(#[doc = concat!("The attribute `", stringify!($attr), "`.")] pub $attr: $attrty,)*
            $(#[doc = concat!("The host input `", stringify!($host), "`.")] pub $host: $hostty,)*
        }

        const _: () = {
            $crate::define_op!(@def [$($doc)*] $graph, Own, $effect, { $($in: $inty),* },
                { $($out: $outty),* }, { $($tv: $set),* },
                { $([$attr $($aname)?] $attrty $(= $default)?),* },
                [$($crate::define_op!(@attr_name $host $($hname)?)),*], $infer, $kernel);

            impl $crate::ops::NamedOp for $name {
                const NAME: &'static str = $graph;
            }

            impl $crate::ops::Op for $name {
                const HOST_INPUTS: usize = <[&str]>::len(&[$(stringify!($host)),*]);

                fn def(&self) -> &'static $crate::op::OpDef {
                    &DEF
                }

                fn attrs(&self) -> $crate::op::Attrs {
                    $crate::op::Attrs::new()$(
                        .with($crate::define_op!(@attr_name $attr $($aname)?), &self.$attr)
                    )*
                }

                fn host_inputs(
                    &self,
                    first: &$crate::Tensor,
                ) -> $crate::Result<$crate::__private::HostInputs> {
                    let _ = first;
                    ::core::result::Result::Ok($crate::__private::HostInputs::from_vec(
                        $crate::__private::vec![$(
                            $crate::__private::StaticInput::to_input(&self.$host, first)?
                        ),*],
                    ))
                }

                fn from_parts(
                    attrs: &$crate::op::Attrs,
                    host: &[$crate::Tensor],
                ) -> $crate::Result<Self> {
                    let _ = attrs;
                    let mut host = host.iter();
                    let made = Self {
                        $($attr: attrs.get($crate::define_op!(@attr_name $attr $($aname)?))?,)*
                        $($host: $crate::__private::StaticInput::from_input(host.next())?,)*
                    };
                    let _ = host.next();
                    ::core::result::Result::Ok(made)
                }
            }
        };

        $crate::define_op!(@arity $arity $name { $($out: $outty),* });
    };

    ($(#[doc = $doc:literal])* $vis:vis $family:ident $name:ident = $function:ident($graph:literal) {
        inputs: { $($in:ident: $inty:tt),* $(,)? }, outputs: { $($out:ident: $outty:tt),* $(,)? },
        types: { $($tv:ident: $set:expr),* $(,)? },
        attrs: { $($attr:ident $(as $aname:literal)?: $attrty:ty = $default:expr),* $(,)? },
        infer: $infer:expr, kernel: $kernel:expr $(,)?
    }) => {
        $(#[doc = $doc])*
        $vis type $name = $crate::define_op!(@op $family $function);

        #[doc = concat!("Tells [`", stringify!($name), "`] from the other ops of its family.")]
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $function {
            $(#[doc = concat!("The attribute `", stringify!($attr), "`.")] pub $attr: $attrty,)*
        }

        impl ::core::default::Default for $function {
            fn default() -> Self {
                Self { $($attr: $default,)* }
            }
        }

        const _: () = {
            $crate::define_op!(@kind $family [$($doc)*] $graph, { $($in: $inty),* },
                { $($out: $outty),* }, { $($tv: $set),* },
                { $([$attr $($aname)?] $attrty = $default),* }, $infer, $kernel);

            impl $crate::ops::NamedOp for $function {
                const NAME: &'static str = $graph;
            }

            impl $crate::ops::FunctionOf<$crate::define_op!(@family $family)> for $function {
                fn def(&self) -> &'static $crate::op::OpDef {
                    &DEF
                }

                fn attrs(&self) -> $crate::op::Attrs {
                    $crate::op::Attrs::new()$(
                        .with($crate::define_op!(@attr_name $attr $($aname)?), &self.$attr)
                    )*
                }

                fn from_attrs(attrs: &$crate::op::Attrs) -> $crate::Result<Self> {
                    let _ = attrs;
                    ::core::result::Result::Ok(Self { $($attr: attrs.get($crate::define_op!(@attr_name $attr $($aname)?))?,)* })
                }
            }
        };
    };

    (@op unary $f:ident) => { $crate::ops::Unary<$f> };
    (@op binary $f:ident) => { $crate::ops::Binary<$f> };
    (@op reduction $f:ident) => { $crate::ops::Reduce<$f> };
    (@family unary) => { $crate::ops::family::Unary };
    (@family binary) => { $crate::ops::family::Binary };
    (@family reduction) => { $crate::ops::family::Reduction };

    (@kind unary $doc:tt $graph:literal, $in:tt, $out:tt, $tv:tt, $attrs:tt, $infer:expr, $kernel:expr) => {
        $crate::define_op!(@def $doc $graph, UnaryElementwise, Pure, $in, $out, $tv, $attrs, [], $infer, $kernel);
    };
    (@kind binary $doc:tt $graph:literal, $in:tt, $out:tt, $tv:tt, $attrs:tt, $infer:expr, $kernel:expr) => {
        $crate::define_op!(@def $doc $graph, BinaryElementwise, Pure, $in, $out, $tv, $attrs, [], $infer, $kernel);
    };
    (@kind reduction $doc:tt $graph:literal, $in:tt, $out:tt, $tv:tt, { $($attrs:tt)* }, $infer:expr, $kernel:expr) => {
        $crate::define_op!(@def $doc $graph, Reduction, Pure, $in, $out, $tv,
            { [keep_dims] bool = false, $($attrs)* }, ["reduction_indices"], $infer, $kernel);
    };

    (@def [$($doc:literal)*] $graph:literal, $kind:ident, $effect:ident,
        { $($in:ident: $inty:tt),* }, { $($out:ident: $outty:tt),* }, { $($tv:ident: $set:expr),* },
        { $($attr:tt $attrty:ty $(= $default:expr)?),* $(,)? }, [$($host:expr),*], $infer:expr, $kernel:expr) => {
        const HOST: &[&str] = &[$($host),*];
        const _: &[&str] = HOST; // an op without inputs does not look at it
        static DEF: $crate::op::OpDef = $crate::op::OpDef {
            name: $graph,
            doc: concat!($($doc, "\n"),*),
            inputs: &[$($crate::define_op!(@arg $in $inty).host_if_in(HOST)),*],
            outputs: &[$($crate::define_op!(@arg $out $outty)),*],
            attrs: &[
                $($crate::op::AttrDef::dtype(stringify!($tv), $set),)*
                $($crate::op::AttrDef {
                    default: $crate::define_op!(@default $attrty $(= $default)?),
                    ..$crate::op::AttrDef::value($crate::define_op!(@attr_name_of $attr))
                },)*
            ],
            kind: $crate::op::OpKind::$kind,
            effect: $crate::op::Effect::$effect,
            infer: $infer,
            kernel: $kernel,
        };

        $crate::__private::inventory::submit!($crate::op::OpEntry(&DEF));
    };

    (@default $ty:ty) => { ::core::option::Option::None };
    (@default $ty:ty = $default:expr) => {
        ::core::option::Option::Some(|| {
            let default: $ty = $default;
            $crate::op::Attr::to_attr(&default)
        })
    };

    (@attr_name_of [$($name:tt)*]) => { $crate::define_op!(@attr_name $($name)*) };
    (@attr_name $attr:ident) => { stringify!($attr) };
    (@attr_name $attr:ident $name:literal) => { $name };

    (@arg $name:ident [$t:ident]) => {
        $crate::op::ArgDef::list(stringify!($name), $crate::op::ArgType::Var(stringify!($t)))
    };
    (@arg $name:ident ($t:ident)) => {
        $crate::op::ArgDef::list(stringify!($name), $crate::op::ArgType::Each(stringify!($t)))
    };
    (@arg $name:ident [{$t:ident}]) => {
        $crate::op::ArgDef::list(stringify!($name), $crate::op::ArgType::Fixed($crate::types::DType::$t))
    };
    (@arg $name:ident {$t:ident}) => {
        $crate::op::ArgDef::one(stringify!($name), $crate::op::ArgType::Fixed($crate::types::DType::$t))
    };
    (@arg $name:ident $t:ident) => {
        $crate::op::ArgDef::one(stringify!($name), $crate::op::ArgType::Var(stringify!($t)))
    };

    (@results { }) => { () };
    (@results { $out:ident: [$($t:tt)*] }) => { $crate::__private::Vec<$crate::Tensor> };
    (@results { $out:ident: ($t:ident) }) => { $crate::__private::Vec<$crate::Tensor> };
    (@results { $a:ident: $at:tt, $b:ident: $bt:tt }) => { ($crate::Tensor, $crate::Tensor) };
    (@results { $a:ident: $at:tt, $b:ident: $bt:tt, $c:ident: $ct:tt }) => {
        ($crate::Tensor, $crate::Tensor, $crate::Tensor)
    };
    (@results { $out:ident: $t:tt }) => { $crate::Tensor };

    (@arity none $name:ident $out:tt) => {};
    (@arity 1 $name:ident $out:tt) => {
        #[diagnostic::do_not_recommend]
        impl $crate::ops::Apply1<$name> for $crate::Tensor {
            type Output = $crate::define_op!(@results $out);

            #[track_caller]
            fn apply1(op: &$name, x: &Self) -> $crate::Result<Self::Output> {
                $crate::ops::Op::run_as(op, &[x])
            }
        }
    };
    (@arity 2 $name:ident $out:tt) => {
        #[diagnostic::do_not_recommend]
        impl $crate::ops::Apply2<$crate::Tensor, $name> for $crate::Tensor {
            type Output = $crate::define_op!(@results $out);

            #[track_caller]
            fn apply2(op: &$name, x: &Self, y: &$crate::Tensor) -> $crate::Result<Self::Output> {
                $crate::ops::Op::run_as(op, &[x, y])
            }
        }
    };
    (@arity 3 $name:ident $out:tt) => {
        #[diagnostic::do_not_recommend]
        impl $crate::ops::Apply3<$crate::Tensor, $crate::Tensor, $name> for $crate::Tensor {
            type Output = $crate::define_op!(@results $out);

            #[track_caller]
            fn apply3(
                op: &$name,
                x: &Self,
                y: &$crate::Tensor,
                z: &$crate::Tensor,
            ) -> $crate::Result<Self::Output> {
                $crate::ops::Op::run_as(op, &[x, y, z])
            }
        }
    };
    (@arity seq $name:ident $out:tt) => {
        #[diagnostic::do_not_recommend]
        impl $crate::ops::ApplySeq<$name> for $crate::Tensor {
            type Output = $crate::define_op!(@results $out);

            #[track_caller]
            fn apply_seq(op: &$name, xs: &[&Self]) -> $crate::Result<Self::Output> {
                $crate::ops::Op::run_as(op, xs)
            }
        }
    };
}
