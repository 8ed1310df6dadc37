/// The only declaration of this module, which has no types. The audit still has to find the module.
public protocol Openable { var isOpen: Bool { get } }
