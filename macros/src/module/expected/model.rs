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
    fn copied(
        &self,
        copies: &::extype::__private::VariableCopies,
    ) -> ::extype::Result<Self> {
        #[allow(unused_imports)]
        use ::extype::__private::{
            NoPlain as _, NoState as _, VisitPlain as _, VisitState as _,
        };
        ::core::result::Result::Ok(Self {
            w: ::extype::__private::copied_state(&self.w, copies)?,
            bias: ::extype::__private::copied_state(&self.bias, copies)?,
            layers: (&&::extype::__private::Part(&self.layers)).copied_state(copies)?,
            units: ::extype::__private::copied_plain(&self.units, copies)?,
            mode: (&&::extype::__private::Part(&self.mode)).copied_plain(copies)?,
        })
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
const _: () = {
    #[allow(dead_code, unused_imports)]
    fn check() {
        use ::extype::__private::NotClone as _;
        ::extype::__private::may_share::<
            Model,
            _,
        >(<::extype::__private::Clones<Model>>::found());
    }
};
