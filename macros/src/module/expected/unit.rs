#[automatically_derived]
impl ::extype::Module for Stateless {
    fn visit(&self, _: &mut dyn ::extype::__private::ModuleVisitor) {}
}
::extype::__module_argument!([] Stateless, []);
