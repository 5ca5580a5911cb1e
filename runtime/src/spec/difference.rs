//! Where two specs differ.

use super::AnySpec;

/// The innermost parts that differ, at the first difference. Appends the path of their place to `path`.
pub(crate) fn first_difference(
    a: &AnySpec,
    b: &AnySpec,
    agree: &dyn Fn(&AnySpec, &AnySpec) -> bool,
    path: &mut String,
) -> (AnySpec, AnySpec) {
    let (parts, others) = (parts(a), parts(b));
    let alike = std::mem::discriminant(a) == std::mem::discriminant(b)
        && parts.len() == others.len()
        && parts.iter().zip(&others).all(|(p, o)| p.0 == o.0);
    if alike {
        for ((name, part), (_, other)) in parts.iter().zip(&others) {
            if !agree(part, other) {
                path.push_str(name);
                return first_difference(part, other, agree, path);
            }
        }
    }
    (a.clone(), b.clone())
}

/// The components with their names, and for an extension type also its static data.
fn parts(spec: &AnySpec) -> Vec<(String, AnySpec)> {
    match spec {
        AnySpec::Composite(c) => {
            c.fields.iter().map(|(name, s)| (format!(".{name}"), s.clone())).collect()
        }
        _ => spec.named_components(),
    }
}

impl AnySpec {
    /// Two unequal types as text, without what is equal.
    pub(crate) fn contrast(&self, other: &AnySpec) -> (String, String) {
        match (self, other) {
            (AnySpec::Tensor(a), AnySpec::Tensor(b)) if a.dtype != b.dtype => {
                (a.dtype.to_string(), b.dtype.to_string())
            }
            (AnySpec::Tensor(a), AnySpec::Tensor(b)) if a.shape != b.shape => {
                (format!("shape {}", a.shape), b.shape.to_string())
            }
            _ => (self.to_string(), other.to_string()),
        }
    }

    /// What to change in a program that calls a function with both of these unequal types, so that one trace serves.
    pub(crate) fn advice(&self, other: &AnySpec) -> &'static str {
        match (self, other) {
            (AnySpec::Tensor(old), AnySpec::Tensor(new)) if old.dtype != new.dtype => {
                "Cast the tensor to one dtype before the call."
            }
            (AnySpec::Tensor(_), AnySpec::Tensor(_)) => {
                "Give it a signature with `?` for sizes that change, or write `reduce_retracing`."
            }
            (AnySpec::Variable(_), AnySpec::Variable(_)) => {
                "Which arguments are the same variable is part of the key, as are dtype and shape: pass variables of one kind."
            }
            (AnySpec::Literal(_), AnySpec::Literal(_)) => {
                "Plain data is part of the key: pass a number that changes as a tensor."
            }
            (AnySpec::Custom(c), AnySpec::Custom(_)) if c.kind() == "module" => {
                "Each instance has traces of its own: make the module once, and keep its plain fields as they are."
            }
            (AnySpec::Custom(_), AnySpec::Custom(_)) => {
                "Pass equal values, or give the type a common supertype and write `reduce_retracing`."
            }
            _ => "The structures differ: pass lists of one length, and the same parts each time.",
        }
    }
}
