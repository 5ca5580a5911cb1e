#[automatically_derived]
impl ::extype::Module for Stateless {
    fn visit(&self, _: &mut dyn ::extype::__private::ModuleVisitor) {}
    fn copied(&self, _: &::extype::__private::VariableCopies) -> ::extype::Result<Self> {
        ::core::result::Result::Ok(Self {})
    }
}
::extype::__module_argument!([] Stateless, []);
const _: () = {
    #[allow(dead_code, unused_imports)]
    fn check() {
        use ::extype::__private::NotClone as _;
        ::extype::__private::may_share::<
            Stateless,
            _,
        >(<::extype::__private::Clones<Stateless>>::found());
    }
};
