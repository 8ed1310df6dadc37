/// The error thrown in place of calling an initializer that can't be called as it was registered.
package struct RefusedInitializer: Error, CustomStringConvertible {
    package let description: String
    package let fix: String
}
