//! Graphs as text with lines, as DOT and as SVG.

use std::collections::BTreeMap;

use extype::array::Array;
use extype::ir::def::{Ends, Value};
use extype::ir::{Attrs, Endpoint, FunctionGraph, Graph, find_op};
use extype::prelude::*;
use extype::tensor::{control_dependencies, name_scope};

use super::{T, graph, node, none, placeholder};

/// The tags of well-formed XML, each with its attributes, and the texts between them.
#[derive(Debug, Default)]
struct Xml {
    tags: Vec<(String, BTreeMap<String, String>)>,
    texts: Vec<String>,
}

/// The characters that a text of XML stands for.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut parts = text.split('&');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (entity, rest) = part.split_once(';').unwrap_or_else(|| panic!("a lone & in {text}"));
        out.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            _ => panic!("&{entity}; in {text}"),
        });
        out.push_str(rest);
    }
    assert!(!text.contains('<') && !out.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    out
}

impl Xml {
    /// Reads XML without comments and processing instructions, and refuses what is not well-formed.
    fn read(text: &str) -> Self {
        let (mut xml, mut open, mut rest) = (Xml::default(), Vec::<String>::new(), text);
        while let Some((before, after)) = rest.split_once('<') {
            assert!(
                !open.is_empty() || before.trim().is_empty(),
                "text outside of the root: {before}"
            );
            xml.texts.push(plain(before));
            let (tag, after) = after.split_once('>').expect("a tag that ends");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop().as_deref(), Some(name));
            } else {
                let (tag, is_whole) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
                let (name, mut given) = tag.split_once(' ').unwrap_or((tag, ""));
                let mut attributes = BTreeMap::new();
                while let Some((key, value)) = given.trim_start().split_once("=\"") {
                    let (value, more) = value.split_once('"').expect("a value that ends");
                    let before = attributes.insert(key.to_owned(), plain(value));
                    assert!(before.is_none(), "{key} twice in {tag}");
                    given = more;
                }
                assert!(given.trim().is_empty(), "{tag}");
                assert!(!open.is_empty() || xml.tags.is_empty(), "two roots");
                xml.tags.push((name.to_owned(), attributes));
                if !is_whole {
                    open.push(name.to_owned());
                }
            }
            rest = after;
        }
        assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} is open");
        xml
    }

    fn has(&self, text: &str) -> bool {
        self.texts.iter().any(|t| t == text)
    }
}

/// Draws a graph in both ways, and checks that each node and each edge is in both.
fn drawn(function: &FunctionGraph) -> (Xml, String) {
    let (svg, dot) = (function.to_svg(), function.to_dot());
    assert_eq!((&svg, &dot), (&function.to_svg(), &function.to_dot()));
    let xml = Xml::read(&svg);
    assert_eq!(xml.tags[0].0, "svg");
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let called = function.library();
    let graphs = [function].into_iter().chain(called.iter().filter_map(|f| f.graph()));
    let mut edges = 0;
    for function in graphs {
        let names = function.graph.names();
        let name = |e: &Endpoint| &names[e.node.index()];
        for (node, own) in function.graph.nodes().iter().zip(&names) {
            let is_node = |tip: &String| {
                let mut begins = ["", "argument ", "capture "].iter();
                begins.any(|kind| tip.starts_with(&format!("{kind}{own} ")))
            };
            assert!(xml.texts.iter().any(is_node), "{own} is not in {svg}");
            assert!(
                dot.contains(&quoted(&format!("{own} = "))) || dot.contains(&quoted(own)),
                "{own}: {dot}"
            );
            for e in &node.inputs {
                let ty = function.graph.output_type(*e).to_string();
                let is_edge = |tip: &String| {
                    let users = tip.strip_prefix(&format!("{} to ", name(e)));
                    let users = users.and_then(|rest| rest.rsplit_once(" : "));
                    users.is_some_and(|(users, of)| {
                        users.split(", ").any(|user| user == own) && of.ends_with(&ty)
                    })
                };
                assert!(xml.texts.iter().any(is_edge), "{} to {own} is not in {svg}", name(e));
            }
            for before in &node.control_inputs {
                let begin = format!("{} before ", names[before.index()]);
                let is_edge = |tip: &String| {
                    tip.strip_prefix(&begin)
                        .is_some_and(|users| users.split(", ").any(|u| u == own))
                };
                assert!(xml.texts.iter().any(is_edge), "{begin}{own} is not in {svg}");
            }
            edges += node.inputs.len() + node.control_inputs.len();
        }
        edges += function.outputs.len();
    }
    assert_eq!(dot.matches(" -> n").count(), edges, "{dot}");
    assert_eq!(dot.matches('{').count(), dot.matches('}').count(), "{dot}");
    let arrows = xml.tags.iter().filter(|(_, a)| a.contains_key("marker-end")).count();
    assert_eq!(arrows, edges, "{svg}");
    (xml, dot)
}

#[tf_function]
fn rows(x: &Tensor) -> Result<Tensor> {
    let mean = {
        let _scope = name_scope("model/mean")?;
        x.reduce_mean(1, true)?
    };
    let _scope = name_scope("model/")?;
    ops::sub(x, &mean)
}

#[test]
fn name_scopes_are_boxes() -> Result<()> {
    let f = rows::concrete(&TensorSpec::of::<f32>(shape![?, 3]))?;
    let (xml, dot) = drawn(f.graph());
    assert!(xml.has("fn rows(x: float32[?, 3]) -> float32[?, 3]"), "{xml:?}");
    for name in ["fn rows", "model", "mean", "x", "[1]", "Mean", "Sub", "output 0", "model/mean"] {
        assert!(xml.has(name), "{name}: {xml:?}");
    }
    let scopes = xml.tags.iter().filter(|(_, a)| a.get("class").is_some_and(|c| c == "box scope"));
    assert_eq!(scopes.count(), 2);
    assert!(dot.contains("label=\"model\";") && dot.contains("label=\"mean\";"), "{dot}");
    assert_eq!(dot.matches("subgraph cluster_").count(), 2);
    Ok(())
}

#[tf_function]
fn halved(n: &Tensor, by: &Tensor) -> Result<Tensor> {
    let mut n = n.clone();
    while ops::greater(&n, 1i64)? {
        if ops::greater(&n, by)? {
            n = ops::floor_div(&n, 2i64)?;
        } else {
            n = &n - 1i64;
        }
    }
    Ok(n)
}

#[test]
fn functions_that_are_called_are_boxes_each_once() -> Result<()> {
    let n = TensorSpec::of::<i64>([]);
    let inner = halved::concrete(&n, &n)?;
    let functions = inner.graph().library().len();
    assert!(functions >= 4, "{functions}");
    let (xml, dot) = drawn(inner.graph());
    let boxes = xml.tags.iter().filter(|(_, a)| a.get("class").is_some_and(|c| c == "box"));
    assert_eq!(boxes.count(), functions + 1);
    assert_eq!(dot.matches("subgraph cluster_").count(), functions);
    // A node shows the functions by the names of their boxes.
    for f in inner.graph().library() {
        assert!(xml.has(&format!("@{}", f.name())) && xml.has(&format!("fn {}", f.name())));
    }
    Ok(())
}

#[test]
fn inputs_constants_results_and_control_edges_look_different() -> Result<()> {
    let v = Variable::new(tensor![1.0f32, 2.0])?;
    let f = function(move |x: &Tensor| {
        let y = ops::mul(x, 2.0)?;
        let _after = control_dependencies(&[&y])?;
        v.assign_add(x)?;
        Ok((y, v.read()?))
    });
    let f = f.concrete(&TensorSpec::of::<f32>([2]))?;
    let (xml, dot) = drawn(f.graph());
    let of_class = |class: &str| {
        xml.tags.iter().filter(|(_, a)| a.get("class").is_some_and(|c| c == class)).count()
    };
    for (class, count) in [("argument", 1), ("capture", 1), ("constant", 1), ("output", 2)] {
        assert_eq!(of_class(class), count, "{class}");
    }
    assert_eq!((of_class("control"), of_class("data")), (2, 5));
    for style in ["rounded,filled", "rounded,dashed"] {
        assert_eq!(dot.matches(&format!("style=\"{style}\"")).count(), 1, "{dot}");
    }
    let count = |what: &str| dot.matches(what).count();
    assert_eq!((count("shape=plaintext"), count("shape=oval"), count("[style=dashed]")), (1, 2, 3));
    Ok(())
}

#[test]
fn all_characters_of_names_can_be_drawn() -> Result<()> {
    let name = "a<b>&\"c\\\u{1}\n'é";
    let mut graph = Graph::new(name);
    let ty = extype::types::TensorType::new(DType::F32, Shape::from([2]));
    let x = graph.add_placeholder(ty, Some(name.into()));
    let x = Endpoint { node: x, output: 0 };
    let y = graph.add(find_op("AddV2")?, Attrs::new(), [x, x].into(), None)?;
    let function = FunctionGraph {
        name: name.to_owned(),
        graph,
        inputs: vec![x.node],
        num_arguments: 1,
        outputs: vec![Endpoint { node: y, output: 0 }],
        must_run: Vec::new(),
    };
    let xml = Xml::read(&function.to_svg());
    assert!(xml.has("fn a<b>&\"c\\\u{fffd}\n'é"), "{xml:?}");
    let dot = function.to_dot();
    assert!(dot.contains(r#"label="a<b>&\"c\\"#), "{dot}");
    assert!(
        dot.lines()
            .all(|line| line.replace("\\\\", "").replace("\\\"", "").matches('"').count() % 2 == 0)
    );
    Ok(())
}

#[test]
fn an_empty_graph_is_a_title() {
    let (xml, dot) = drawn(&FunctionGraph::default());
    assert!(xml.has("fn () -> ()"), "{xml:?}");
    assert!(dot.starts_with("digraph \"\" {"), "{dot}");
}

#[test]
fn the_graph_of_a_file_has_the_scopes_of_its_names() -> Result<()> {
    let nodes = vec![
        placeholder("inputs/x"),
        node("outer/dense/first", "AddV2", &["inputs/x", "inputs/x"], &[T]),
        node("outer/dense/Neg", "Neg", &["outer/dense/first"], &[T]),
    ];
    let ends = Ends { outputs: vec!["outer/dense/Neg".to_owned()], ..Ends::default() };
    let f = FunctionGraph::from_graph_def(&graph(nodes), &ends, &none)?;
    let (xml, _) = drawn(&f);
    // A node that is not named after its op shows the op too.
    for text in ["inputs/x", "outer", "dense", "first", "AddV2", "Neg"] {
        assert!(xml.has(text), "{text}: {xml:?}");
    }
    Ok(())
}

#[test]
fn scopes_that_use_each_other_are_drawn() -> Result<()> {
    let f = function(|x: &Tensor| {
        let mut y = x.clone();
        for scope in ["s", "t", "s/", "t/", ""] {
            let _scope = name_scope(scope)?;
            y = ops::neg(&y)?;
        }
        ops::add(&y, x)
    });
    let (xml, _) = drawn(f.concrete(&TensorSpec::of::<f32>([2]))?.graph());
    let boxes = xml.tags.iter().filter(|(_, a)| a.get("class").is_some_and(|c| c.contains("box")));
    assert_eq!(boxes.count(), 3);
    Ok(())
}

#[test]
fn a_graph_of_300_nodes_with_long_edges_is_drawn() -> Result<()> {
    let f = function(|x: &Tensor| {
        let mut all = vec![x.clone()];
        for i in 1..=300usize {
            let _scope = (i % 7 < 3).then(|| name_scope("block")).transpose()?;
            let other = &all[(i * 7919) % i];
            all.push(ops::add(&all[i - 1], other)?);
        }
        Ok(all.pop())
    });
    drawn(f.concrete(&TensorSpec::of::<f32>([2]))?.graph());
    Ok(())
}

#[test]
fn text_has_lines_and_functions_if_they_are_asked_for() -> Result<()> {
    let f = function(|x: &Tensor| ops::neg(&rows(x)?));
    let f = f.concrete(&TensorSpec::of::<f32>(shape![?, 3]))?;
    let at = line!() - 2;
    let text = f.graph().display().with_lines().to_string();
    let neg = text.lines().find(|l| l.contains(" = Neg(")).expect("a line");
    assert!(neg.ends_with(&format!("  # {}:{at}", file!())), "{text}");
    assert_eq!(text.lines().count(), f.graph().to_string().lines().count());
    let whole = f.graph().display().with_functions().with_lines().to_string();
    assert!(whole.starts_with(&text), "{whole}");
    let name = f.graph().library()[0].name().to_owned();
    assert!(
        whole.contains(&format!("\n\nfn {name}(x: float32[?, 3]) -> float32[?, 3] {{")),
        "{whole}"
    );
    assert!(whole.contains("  model/Sub = Sub(x, model/mean/Mean) : float32[?, 3]  # "), "{whole}");
    // A constant has no line.
    assert!(whole.contains("  model/mean/Const = [1] : int64[1]\n"), "{whole}");
    Ok(())
}

#[test]
fn long_constants_and_attributes_are_cut() -> Result<()> {
    let long: Vec<i64> = (0..100).collect();
    let list = Value::List(long.iter().map(|x| Value::Int(*x)).collect());
    let mut nodes = vec![placeholder("x"), node("y", "Neg", &["x"], &[T, ("list", list)])];
    let array = Value::Tensor(Array::from_slice([100], &long)?);
    nodes.push(node("z", "Const", &[], &[("dtype", Value::Type(DType::I64)), ("value", array)]));
    let ends = Ends { outputs: vec!["y".to_owned(), "z".to_owned()], ..Ends::default() };
    let f = FunctionGraph::from_graph_def(&graph(nodes), &ends, &none)?;
    let text = f.to_string();
    let start = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17";
    assert!(
        text.contains(&format!("y = Neg(x) {{list: {}…}} : float32[3]\n", &start[..60])),
        "{text}"
    );
    assert!(text.contains("  z = Const() : int64[100]\n"), "{text}");
    Ok(())
}
