use proc_macro2::TokenStream;
use quote::quote;

use super::*;
use crate::shared::testing;

fn messages(item: TokenStream) -> Vec<String> {
    let input: DeriveInput = syn::parse2(item).unwrap();
    let mut diagnostics = Diagnostics::new();
    let raw = parse::parse(&input, &mut diagnostics);
    check::check(&model::Model::new(raw), &mut diagnostics);
    diagnostics.messages()
}

fn refused(item: TokenStream, text: &str) {
    let messages = messages(item);
    assert_eq!(messages.len(), 1, "{messages:#?}");
    assert!(messages[0].contains(text), "{messages:#?}");
}

fn accepted(item: TokenStream) {
    assert_eq!(messages(item), Vec::<String>::new());
}

#[test]
fn unions_and_empty_enums() {
    refused(quote!(union U { a: u32 }), "a union can't be");
    refused(
        quote!(
            enum E {}
        ),
        "no values",
    );
    accepted(quote!(
        enum E {
            A(Tensor),
            B,
        }
    ));
}

#[test]
fn lifetimes() {
    refused(
        quote!(
            struct S<'a> {
                a: Tensor,
                b: PhantomData<&'a ()>,
            }
        ),
        "owns its data",
    );
    accepted(quote!(
        struct S<T> {
            a: T,
            b: PhantomData<T>,
        }
    ));
}

#[test]
fn names() {
    for name in ["", "Masked", "a.", "a..B", "a-b.C"] {
        refused(
            quote!(
                #[extension_type(name = #name)]
                struct S {
                    a: Tensor,
                }
            ),
            "can be registered",
        );
    }
    for name in ["a.B", "a::b::C", "a.b.C_1"] {
        accepted(quote!(
            #[extension_type(name = #name)]
            struct S {
                a: Tensor,
            }
        ));
    }
}

#[test]
fn versions() {
    let refused = |options: TokenStream, text: &str| {
        refused(
            quote!(
                #[extension_type(#options)]
                struct S {
                    a: Tensor,
                }
            ),
            text,
        );
    };
    refused(quote!(version = 0), "they count from 1");
    refused(quote!(version = 3, upgrade(1 = f)), "nothing reads what version 2 wrote");
    refused(quote!(version = 2, upgrade(1 = f, 1 = none)), "version 1 is given twice");
    refused(quote!(version = 2, upgrade(1 = f, 2 = g)), "version 2 is not older than the type");
    refused(quote!(upgrade(1 = f)), "version 1 is not older than the type");
    refused(quote!(version = 1, spec = SSpec, structure = none), "so they have no versions");
    accepted(quote!(
        #[extension_type(version = 3, upgrade(1 = none, 2 = Self::of_second))]
        struct S {
            a: Tensor,
        }
    ));
}

#[test]
fn options() {
    refused(
        quote!(
            #[extension_type(structure = none)]
            struct S {
                a: Tensor,
            }
        ),
        "`structure = none` leaves `Structure` to you",
    );
    refused(
        quote!(
            #[extension_type(structure = own, spec = SSpec)]
            struct S {
                a: Tensor,
            }
        ),
        "`own` is no value of `structure`",
    );
    refused(
        quote!(
            #[extension_type(nmae = "a.B")]
            struct S {
                a: Tensor,
            }
        ),
        "did you mean `name`",
    );
    refused(
        quote!(
            #[extension_type(__name__ = "a.B")]
            struct S {
                a: Tensor,
            }
        ),
        "write `name =",
    );
    refused(
        quote!(
            #[extension_type(name = 3)]
            struct S {
                a: Tensor,
            }
        ),
        "another kind",
    );
    refused(
        quote!(
            #[extension_type(crate = self::x)]
            struct S {
                a: Tensor,
            }
        ),
        "must be absolute",
    );
    refused(
        quote!(
            #[extension_type]
            struct S {
                a: Tensor,
            }
        ),
        "in parentheses",
    );
    let twice = messages(quote!(
        #[extension_type(validate, validate)]
        struct S {
            a: Tensor,
        }
    ));
    assert_eq!(twice.len(), 2);
    accepted(quote!(
        #[extension_type(name = "a.B", validate, crate = ::x, constructor = make)]
        struct S {
            a: Tensor,
        }
    ));
}

#[test]
fn constructors_and_validation() {
    refused(
        quote!(
            #[extension_type(constructor = make)]
            struct S(Tensor);
        ),
        "named fields get",
    );
    refused(
        quote!(
            #[extension_type(validate)]
            enum E {
                A(Tensor),
            }
        ),
        "no constructor to run in",
    );
    accepted(quote!(
        #[extension_type(constructor = none)]
        struct S(Tensor);
    ));
}

#[test]
fn reserved_names() {
    refused(
        quote!(
            struct S {
                type_spec: Tensor,
            }
        ),
        "reserved",
    );
    refused(
        quote!(
            struct S {
                __extype_x: Tensor,
            }
        ),
        "reserved",
    );
    refused(
        quote!(
            enum E {
                A { variant: Tensor },
            }
        ),
        "reserved",
    );
    accepted(quote!(
        struct S {
            variant: Tensor,
            spec: Tensor,
            value: Tensor,
        }
    ));
}

#[test]
fn owned_fields() {
    refused(
        quote!(
            struct S {
                a: &'static Tensor,
            }
        ),
        "can't be a reference",
    );
    refused(
        quote!(
            struct S {
                a: *const u8,
            }
        ),
        "can't be a raw pointer",
    );
    refused(
        quote!(
            struct S {
                a: fn(u8) -> u8,
            }
        ),
        "can't be a function",
    );
    refused(
        quote!(
            struct S {
                a: Box<&'static [u8]>,
            }
        ),
        "can't be borrowed data",
    );
    accepted(quote!(
        struct S {
            a: &'static str,
            b: Vec<Tensor>,
            c: (Tensor, [Tensor; 2]),
        }
    ));
}

#[test]
fn immutable_fields() {
    refused(
        quote!(
            struct S {
                a: Mutex<Tensor>,
            }
        ),
        "immutable",
    );
    refused(
        quote!(
            struct S {
                a: Vec<std::cell::RefCell<Tensor>>,
            }
        ),
        "immutable",
    );
    refused(
        quote!(
            struct S {
                #[static_data]
                a: AtomicUsize,
            }
        ),
        "immutable",
    );
    accepted(quote!(
        struct S {
            a: AtomicMass,
        }
    ));
}

#[test]
fn ordered_fields() {
    refused(
        quote!(
            struct S {
                a: HashSet<String>,
            }
        ),
        "use `BTreeMap`",
    );
    refused(
        quote!(
            struct S {
                a: Option<HashSet<String>>,
            }
        ),
        "has no order",
    );
    accepted(quote!(
        struct S {
            a: BTreeMap<String, Tensor>,
            b: HashMap<String, Tensor>,
        }
    ));
}

#[test]
fn static_fields() {
    refused(
        quote!(
            struct S {
                #[static_data]
                a: Vec<Tensor>,
            }
        ),
        "not static data",
    );
    refused(
        quote!(
            struct S {
                #[static_data(x)]
                a: u8,
            }
        ),
        "no options",
    );
    refused(
        quote!(
            struct S {
                #[static_data]
                #[static_data]
                a: u8,
            }
        ),
        "given twice",
    );
    refused(
        quote!(
            struct S {
                #[extension_type(validate)]
                a: u8,
            }
        ),
        "belongs on the type",
    );
    refused(
        quote!(
            #[static_data]
            struct S {
                a: u8,
            }
        ),
        "belongs on a field",
    );
    refused(
        quote!(
            enum E {
                #[static_data]
                A(Tensor),
            }
        ),
        "no meaning on a variant",
    );
    accepted(quote!(
        struct S {
            #[static_data]
            a: Vec<String>,
            b: u8,
        }
    ));
}

#[test]
fn field_options() {
    for (field, text) in [
        (quote!(#[extension_type(dtype = f32, shape = [?, 3])] a: i64), "holds no tensor"),
        (quote!(#[extension_type(dtype = float32)] a: Tensor), "named `float32`; write `f32`"),
        (quote!(#[extension_type(dtype = f32 | DType::String)] a: Tensor), "write `string`"),
        (quote!(#[extension_type(shape = [None, 3])] a: Tensor), "is written `?`"),
        (quote!(#[extension_type(shape = 3)] a: Tensor), "expected square brackets"),
        (quote!(#[extension_type(defautl = 3)] a: Tensor), "did you mean `default`?"),
        (quote!(#[extension_type(default)] a: PhantomData<u8>), "one value only"),
        (quote!(#[extension_type] a: Tensor), "in parentheses"),
    ] {
        let messages = messages(quote!(struct S { #field, }));
        assert!(messages.iter().all(|m| m.contains(text)), "{text}: {messages:#?}");
        assert!(!messages.is_empty());
    }
    refused(
        quote!(
            struct S(#[extension_type(default)] Tensor);
        ),
        "no constructor to work in",
    );
    refused(
        quote!(
            #[extension_type(dtype = f32)]
            struct S {
                a: Tensor,
            }
        ),
        "on the field",
    );
    accepted(quote!(
        struct S {
            #[extension_type(dtype = f32 | f64, shape = [?, 3], default = [1.0, 2.0])]
            a: Tensor,
            #[extension_type(default)]
            b: Option<Tensor>,
            #[extension_type(shape = [..], default = "x")]
            c: Vec<Tensor>,
        }
    ));
}

#[test]
fn all_mistakes_at_once() {
    let messages = messages(quote! {
        #[extension_type(nmae = "x.Y", name = "y")]
        struct S<'a> { a: HashSet<Mutex<Tensor>>, type_spec: Tensor }
    });
    assert_eq!(messages.len(), 6, "{messages:#?}");
}

#[test]
fn broken_impls_after_severe_errors_and_all_impls_after_mild_ones() {
    let severe = expand(quote!(
        struct S<V> {
            a: HashSet<V>,
        }
    ))
    .to_string();
    assert!(severe.contains("__broken") && severe.contains("type SSpec"), "{severe}");
    let mild = expand(quote!(
        #[extension_type(nmae = 1)]
        struct S {
            a: Tensor,
        }
    ))
    .to_string();
    assert!(mild.contains("struct SSpec") && mild.contains("compile_error"), "{mild}");
}

#[test]
fn a_struct_with_two_fields_is_at_most_120_lines() {
    let lines = testing::expect(
        "extension_type/expected/masked_tensor",
        &expand(quote! {
            /// A tensor with a mask of valid entries.
            #[extension_type(name = "masked.MaskedTensor", validate)]
            pub struct MaskedTensor {
                /// The values.
                pub values: Tensor,
                pub mask: Tensor,
            }
        }),
    );
    assert!(lines <= 120, "{lines} lines");
}

#[test]
fn expansions() {
    testing::expect(
        "extension_type/expected/generic",
        &expand(quote! {
            pub struct Masked<V: UnaryElementwise, const N: usize = 1> where V: Debug {
                pub values: V,
                pub sizes: [Tensor; N],
                pub mask: Tensor,
                axis: i64,
                #[static_data]
                names: Vec<String>,
                marker: PhantomData<V>,
            }
        }),
    );
    testing::expect(
        "extension_type/expected/enum",
        &expand(quote! {
            pub enum Encoding {
                /// All values.
                Dense(Tensor),
                Rows { flat: Tensor, row_splits: Tensor, sorted: bool },
                Empty,
            }
        }),
    );
    testing::expect(
        "extension_type/expected/options",
        &expand(quote! {
            #[extension_type(spec = BoxesSpec<T>, validate)]
            pub struct Boxes<T> {
                #[extension_type(dtype = f32 | f64, shape = [?, 4])]
                pub corners: Tensor,
                #[extension_type(default = ops::zeros([1])?)]
                pub scores: Tensor,
                #[extension_type(default = "none")]
                pub label: String,
                #[extension_type(default)]
                pub more: Option<T>,
            }
        }),
    );
    testing::expect(
        "extension_type/expected/unit",
        &expand(quote! {
            #[extension_type(crate = crate::reexport)]
            struct Nothing;
        }),
    );
    testing::expect(
        "extension_type/expected/tuple",
        &expand(quote! {
            pub(crate) struct Pair<T>(pub T, Option<Box<Pair<T>>>);
        }),
    );
}
