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
