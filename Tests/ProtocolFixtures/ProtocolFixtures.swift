/// The only declaration of this module, which has no types. The audit has to know the module all the same.
public protocol Openable { func open() }
