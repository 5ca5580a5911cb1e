//! A text that is read in two ways.

/// A program with marks: `«3»` is a number, `‹a›` a parameter that is lent, `⟦tensors⟧numbers⟧` what is written in two ways.
#[derive(Clone, Debug)]
pub(super) struct Text(pub(super) String);

impl Text {
    /// As Rust on numbers: `Wrapping(3)`, `&a`.
    pub(super) fn on_numbers(&self) -> String {
        let text = self.0.replace('«', "num(").replace('»', ")");
        ways(&text.replace('‹', "&").replace('›', ""), false)
    }

    /// As Rust on tensors: `3`, `a`.
    pub(super) fn on_tensors(&self) -> String {
        ways(&self.0.replace(['«', '»', '‹', '›'], ""), true)
    }
}

/// Keeps one of what is written in two ways.
fn ways(text: &str, tensors: bool) -> String {
    let mut parts = text.split('⟦');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut halves = part.splitn(3, '⟧');
        let mut half = || halves.next().unwrap_or_default();
        let (on_tensors, on_numbers, rest) = (half(), half(), half());
        out.push_str(if tensors { on_tensors } else { on_numbers });
        out.push_str(rest);
    }
    out
}

#[test]
fn marks_are_read_in_two_ways() {
    let text = Text("for i in ⟦0..n⟧range(0, n)⟧ { y = ‹a› + «3»; }".to_owned());
    assert_eq!(text.on_tensors(), "for i in 0..n { y = a + 3; }");
    assert_eq!(text.on_numbers(), "for i in range(0, n) { y = &a + num(3); }");
}
