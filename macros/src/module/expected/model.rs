#[automatically_derived]
impl ::extype::Module for Model
where
    for<'any> Vec<Dense>: ::extype::__private::ModuleState,
    for<'any> Mode: ::extype::StaticData,
{
    fn visit(&self, visitor: &mut dyn ::extype::__private::ModuleVisitor) {
        ::extype::__private::ModuleState::visit_as(&self.w, "w", visitor);
        ::extype::__private::ModuleState::visit_as(&self.bias, "bias", visitor);
        ::extype::__private::ModuleState::visit_as(&self.layers, "layers", visitor);
        ::extype::__private::visit_plain("units", &self.units, visitor);
        ::extype::__private::visit_plain("mode", &self.mode, visitor);
    }
}
::extype::__module_argument!(
    [] Model, [for < 'any > Vec < Dense > : ::extype::__private::ModuleState, for < 'any
    > Mode : ::extype::StaticData,]
);
const _: () = {
    ::extype::__private::module_state::<Variable>();
    ::extype::__private::module_state::<Late<Variable>>();
    ::extype::__private::module_state::<Vec<Dense>>();
    ::extype::__private::static_data::<usize>();
    ::extype::__private::static_data::<Mode>();
};
