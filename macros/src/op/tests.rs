use quote::quote;

use super::*;
use crate::shared::testing;

fn messages(rows: TokenStream) -> Vec<String> {
    let mut d = Diagnostics::new();
    read(rows, &mut d);
    d.messages()
}

/// Expects one error that contains both texts.
#[track_caller]
fn refused(rows: TokenStream, text: &str, help: &str) {
    let messages = messages(rows);
    assert!(
        matches!(&messages[..], [one] if one.contains(text) && one.contains(help)),
        "{text}: {messages:#?}"
    );
}

#[track_caller]
fn accepted(rows: TokenStream) {
    assert_eq!(messages(rows), Vec::<String>::new());
}

/// A single row that is valid except for these entries.
fn op(entries: TokenStream) -> TokenStream {
    quote! {
        /// Docs.
        pub op Horner = "Mine>Horner" { infer: f, kernel: f, #entries }
    }
}

fn unary(entries: TokenStream) -> TokenStream {
    quote! {
        /// Docs.
        pub unary Cube = "Mine>Cube" { types: { T: FLOAT }, kernel: f, #entries }
    }
}

fn reduction(entries: TokenStream) -> TokenStream {
    quote! {
        /// Docs.
        pub reduction Total = "Mine>Total" { types: { T: FLOAT }, kernel: f, #entries }
    }
}

/// An op of one operand, an attribute without a default and a plain input.
fn horner(entries: TokenStream) -> TokenStream {
    op(quote! {
        inputs: { x: T, dim: {I32} as axis: Axis }, outputs: { y: T }, types: { T: FLOAT },
        attrs: { reverse: bool, exact: bool = true },
        #entries
    })
}

#[test]
fn tables() {
    accepted(quote!());
    accepted(unary(quote!(call: cube)));
    refused(quote!(crate = renamed;), "must be absolute", "`crate = ::renamed`");
    refused(quote!(methods of A; methods of B;), "named once", "a `define_op!` of their own");
    refused(quote!(pub unary Cube { }), "expected `=`", "");
    refused(
        quote!(
            /// Docs.
            pub unray Cube = "Mine>Cube" { kernel: f }
        ),
        "`unray` is no form",
        "write `unary`",
    );
    refused(
        quote!(
            /// Docs.
            pub elementwise Cube = "Mine>Cube" { kernel: f }
        ),
        "`elementwise` is no form",
        "the forms are `op`, `unary`",
    );
}

#[test]
fn a_mistake_in_one_row_leaves_the_others() {
    let (good, misspelt) = (unary(quote!(call: cube)), op(quote!(kernal: f)));
    let missing = quote! {
        /// Docs.
        pub binary Power = "Mine>Power" { types: { T: FLOAT } }
    };
    let rows = quote!(#misspelt #missing #good);
    assert_eq!(messages(rows.clone()).len(), 2);
    let out = expand(rows).to_string();
    assert!(
        out.contains("fn cube") && !out.contains("Horner") && !out.contains("PowerFn"),
        "{out}"
    );
}

#[test]
fn names_and_docs() {
    let row = |docs: TokenStream, graph: &str| quote!(#docs unary Cube = #graph { types: { T: F }, kernel: f });
    refused(row(quote!(), "Mine>Cube"), "has a doc comment", "say what it computes");
    refused(
        row(quote!(#[doc = "D."] #[cfg(unix)]), "Mine>Cube"),
        "no other attributes",
        "of its own",
    );
    refused(row(quote!(#[doc = "D."]), "Cube"), "has a namespace", "write `\"Namespace>Cube\"`");
    refused(row(quote!(#[doc = "D."]), ">Cube"), "letters, digits", "write `\"Namespace>Cube\"`");
    refused(row(quote!(#[doc = "D."]), "Mine>my cube"), "letters, digits", "");
    let twice = unary(quote!());
    refused(quote!(#twice #twice), "two rows are named `Cube`", "rename");
    let other = quote! {
        /// Docs.
        pub unary Other = "Mine>Cube" { types: { T: FLOAT }, kernel: f }
    };
    refused(quote!(#twice #other), "two rows have the graph name `Mine>Cube`", "rename");
    let (a, b) = (unary(quote!(call: f)), reduction(quote!(call: f)));
    refused(quote!(#a #b), "two rows have the function `f`", "rename");
}

#[test]
fn entries() {
    refused(unary(quote!(kernal: f)), "a row has no entry `kernal`", "write `kernel`");
    refused(unary(quote!(speed: f)), "a row has no entry `speed`", "the entries are `inputs`");
    refused(unary(quote!(infer: f, infer: g)), "`infer` stands twice", "keep one");
    refused(unary(quote!(effect: Write)), "`Write` is no effect", "write `Writes`");
    refused(unary(quote!(effect: Sideways)), "`Sideways` is no effect", "the effects are");
    refused(unary(quote!(finite_at: 1.0)), "stand in parentheses", "write `(1.0)`");
    refused(unary(quote!(finite_at: (_, 1.0))), "the op has one operand", "`_` where");
    refused(
        quote!(
            /// Docs.
            unary Cube = "Mine>Cube" { types: { T: FLOAT } }
        ),
        "the op `Cube` has neither `kernel` nor `body`",
        "write `kernel: Map(&table)`",
    );
    refused(
        quote!(
            /// Docs.
            op Cube = "Mine>Cube" { inputs: { x: {F32} }, outputs: { y: {F32} }, kernel: f }
        ),
        "the op `Cube` has no `infer`",
        "write `infer: f`",
    );
    refused(
        quote!(
            /// Docs.
            unary Cube = "Mine>Cube" { types: { T: F }, kernel: op::Kernel::Map(&t) }
        ),
        "the kind of its kernel alone",
        "write `Map(…)`",
    );
}

#[test]
fn arguments() {
    let of = |inputs: TokenStream, outputs: TokenStream| {
        op(quote!(inputs: { #inputs }, outputs: { #outputs }, types: { T: FLOAT }))
    };
    let y = quote!(y: T);
    accepted(of(quote!(in: T, xs: {I32} as r#type: Integers), y.clone()));
    refused(of(quote!(x: T, z: S), y.clone()), "no type attribute is named `S`", "write `T`");
    refused(of(quote!(x: Bool), y.clone()), "named `Bool`", "write `{Bool}` for the dtype");
    refused(of(quote!(x: T, z: {bool}), y.clone()), "no dtype is named `bool`", "write `{Bool}`");
    refused(of(quote!(x: T, z: {f32}), y.clone()), "no dtype is named `f32`", "write `{F32}`");
    refused(of(quote!(x: T, z: {float32}), y.clone()), "named `float32`", "write `{F32}`");
    refused(of(quote!(x: T, z: {Float}), y.clone()), "no dtype is named `Float`", "the dtypes are");
    refused(of(quote!(x: {F32}), quote!(y: {F32})), "has the type `T`", "leave it out");
    refused(of(quote!(x: T, x: T), y.clone()), "two inputs are named `x`", "rename");
    refused(of(quote!(x: T), quote!(y: T, y: T)), "two outputs are named `y`", "rename");
    refused(of(quote!(x: [T]), y.clone()), "the length of the list", "write `[T; N]`");
    refused(of(quote!(x: [T; N M]), y.clone()), "nothing more", "");
    refused(of(quote!(x: T, in: T as Axis), y.clone()), "is a keyword", "`in: … as in_: …`");
    refused(of(quote!(x: T), quote!(y: [T; N])), "how long the list `y` is", "`attrs: { N: i64 }`");
    refused(of(quote!(x: T), quote!(y: T, z: (S))), "a list and more", "`dispatch: none`");
    refused(of(quote!(x: T), quote!(a: T, b: T, c: T, d: T)), "than three tensors", "none");
    // One mistake with several places.
    refused(
        quote!(
            /// Docs.
            binary Power = "Mine>Power" { kernel: f }
        ),
        "no type attribute is named `T`",
        "`types: { T: DTypeSet::… }`",
    );
}

#[test]
fn rows_share_lists_of_attributes() {
    let with = |entries: TokenStream| {
        let row = op(
            quote!(inputs: { x: T }, outputs: { y: T }, types: { T: FLOAT }, attrs: { #entries }),
        );
        quote!(attrs Windows { padding: String, ksize: i64 = 2 } #row)
    };
    accepted(with(quote!(a: bool, ..Windows)));
    refused(
        with(quote!(padding as "other": String, ..Windows)),
        "two fields are named `padding`",
        "rename",
    );
    refused(with(quote!(..Window)), "no list of attributes is named `Window`", "write `..Windows`");
    refused(with(quote!(..Other)), "no list of attributes is named `Other`", "before the rows");
    let fields = |rows: TokenStream| {
        let model = read(rows, &mut Diagnostics::new()).unwrap();
        model.rows[0].fields().join(" ")
    };
    assert_eq!(fields(with(quote!(a: bool, ..Windows, b: bool))), "a padding ksize b");

    let row = with(quote!(..Windows));
    refused(quote!(attrs Windows { a: bool } #row), "two lists are named `Windows`", "rename");
    refused(quote!(attrs Other { a: bool } #row), "no row has the attributes", "`..Other`");
    let documented = quote! {
        /// Windows.
        #row
    };
    refused(documented, "nothing shows its docs", "`//`");
    let late = op(quote!(inputs: { x: T }, outputs: { y: T }, types: { T: FLOAT }, attrs: { ..A }));
    refused(quote!(#late attrs A { a: bool }), "stand before the rows", "move it up");
}

#[test]
fn attributes() {
    let of = |attrs: TokenStream| {
        op(
            quote!(inputs: { x: T, n: {I32} as size: Integer }, outputs: { y: T }, types: { T: FLOAT },
                  attrs: { #attrs }),
        )
    };
    accepted(of(quote!(r#type: String, dst as "in": DType = DType::F32)));
    refused(of(quote!(a: i64, a as "b": i64)), "two fields are named `a`", "`other as \"name\"");
    refused(of(quote!(n: usize)), "`usize` is no type", "write `i64`");
    refused(of(quote!(a: f64)), "`f64` is no type", "write `f32`");
    refused(of(quote!(a: extype::Tensor)), "`Tensor` is no type", "make it an input");
    refused(of(quote!(size: i64)), "two fields are named `size`", "rename one");
    refused(of(quote!(T: i64)), "two attributes are named `T`", "rename");
    refused(
        reduction(quote!(attrs: { keep_dims: bool = false })),
        "two attributes are named `keep_dims`",
        "rename",
    );
    refused(
        unary(quote!(attrs: { alpha: f32 })),
        "an attribute of a family's op has a default",
        "write `alpha: … = value`",
    );
}

#[test]
fn families() {
    refused(
        unary(quote!(inputs: { x: T, n: {I32} as Integer })),
        "its family's operands and nothing else",
        "write the row as `op`",
    );
    refused(unary(quote!(inputs: { x: T, y: T })), "one input and one output", "as `op`");
    refused(reduction(quote!(inputs: { x: [T; N], i: Tidx })), "two inputs", "as `op`");
    refused(unary(quote!(dispatch: none)), "override a family with all its ops", "leave");
    accepted(reduction(quote!(inputs: { input: T, reduction_indices: Tidx }, call: total)));
}

#[test]
fn dispatch() {
    let of = |entries: TokenStream| op(quote!(outputs: { z: {F32} }, #entries));
    let help = "write `dispatch: none`, or make inputs plain data";
    refused(of(quote!(inputs: {})), "without operands", help);
    refused(of(quote!(inputs: { xs: [{F32}; N], y: {F32} })), "of a list and other", help);
    let four = quote!(inputs: { a: {F32}, b: {F32}, c: {F32}, d: {F32} });
    refused(of(four.clone()), "more than three operands", help);
    // A wrong call of an op that is already wrong is not reported too.
    refused(of(quote!(#four, call: f(a))), "more than three operands", help);
    refused(of(quote!(#four, dispatch: no)), "only `dispatch: none`", "leave");
    refused(
        of(quote!(#four, dispatch: none, call: f(a, b, c, d))),
        "no function made for it",
        "leave `call` out",
    );
    accepted(of(quote!(#four, dispatch: none)));
}

#[test]
fn gradients() {
    refused(unary(quote!(gradient: |dy| dy)), "is `|g, dy| gradient`", "name a function");
    refused(horner(quote!(gradient: |g, dy| dy)), "is `|g| Ok(gradients)`", "name a function");
    refused(
        quote!(
            /// Docs.
            binary Power = "Mine>Power" { types: { T: F }, kernel: f, gradient: |g, dy| dy }
        ),
        "is `|g, x, y, dy| (gradient of x, gradient of y)`",
        "name a function",
    );
    refused(unary(quote!(gradient: None)), "no gradient", "write `none`");
    refused(unary(quote!(gradient: |g, dy| -> Tensor { dy })), "is known", "leave the type out");
}

#[test]
fn calls() {
    refused(
        horner(quote!(call: horner)),
        "operands are missing",
        "write `horner(x; reverse, axis)`",
    );
    refused(
        horner(quote!(call: horner(x, axis; reverse))),
        "the op has one operand",
        "write `horner(x; reverse)`",
    );
    refused(horner(quote!(call: horner([xs]; axis))), "has one operand", "write `horner(x; axis)`");
    refused(
        op(quote!(inputs: { xs: [{F32}; N] }, outputs: { y: {F32} }, call: f(xs))),
        "are a sequence",
        "write `f([xs])`",
    );
    refused(
        op(quote!(inputs: { a: {F32}, b: {F32} }, outputs: { y: {F32} }, call: f(a))),
        "the op has 2 operands",
        "write `f(a, b)`",
    );
    refused(
        horner(quote!(call: horner(x: &Tensor; reverse, axis))),
        "an operand has no type",
        "write `x`",
    );
    refused(horner(quote!(call: horner(x y))), "expected `,`", "");
    refused(horner(quote!(call: horner(x; axis reverse))), "expected `,`", "");
    refused(horner(quote!(call: horner([x y]))), "nothing more", "");
    refused(
        horner(quote!(call: horner(x; axis, revers))),
        "the op has no field `revers`",
        "write `reverse`",
    );
    refused(
        horner(quote!(call: horner(x; axis, reverse, count))),
        "the op has no field `count`",
        "give it a type, `count: …`",
    );
    refused(horner(quote!(call: horner(x; axis))), "`reverse` has no value", "horner(…; reverse)");
    refused(
        horner(quote!(call: horner(x; axis) => { revers: true })),
        "the op has no field `revers`",
        "write `reverse`",
    );
    refused(
        horner(quote!(call: horner(x; axis) => { reverse: true, reverse: false })),
        "the field `reverse` has two values",
        "leave one",
    );
    refused(
        horner(quote!(call: horner(x; x: i64, axis, reverse) => { exact: x > 1 })),
        "two parameters are named `x`",
        "rename",
    );
}

#[test]
fn uses_of_parameters() {
    let unused = "the parameter `a` is not used";
    let of = |made: TokenStream| horner(quote!(call: horner(x; a: bool, axis, reverse) => #made));
    // Letters of other names don't count as uses, and neither does a field of the struct.
    refused(of(quote!({ exact: max(all, 1) })), unused, "use it behind `=>`");
    refused(of(quote!({ exact: "a" == "{b}" })), unused, "");
    refused(horner(quote!(call: horner(x; a: bool, axis, reverse))), unused, "");
    refused(horner(quote!(call: horner(x; a: bool) => Horner::new())), unused, "");
    accepted(of(quote!({ exact: f(g!([a])) })));
    accepted(of(quote!({ exact: f(format!("{a:?}")) })));
    accepted(horner(quote!(call: horner(x; a: bool) => Horner::new(a)?)));
    refused(
        horner(quote!(call: horner(x; axis, reverse) => { reverse: true })),
        "the parameter `reverse` is not used",
        "",
    );
}

#[test]
fn methods() {
    let methods = quote!(methods of Polynomials;);
    let row = unary(quote!(call: method cube));
    accepted(quote!(#methods #row));
    refused(row.clone(), "the trait of the methods has no name", "write `methods of Trait;`");
    let sequence =
        op(quote!(inputs: { xs: [{F32}; N] }, outputs: { y: {F32} }, call: method f([xs])));
    refused(quote!(#methods #sequence), "no method", "leave `method` out");
    refused(sequence, "no method", "leave `method` out");
    let private = quote! {
        /// Docs.
        unary Other = "Mine>Other" { types: { T: FLOAT }, kernel: f, call: method other }
    };
    refused(quote!(#methods #row #private), "one visibility", "declare the op as `Cube` is");
    let out = expand(quote!(#methods #private)).to_string();
    assert!(out.contains("trait Polynomials") && !out.contains("pub trait"), "{out}");
}

#[test]
fn names_of_the_user_are_not_taken() {
    // A type `X`, items with the names of generated ones, a parameter with the name of the method.
    let out = expand(horner(quote! {
        call: f(x; axis: impl std::convert::Into<X>, reverse), gradient: rule
    }))
    .to_string();
    assert!(out.contains("fn f < XOperand : "), "{out}");
    assert!(out.contains("axis : :: core :: convert :: Into :: into (axis)"), "{out}");
    assert!(out.contains("(rule) (g) ?") && !out.contains("fn rule"), "{out}");
    let out = expand(quote! {
        methods of X;
        /// Docs.
        pub unary X = "Mine>X" { types: { T: FLOAT }, kernel: f, call: method x }
    })
    .to_string();
    assert!(out.contains("trait X :") && out.contains("fn x < XOperand : "), "{out}");
}

#[test]
fn functions_tell_their_dtypes_before_the_example_and_the_registry_neither() {
    let of = |docs: TokenStream, entries: TokenStream| {
        let row = expand(quote!(#docs pub op Mix = "Mine>Mix" { infer: f, kernel: f, #entries }));
        let file: syn::File = syn::parse2(row).unwrap();
        let function = file.items.iter().find_map(|item| match item {
            syn::Item::Fn(f) => Some(f.attrs.clone()),
            _ => None,
        });
        expand::doc_text(&function.unwrap())
    };
    let docs = quote! {
        /// Mixes.
        ///
        /// ```
        /// mix()
        /// ```
    };
    let mixed = quote! {
        inputs: { x: T, at: {I32}, y: T }, outputs: { z: {Bool} },
        types: { T: DTypeSet::FLOAT.or(DTypeSet::BOOL) }, call: mix(x, at, y)
    };
    let text = of(docs.clone(), mixed.clone());
    let sentence = "Dtypes of `x` and `y`, alike: float16, bfloat16, float32, float64, bool; of \
                    `at`: int32. The result is bool.";
    assert!(text.starts_with(&format!("Mixes.\n\n{sentence}\n\n```\nmix()\n```\n")), "{text}");
    let own = quote!(#[doc = "Dtypes: mine."]);
    assert!(!of(own, mixed.clone()).contains("float16"));
    let unknown = quote! {
        inputs: { x: T, y: T }, outputs: { z: T }, types: { T: MINE }, call: mix(x, y)
    };
    assert!(!of(docs.clone(), unknown).contains("Dtypes"));
    let row = expand(quote!(#docs pub op Mix = "Mine>Mix" { infer: f, kernel: f, #mixed }));
    assert!(row.to_string().contains(". with_doc (\"Mixes.\")"), "{row}");
}

#[test]
fn bodies() {
    let cube = |entries| {
        quote! {
            /// Docs.
            pub unary Cube = "Mine>Cube" { types: { T: FLOAT }, #entries }
        }
    };
    accepted(cube(quote!(body: |x| cube(x))));
    accepted(cube(quote!(body: |op, x| cube(op, x))));
    accepted(cube(quote!(body: cube)));
    refused(cube(quote!(body: |op, x, y| x)), "the parameters of a body", "`|op, x| …`");
    refused(cube(quote!(body: || x)), "the parameters of a body", "`|x| …`");
    refused(unary(quote!(body: cube)), "no `kernel`", "leave out `kernel`");
    refused(cube(quote!(body: cube, gradient: none)), "no `gradient`", "the ops of the body");
    refused(cube(quote!(body: cube, infer: f)), "no `infer`", "leave out `infer`");
    refused(cube(quote!(body: cube, batch: f)), "no `batch`", "leave out `batch`");
    let alone = quote! {
        /// Docs.
        pub op Zero = "Mine>Zero" { outputs: { y: {F32} }, dispatch: none, body: zero }
    };
    refused(alone, "has operands", "write a function");
}

#[test]
fn names_in_docs_are_aliases() {
    // A graph name without a namespace, as in `extype` itself, may stand in the docs too. Here it is a mild error.
    let row = quote! {
        /// The sum.
        ///
        /// NumPy: `np.plus`; TensorFlow: `tf.add`, `AddV2`.
        pub binary Add = "AddV2" {
            types: { T: DTypeSet::FLOAT }, call: add, kernel: Zip(&ADD), gradient: none,
        }
    };
    let text = expand(row).to_string().replace(' ', "");
    let count = |attribute: &str| text.matches(attribute).count();
    assert_eq!(count(r#"#[doc(alias="plus")]"#), 1, "{text}");
    assert_eq!(count(r#"alias="AddV2""#), 2, "one of the type, one of the function: {text}");
    assert_eq!(count("alias="), 3, "{text}");
}

#[test]
fn expansions() {
    testing::expect(
        "op/expected/unary",
        &expand(quote! {
            /// Ops of polynomials, as methods: `x.cube()?`.
            methods of Polynomials;

            /// The cube of every element.
            ///
            /// More.
            pub unary Cube = "Mine>Cube" {
                types: { T: DTypeSet::FLOAT },
                call: method cube,
                kernel: Map(&CUBE),
                finite_at: (1.0),
                gradient: |g, dy| ops::mul(dy, g.x(0))?,
            }
        }),
    );
    testing::expect(
        "op/expected/standalone",
        &expand(quote! {
            crate = ::renamed;

            methods of Polynomials;

            /// Each polynomial at a point, coefficients along an axis.
            pub op Horner = "Mine>Horner" {
                inputs: { coefficients: T, x: T, dim: Tdim as axis: Axis }, outputs: { y: T },
                types: { T: DTypeSet::FLOAT, Tdim: DTypeSet::INDEX },
                attrs: { reverse: bool = false, r#type as "Type": DType, count: i64 },
                call: method horner(coefficients, x; axis, r#type, n: usize) => { count: n as i64 },
                infer: horner_types, kernel: horner_kernel, gradient: horner_gradient,
            }

            /// The sums of lists.
            op Sums = "Mine>Sums" {
                inputs: { xs: [T; N], n: {I32} as Integer }, outputs: { ys: [T; N] },
                types: { T: DTypeSet::FLOAT },
                effect: Checks,
                call: sums([xs]; n),
                infer: |c| types(c), kernel: |c| sums(c), gradient: |g| Ok(gradients(g)),
            }
        }),
    );
    testing::expect(
        "op/expected/families",
        &expand(quote! {
            /// The total over axes.
            pub reduction Total = "Mine>Total" {
                types: { T: DTypeSet::FLOAT }, attrs: { weight: f32 = 1.0 },
                call: total(x; axes, weight) => { keep_dims: false },
                kernel: Reduce(&TOTAL), gradient: none,
            }

            /// `x` to the power of `y`.
            pub(crate) binary Power = "Mine>Power" {
                types: { T: DTypeSet::FLOAT },
                call: power,
                kernel: Zip(&POWER), finite_at: (_, 1.0),
                gradient: |g, x, y, dy| (ops::mul(dy, y)?, None::<Tensor>),
            }
        }),
    );
    testing::expect(
        "op/expected/compound",
        &expand(quote! {
            /// The cube of every element.
            pub unary Cube = "Mine>Cube" {
                types: { T: DTypeSet::FLOAT },
                body: |x| ops::mul(x, x.square()?),
            }

            /// The first `count` of a list.
            pub op Firsts = "Mine>Firsts" {
                inputs: { xs: [T; N] }, outputs: { y: T },
                types: { T: DTypeSet::FLOAT }, attrs: { count: i64 },
                body: firsts,
            }
        }),
    );
}
