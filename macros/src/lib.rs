//! The derive and attribute macros of `extype`; use them through that crate.
//!
//! Each macro has a folder. Large ones have four steps: `parse` turns tokens into syntax with source positions, `model`
//! says what the syntax means, `check` collects all mistakes, and `expand` generates code from a model without
//! mistakes. `#[derive(Module)]` and `#[derive(StaticData)]` are small and do everything in `mod.rs`.
//!
//! Generated code names the library as `::extype::…`; with the option `crate = ::path` it names it
//! by that path.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod autograph;
mod compounds;
mod dispatch;
mod extension_type;
mod module;
mod op;
mod shared;
mod static_data;
mod tf_function;
mod trace_type;

use proc_macro::TokenStream;

/// Makes a struct or an enum an extension type: usable wherever a tensor is.
///
/// ```text
/// #[derive(ExtensionType, Clone, Debug)]
/// #[extension_type(name = "masked.MaskedTensor", validate)]
/// pub struct MaskedTensor {
///     pub values: Tensor,
///     pub mask: Tensor,
///     #[static_data]
///     pub axis_names: Vec<String>,
/// }
/// ```
///
/// Fields are components or static data. Components are tensors, variables, extension types, and options, lists,
/// arrays, tuples, boxes and string-keyed maps of these. Static data is part of the type: it is marked
/// `#[static_data]`, or recognized by name (`bool`, `char`, integers, floats, `String`, `&'static str`, `DType`,
/// `Shape`, and containers of these only). The variant of an enum is static data.
///
/// The derive writes the impls of `Structure`, `ExtensionType` and `Operand`, the operators, the constructor `new`, and
/// the spec `MaskedTensorSpec` with the same fields. Write methods of the spec in an `impl` block of your own.
///
/// Values are immutable: a field can't hold cells, locks or atomics, or share what it holds.
///
/// # The constructor
///
/// `MaskedTensor::new(values, mask)` takes the fields in order. A field of type `Tensor` takes anything that converts
/// to a tensor (numbers, arrays, nested vectors); `String` and `Shape` take anything that converts to them. Other
/// fields are given as they are. A field with a default is no parameter: `with_axis(2)` returns the value with another
/// `axis`. Both check the constraints of the fields and `validate`, as `ExtensionType::check` does later.
///
/// # Options of `#[extension_type(…)]` on the type
///
/// | option | meaning |
/// | --- | --- |
/// | `name = "project.Type"` | the registered name; default: module path and type name |
/// | `validate` | the constructor calls `Validate::validate` |
/// | `stackable` | `Stackable` says what a stack of such values is, for `map_fn` and its like; without it, tensor by tensor |
/// | `constructor = none` | no constructor is written; an identifier renames it |
/// | `spec = MySpec` | the spec is yours: a type with the same fields, for which you implement `TypeSpec`, with `default_to_any` and `default_from_any` for the conversions; laws that it overrides hold everywhere |
/// | `version = 2`, `upgrade(1 = function)` | the fields have changed: values that version 1 wrote are read by the function, from a type with its fields to `Result<Self>`; `1 = none` if they are no longer read |
/// | `structure = none` | besides the spec you write the impl of `Structure`: the spec has other fields than the type, or its fields are no structures |
/// | `bound(T: Trait, …)` | replaces the inferred bounds of the impls |
/// | `crate = ::path` | where `extype` is found; an absolute path |
///
/// # Options of `#[extension_type(…)]` on a field
///
/// | option | meaning |
/// | --- | --- |
/// | `default`, `default = value` | the field has `Default::default()`, or this value, unless it is changed by `with_field` |
/// | `dtype = f32`, `dtype = f32 \| f64` | the dtype of every tensor in the field |
/// | `shape = [?, 3]` | the shape of every tensor in the field; `?` any size, `[..]` any shape |
///
/// Sizes that are unknown in a trace are accepted.
#[proc_macro_derive(ExtensionType, attributes(extension_type, static_data))]
pub fn derive_extension_type(item: TokenStream) -> TokenStream {
    shared::entry::derive("ExtensionType", &item.into(), extension_type::expand).into()
}

/// Makes a struct or an enum static data, if all its fields are. It can then be a `#[static_data]` field, or an
/// argument of a traced function that gets one trace per value.
///
/// ```text
/// #[derive(StaticData, Clone, PartialEq)]
/// enum Padding { Same, Valid, Explicit { before: i64, after: i64 } }
/// ```
///
/// Specs identify variants and fields by name.
///
/// `#[static_data(crate = ::path)]` says where `extype` is found.
#[proc_macro_derive(StaticData, attributes(static_data))]
pub fn derive_static_data(item: TokenStream) -> TokenStream {
    shared::entry::derive("StaticData", &item.into(), static_data::expand).into()
}

/// Makes a struct or an enum an argument of traced functions that is compared by value: each value has a trace of its
/// own, and the trace sees the value. Its parts may be of any types, also of other crates, that have `Eq` and `Hash`.
///
/// Where all parts are numbers, strings and the like, derive `StaticData`, which specs can also store and print.
///
/// ```text
/// #[derive(TraceType, Clone, Debug, PartialEq, Eq, Hash)]
/// enum Window {
///     Whole,
///     Last(std::time::Duration),
/// }
/// ```
#[proc_macro_derive(TraceType, attributes(trace_type))]
pub fn derive_trace_type(item: TokenStream) -> TokenStream {
    shared::entry::derive("TraceType", &item.into(), trace_type::expand).into()
}

/// Makes a struct a module: an object with state, the receiver of traced methods.
///
/// ```text
/// #[derive(Module)]
/// struct Model { w: Variable, bias: Late<Variable>, layers: Vec<Dense>, units: usize, #[plain] mode: Mode }
/// ```
///
/// Fields are variables, cells of variables, modules, and lists and options of these. Fields of plain data are marked
/// `#[plain]`, or recognized by name as in `#[derive(ExtensionType)]`. The values of plain data are part of the key of
/// a trace.
///
/// `#[module(crate = ::path)]` says where `extype` is found.
#[proc_macro_derive(Module, attributes(module, plain))]
pub fn derive_module(item: TokenStream) -> TokenStream {
    shared::entry::derive("Module", &item.into(), module::expand).into()
}

/// Gives ops a meaning for a type. It stands on an inherent `impl` block, with its functions marked `#[overrides(…)]`.
///
/// | attribute | function | meaning |
/// | --- | --- | --- |
/// | `#[overrides(unary_elementwise)]` | `fn(op: impl UnaryOp, x: &Self) -> Result<R>` | every unary elementwise op |
/// | `#[overrides(binary_elementwise)]` | `fn(op: impl BinaryOp, x: &Self, y: &Self) -> Result<R>` | every binary elementwise op |
/// | `#[overrides(binary_elementwise, with = Tensor)]` | `fn(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<R>` | the same, with tensors and numbers on either side |
/// | `#[overrides(reduction)]` | `fn(op: impl ReductionOp, x: &Self) -> Result<R>` | every reduction |
/// | `#[overrides(matmul)]` | `fn(x: &Self, y: &Self, transpose_a: bool, …) -> Result<R>` | one op; parameters after the operands are its attributes, by name |
/// | `#[overrides(concat)]` | `fn(xs: &[&Self], axis: Axis) -> Result<R>` | one op on a sequence |
/// | `#[overrides(tanh, in unary_elementwise)]` | `fn(x: &Self) -> Result<R>` | one op of a family that the block overrides too; the result type is the family's |
///
/// An op is named by its function (`matmul`), by its type (`MatMul`), by its name in graphs (`BatchMatMulV2`) or by its
/// operator (`#[overrides(+)]`). A bare name is looked up in `extype::ops`, then where the block stands. If an op of
/// your own has the same or nearly the same name as one of these, write a path: `self::cumsum`.
///
/// A function takes all operands and all attributes of its op, or the op itself as `op: &MatMul`. With
/// `#[overrides(matmul, ..)]` the attributes that it does not take may have any value. The name of an attribute that it
/// takes without using begins with an underscore, `_transpose_a: bool`. The functions stay ordinary functions and can
/// be called. `#[dispatch(crate = ::path)]` says where `extype` is found.
#[proc_macro_attribute]
pub fn dispatch(args: TokenStream, item: TokenStream) -> TokenStream {
    shared::entry::attribute("dispatch", args.into(), &item.into(), dispatch::expand).into()
}

/// Marks the functions of a `#[dispatch]` impl. Without `#[dispatch]` it is an error.
#[proc_macro_attribute]
pub fn overrides(args: TokenStream, item: TokenStream) -> TokenStream {
    shared::entry::attribute("overrides", args.into(), &item.into(), dispatch::stray).into()
}

/// Defines ops: rows of the op table, for `extype` and for your own crates.
///
/// A row describes everything about its op once: names, typed inputs and outputs, attributes with defaults, inference,
/// kernel, gradient, how users call it, and documentation with an example.
///
/// ```text
/// define_op! {
///     /// Ops of polynomials, as methods: `x.cube()?`.
///     methods of Polynomials;
///
///     /// The cube of every element.
///     pub unary Cube = "Mine>Cube" {
///         types: { T: DTypeSet::FLOAT },
///         call: method cube,
///         kernel: cube_kernel,
///         gradient: |g, dy| dy * g.x(0) * g.x(0) * 3.0,
///     }
///
///     /// Each polynomial at a point, coefficients along an axis.
///     pub op Horner = "Mine>Horner" {
///         inputs: { coefficients: T, x: T, axis: {I32} as Axis }, outputs: { y: T },
///         types: { T: DTypeSet::FLOAT }, attrs: { reverse: bool = false },
///         call: horner(coefficients, x; axis, reverse),
///         infer: horner_types, kernel: horner_kernel, gradient: none,
///     }
/// }
/// ```
///
/// `unary`, `binary` and `reduction` rows belong to the family of that name. They inherit its inputs, outputs and
/// inference unless they give their own; `op` rows stand alone. The string is the name in a GraphDef, with a namespace
/// for ops of other crates.
///
/// | entry | what it says |
/// | --- | --- |
/// | `inputs`, `outputs` | `x: T` of a type attribute, `x: {Bool}` of a dtype, `xs: [T; N]` a list with its length in an attribute, `xs: (T)` a list of any dtypes; `dim: Tdim as axis: Axis` is no operand but plain data in Rust, the field `axis` |
/// | `types` | the dtypes that a type attribute may have; the function's documentation tells those of its operands |
/// | `attrs` | `dst as "DstT": DType = DType::F32`: field, graph name, type, default; `..Windows` for those of a list that stands before the rows, `attrs Windows { padding: String }` |
/// | `call` | the function, `name(operands; fields)`, after `method` also a method; a parameter may have a type of its own (`n: usize`), and `=> { field: value }` makes fields of it |
/// | `tensors` | `fn(&Op, &[&Tensor]) -> Result<…>`, or such a closure: what the op means for tensors, where that is more than to run it; in `op` and `unary` rows |
/// | `infer` | `fn(&InferContext<'_>) -> Result<Types>` |
/// | `kernel` | `Map(&table)`, `Zip(&table)` and the other kinds of `ir::Kernel`, or `fn(&KernelContext<'_>) -> Result<Outputs>` |
/// | `gradient` | `none` if no gradient passes; `fn(&Gradient<'_>) -> Result<…>`, in an `op` row also as a closure; in a unary row `\|g, dy\| gradient`, in a binary row `\|g, x, y, dy\| (of x, of y)` before they are summed over broadcast axes. A row without it is refused by tapes |
/// | `forward` | `fn(&'static OpDef, &Attrs) -> Result<Forward>`: what tapes run in its place, to keep more than its results; the rule is then that of the op run |
/// | `batch` | `fn(&Batch<'_>) -> Result<Batched>`, or such a closure: how `vectorized_map` calls the op once for all elements. Ops of families have the rule of their family; an op without one is called in a loop |
/// | `effect` | `Pure` unless said: `Reads`, `Writes`, `Checks`, `Impure` |
/// | `dispatch: none` | types can't override the op; it has no function |
/// | `finite_at` | `(1.0)`, `(_, 1.0)`: numbers at which the op and its derivatives are finite, for types that put something in for missing elements |
///
/// Kernels, inference and gradients read attributes by the keys of the op's struct, `c.get(Horner::REVERSE)?`. A
/// gradient may take the whole op, `let op: Horner = g.op()?`. For an op of a family the attributes are in the struct
/// that the family wraps: `CubeFn` for `Cube`. The trait of the methods is as visible as the ops that have them.
///
/// Docs may tell the names that the function has in NumPy, SciPy, TensorFlow, PyTorch and JAX:
/// ``NumPy: `abs`, `absolute`; TensorFlow: `tf.abs`, `Abs`.`` Searches in the documentation find it by these names.
///
/// The only attributes allowed on a row are docs: put `#[cfg(…)]` before a separate `define_op!`. `crate = ::path;`
/// before the rows says where `extype` is found.
#[proc_macro]
pub fn define_op(input: TokenStream) -> TokenStream {
    shared::entry::function("define_op", &input.into(), op::expand).into()
}

/// Compounds with arguments of any type: functions of other ops, which dispatch as ops do.
///
/// ```text
/// compounds! {
///     methods of RangeMethods;
///
///     /// The largest element less the smallest, over axes.
///     fn range_over(x; axes: impl AxesLike as Axes) -> Tensor {
///         ops::sub(x.reduce_max(&axes, false)?, x.reduce_min(&axes, false)?)
///     }
/// }
/// ```
///
/// Operands stand before `;`, other arguments after it, options after `=>`. After `as` stands the type that the body
/// gets, where the caller may give others. The body is written for tensors; each op is a struct with the name of its
/// function and the arguments as fields. `methods of Trait;` adds a trait with methods of the same names. Names of other
/// libraries in the docs are found by searches, as those of `define_op!` are.
#[proc_macro]
pub fn compounds(input: TokenStream) -> TokenStream {
    shared::entry::function("compounds", &input.into(), compounds::expand).into()
}

/// Makes a function or a method with `&self` a traced function. It is called as before, but traced once for each
/// signature, compiled, and run.
///
/// ```text
/// #[tf_function(reduce_retracing)]
/// pub fn row_means(m: &MaskedTensor) -> Result<Tensor> { … }
///
/// row_means(&m)?;
/// row_means::trace_count();
/// ```
///
/// Next to a function the macro defines a type of the same name with `trace_count()`, `signatures()`, `captures()`,
/// `concrete(…)` and `clear()`; next to a method `step` it defines the method `step_function()`. A module of the same
/// name in the same scope clashes with the type: `handle = …` renames it.
///
/// Arguments are `&T` and `T` for every structure and module, `&[T]` and `&str`. There may be at most twelve.
///
/// # Control flow
///
/// `if`, `while`, `for`, `loop`, `break`, `continue`, `return` and `?` work under tensor conditions as they do under
/// `bool`s, also in closures of the body. A tensor's value decides when the graph runs, a `bool` while the function is
/// traced. `for` iterates in the graph over ranges with a tensor end (`0..n`) and over the first axis of a tensor, and
/// as in Rust over everything else. Comparisons of tensors are tensors. `&&`, `||` and `!` take tensors, and evaluate
/// the right side only where Rust would. `assert!`, `assert_eq!`, `println!` and similar macros on tensors take effect
/// when the graph runs.
///
/// Both arms of a tensor condition are traced. So they may write only tensors, extension types, and plain data that is
/// the same after both; the same holds for the iterations of a loop. A handle that an arm takes by value is its own
/// copy of the handle. `match` and `if let` stay Rust's. Arguments of other macros are not converted.
///
/// `#[plain]` on a statement or a block leaves it to Rust.
///
/// # Options
///
/// | option | meaning |
/// | --- | --- |
/// | `reduce_retracing` | generalizes shapes that vary from call to call |
/// | `signature(f32[?, 784], static bool)` | one entry an argument: dtype and shape (`[]` a scalar, `[..]` any), `static T` for plain data, `{ spec }` for an extension type, `_` for no restriction |
/// | `name = "…"` | the name in graphs and messages |
/// | `handle = ident`, `handle = none` | renames the type or sibling method; `none`: writes neither, for methods of trait impls |
/// | `autograph = false` | leaves the control flow of the body to Rust, which runs it while it is traced |
/// | `crate = ::path` | where `extype` is found; an absolute path |
#[proc_macro_attribute]
pub fn tf_function(args: TokenStream, item: TokenStream) -> TokenStream {
    shared::entry::attribute("tf_function", args.into(), &item.into(), tf_function::expand).into()
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use quote::quote;

    /// With `crate = ::renamed` an expansion must not name `::extype`.
    #[test]
    fn expansions_name_the_given_crate_only() {
        let option = || quote!(crate = ::renamed);
        let expansions: [TokenStream; 9] = [
            super::extension_type::expand(quote! {
                #[extension_type(crate = ::renamed, validate)]
                struct S<V> {
                    #[extension_type(dtype = f32, shape = [?], default = 1.0)]
                    a: Tensor,
                    b: V,
                    c: String,
                    d: Plain,
                }
            }),
            super::extension_type::expand(quote! {
                #[extension_type(crate = ::renamed, spec = Own)]
                enum E { A(Tensor), B { x: i64 } }
            }),
            super::extension_type::expand(quote! {
                #[extension_type(crate = ::renamed)]
                struct Wrong { a: Mutex<Tensor> }
            }),
            super::static_data::expand(quote! {
                #[static_data(crate = ::renamed)]
                enum E { A, B(Plain), C { x: i64 } }
            }),
            super::module::expand(quote! {
                #[module(crate = ::renamed)]
                struct M { w: Variable, n: i64, m: Other }
            }),
            super::dispatch::expand(
                option(),
                quote! {
                    impl M {
                        #[overrides(Tanh)]
                        fn tanh(x: &Self) -> Result<Self> { todo!() }
                        #[overrides(binary_elementwise, with = Tensor)]
                        fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> { todo!() }
                    }
                },
            ),
            super::tf_function::expand(
                quote!(crate = ::renamed, signature(f32[?], _)),
                quote!(
                    fn f(x: &Tensor, m: &Masked) -> Result<Masked> {
                        todo!()
                    }
                ),
            ),
            super::tf_function::expand(
                option(),
                quote!(
                    fn f(&self, m: Masked) -> Result<Masked> {
                        todo!()
                    }
                ),
            ),
            super::op::expand(quote! {
                crate = ::renamed;
                methods of Polynomials;
                /// Docs.
                unary Cube = "Mine>Cube" {
                    types: { T: FLOAT }, attrs: { a: i64 = 1 }, kernel: Map(&t), call: method cube,
                    gradient: |g, dy| dy,
                }
                /// Docs.
                reduction Total = "Mine>Total" {
                    types: { T: FLOAT }, kernel: f, call: method total, gradient: none,
                }
                /// Docs.
                op Horner = "Mine>Horner" {
                    inputs: { x: T, y: [{I32}; N], n: {I32} as Integer }, outputs: { y: (S) },
                    types: { T: FLOAT }, attrs: { b: bool = true }, dispatch: none,
                    kernel: f, infer: f, gradient: |g| Ok(g),
                }
                /// Docs.
                op Sums = "Mine>Sums" {
                    inputs: { xs: [{F32}; N], n: {I32} as Integer }, outputs: { y: {F32} },
                    kernel: f, infer: f, call: sums([xs]; n), gradient: f,
                }
            }),
        ];
        for tokens in expansions {
            let text = tokens.to_string();
            assert!(text.contains(":: renamed") && !text.contains(":: extype"), "{text}");
        }
    }
}
