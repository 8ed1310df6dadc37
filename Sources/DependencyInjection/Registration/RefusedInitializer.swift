/// The error of an initializer that is isolated to another actor than the main actor.
package struct RefusedInitializer: Error, CustomStringConvertible {
    let actor: any Any.Type

    package var description: String { "its initializer is isolated to \(actor) and has to be awaited" }
    package var fix: String { "register a factory that awaits the initializer, with `async:`" }
}
