//! Names: unique names, legal names of TensorFlow's nodes, and names of a function's arguments.

use rustc_hash::FxHashMap;

use super::Graph;
use crate::types::{Result, bail};

/// The names that are taken, each with the number to try next for a duplicate.
#[derive(Default)]
pub(crate) struct Names(FxHashMap<String, u32>);

impl Names {
    /// Takes a name as it is, if it is free.
    pub(crate) fn claim(&mut self, name: &str) -> bool {
        let free = !self.0.contains_key(name);
        if free {
            self.0.insert(name.to_owned(), 1);
        }
        free
    }

    /// The name itself if it is free, otherwise with the first number that makes it unique.
    pub(crate) fn unique(&mut self, base: &str) -> String {
        if self.claim(base) {
            return base.to_owned();
        }
        // Numbers only go up, so that a thousand nodes of one name take a thousand steps.
        loop {
            let next = self.0.get_mut(base).map_or(1, |n| std::mem::replace(n, *n + 1));
            let name = format!("{base}_{next}");
            if self.claim(&name) {
                return name;
            }
        }
    }
}

/// The names, of which later ones are made unique by numbers.
pub(crate) fn unique<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken = Names::default();
    names.into_iter().map(|name| taken.unique(name)).collect()
}

impl Graph {
    /// Every node's name: the requested one, otherwise the op's with its [`scope`](super::Node::scope) before it, made unique by a
    /// number. The first node that requests a name gets it unchanged. No node has the name of a scope.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::add(&x.square()?, &x.square()?));
    /// let f = f.concrete(&TensorSpec::of::<f32>([2]))?;
    /// assert_eq!(f.graph().graph.names(), ["a", "Square", "Square_1", "AddV2"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn names(&self) -> Vec<String> {
        let mut taken = Names::default();
        let mut names = vec![String::new(); self.nodes().len()];
        for (node, name) in self.nodes().iter().zip(&mut names) {
            if let Some(asked) = node.asked_name().filter(|asked| taken.claim(asked)) {
                asked.clone_into(name);
            }
        }
        let mut last = None;
        for scope in self.nodes().iter().filter_map(|node| node.scope.as_deref()) {
            if last.replace(scope) != Some(scope) {
                for (end, _) in scope.match_indices('/').chain([(scope.len(), "")]) {
                    taken.claim(&scope[..end]);
                }
            }
        }
        for (node, name) in self.nodes().iter().zip(&mut names).filter(|(_, n)| n.is_empty()) {
            *name = match (node.asked_name(), &node.scope) {
                (Some(asked), _) => taken.unique(asked),
                (None, Some(scope)) => taken.unique(&format!("{scope}/{}", node.op_name())),
                (None, None) => taken.unique(node.op_name()),
            };
        }
        names
    }
}

/// True if a node's name may begin with the character.
fn is_first(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '.'
}

fn is_legal(c: char) -> bool {
    is_first(c) || "_-/>".contains(c)
}

/// Refuses what can't be the name of a scope; that of a root scope begins names of nodes.
pub(crate) fn check_scope(name: &str, is_root: bool) -> Result<()> {
    let begins = |c| !is_root || is_first(c);
    if !name.chars().all(is_legal) || !name.chars().next().is_none_or(begins) {
        bail!(
            "`{name}` can't be the name of a scope: it may have ASCII letters, digits and `_.-/>`, and the outermost one \
             begins with a letter, a digit or a dot"
        );
    }
    Ok(())
}

/// The name, changed as little as needed for TensorFlow to accept it for a node.
pub(crate) fn legal(name: &str) -> String {
    let legal = |c: char| if is_legal(c) { c } else { '_' };
    let name: String = name.chars().map(legal).skip_while(|c| !is_first(*c)).collect();
    if name.is_empty() { "node".to_owned() } else { name }
}

/// The name, made legal for a function. TensorFlow allows more here: its own names have `<lambda>` in them.
pub(crate) fn function(name: &str) -> String {
    let legal = |c: char| if c.is_ascii_graphic() && c != ':' { c } else { '_' };
    name.chars().map(legal).collect()
}

/// The name of an argument or result of a function, by TensorFlow's rule: lower case, letters,
/// digits and `_`, from the first letter on.
pub(super) fn argument(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let name: String = name.chars().map(plain).skip_while(|c| !c.is_alphabetic()).collect();
    if name.is_empty() { "unknown".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Array;

    #[test]
    fn names_are_made_legal() {
        assert_eq!(legal("while/cond_1/Less.x"), "while/cond_1/Less.x");
        assert_eq!(legal("xs[2]"), "xs_2_");
        assert_eq!(legal("_m:values"), "m_values");
        assert_eq!(legal("Ragged>RowIds"), "Ragged>RowIds");
        assert_eq!((legal("é"), legal("")), ("node".to_owned(), "node".to_owned()));
        assert_eq!(function("__inference_<lambda>_12"), "__inference_<lambda>_12");
        assert_eq!(function("gradient of f::g"), "gradient_of_f__g");
        assert_eq!(argument("while/Placeholder_1"), "while_placeholder_1");
        assert_eq!(argument("m.values"), "m_values");
        assert_eq!((argument("_9"), argument("0x")), ("unknown".to_owned(), "x".to_owned()));
    }

    #[test]
    fn scopes_have_names_that_nodes_may_have() {
        let refused = |name: &str, is_root| check_scope(name, is_root).is_err();
        assert!(["a", "A.b-c_d>e/", ".", "0", ""].iter().all(|name| !refused(name, true)));
        assert!(["_a", "-", "/"].iter().all(|name| refused(name, true) && !refused(name, false)));
        assert!(["a b", "é", "a:0"].iter().all(|name| refused(name, false)));
    }

    #[test]
    fn no_node_has_the_name_of_a_scope_and_a_requested_name_is_whole() {
        let mut graph = Graph::new("f");
        let mut add = |scope: Option<&str>, name: Option<&str>| {
            let node = graph.add_constant(Array::scalar(1.0f32)).node;
            let node = graph.node_mut(node);
            (node.scope, node.name) = (scope.map(Into::into), name.map(Into::into));
        };
        add(None, None);
        add(Some("Const/a"), None);
        add(Some("Const"), None);
        add(Some("Const"), Some("b"));
        assert_eq!(graph.names(), ["Const_1", "Const/a/Const", "Const/Const", "b"]);
    }

    #[test]
    fn a_number_that_is_taken_is_passed_over() {
        let mut names = Names::default();
        assert!(names.claim("Add_1") && !names.claim("Add_1"));
        let made: Vec<String> = (0..3).map(|_| names.unique("Add")).collect();
        assert_eq!(made, ["Add", "Add_2", "Add_3"]);
        assert_eq!(names.unique("Add_1"), "Add_1_1");
    }
}
