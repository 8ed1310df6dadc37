/// The only declaration of this module, which has no types. The audit has to find the module nevertheless.
public protocol Openable { func open() }
