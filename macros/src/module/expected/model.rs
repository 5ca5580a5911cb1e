#[automatically_derived]
impl ::extype::Module for Model
where
    for<'any> Vec<Dense>: ::extype::__private::ModuleState,
    for<'any> Mode: ::extype::StaticData,
{
    fn visit(&self, visitor: &mut dyn ::extype::__private::ModuleVisitor) {
        ::extype::__private::visit_state("w", &self.w, visitor);
        ::extype::__private::visit_state("bias", &self.bias, visitor);
        ::extype::__private::visit_state("layers", &self.layers, visitor);
        ::extype::__private::visit_plain("units", &self.units, visitor);
        ::extype::__private::visit_plain("mode", &self.mode, visitor);
    }
}
::extype::__module_argument!(
    [] Model, [for < 'any > Vec < Dense > : ::extype::__private::ModuleState, for < 'any
    > Mode : ::extype::StaticData,]
);
const _: () = {
    let () = <Variable as ::extype::__private::State>::CHECK;
    let () = <Late<Variable> as ::extype::__private::State>::CHECK;
    let () = <Vec<Dense> as ::extype::__private::State>::CHECK;
    let () = <usize as ::extype::__private::StaticField>::CHECK;
    let () = <Mode as ::extype::__private::StaticField>::CHECK;
};
