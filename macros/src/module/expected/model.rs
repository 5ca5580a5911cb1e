#[automatically_derived]
impl ::extype::Module for Model {
    fn visit(&self, visitor: &mut dyn ::extype::__private::ModuleVisitor) {
        #[allow(unused_imports)]
        use ::extype::__private::{
            NoPlain as _, NoState as _, VisitPlain as _, VisitState as _,
        };
        ::extype::__private::visit_state("w", &self.w, visitor);
        ::extype::__private::visit_state("bias", &self.bias, visitor);
        (&&::extype::__private::Part(&self.layers)).state("layers", visitor);
        ::extype::__private::visit_plain("units", &self.units, visitor);
        (&&::extype::__private::Part(&self.mode)).plain("mode", visitor);
    }
}
::extype::__module_argument!([] Model, []);
const _: () = {
    let () = <Variable as ::extype::__private::State>::CHECK;
    let () = <Late<Variable> as ::extype::__private::State>::CHECK;
    let () = <Vec<Dense> as ::extype::__private::State>::CHECK;
    let () = <usize as ::extype::__private::PlainField>::CHECK;
    let () = <Mode as ::extype::__private::PlainField>::CHECK;
};
