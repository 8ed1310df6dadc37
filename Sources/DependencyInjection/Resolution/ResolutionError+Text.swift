extension ResolutionError: CustomStringConvertible {
    /// What went wrong, where, on which path, and how to fix it.
    public var description: String {
        let nearest = nearest
        let texts = texts(nearest.first)
        var text = texts[0] + "\n  asked for at " + report.site.description
        if let registration = report.registration { text += "\n  registered at " + registration.place }
        let path = report.path, hidden = path.count - 20
        if !path.isEmpty { text += "\n  path:" }
        text += Self.lines(hidden > 10 ? path[..<10] : path[...])
        if hidden > 10 { text += "\n    … " + String(hidden) + " more" + Self.lines(path[(10 + hidden)...]) }
        if !path.isEmpty { text += "\n    → " + key }
        if !nearest.isEmpty { text += "\n  registered are:" + Self.lines(nearest[...]) }
        return text + "\n  fix: " + texts[1]
    }

    /// What went wrong, on one line.
    package var summary: String { texts()[0] }

    static func lines(_ registrations: ArraySlice<Registration>) -> String {
        registrations.reduce(into: "") { $0 += "\n    " + Step(registration: $1).description }
    }

    /// What went wrong, and what to write: the lines of the template, filled in.
    func texts(_ nearest: Registration? = nil) -> [String] {
        let type = TypeName(report.type)
        let values = [key, type.description, type.metatype] + details(nearest)
        var texts = [""], isMark = false
        for letter in template(nearest).unicodeScalars {
            switch letter {
            case "%": break
            case "\n": texts.append("")
            case _ where isMark: texts[texts.count - 1] += values[Int(letter.value) - 48]
            default: texts[texts.count - 1].unicodeScalars.append(letter)
            }
            isMark = letter == "%"
        }
        return texts
    }

    private func details(_ nearest: Registration?) -> [String] {
        switch reason.kind {
        case .notRegistered:
            [
                nearest?.name?.rawValue ?? "", nearest?.lifetime == .new ? "New" : "Shared",
                report.name.map { ", name: \"" + $0.rawValue + "\"" } ?? "",
                nearest.map { TypeName($0.type).metatype } ?? "",
            ]
        case .cycle: [circle.joined(separator: " → ")]
        case .tooDeep: [String(report.path.count)]
        case .factoryFailed: reason.underlyingError.map { ["\($0)"] } ?? []
        default: reason.details
        }
    }

    private var circle: [String] {
        let begin = report.path.lastIndex(where: isAbout)
        return report.path[(begin ?? report.path.count)...].map(\.label) + [key]
    }

    /// What went wrong and, on a line of its own, what to write. `%0` stands for the key asked for, `%1` for its type,
    /// `%2` for that type as an argument, and `%3` to `%6` for the details.
    private func template(_ nearest: Registration?) -> String {
        switch reason.kind {
        case .notRegistered:
            "Nothing is registered for %0.\n" + advice(nearest)
        case .cycle where report.path.last.map { isAbout($0) && $0.permittedRepetitions(false) > 0 } == true:
            "Building %0 needs %0 itself: %3\nend the recursion: a factory with arguments may ask for its own type, but no more "
                + "than 256 levels deep."
        case .cycle where circle.count == 2:
            "Building %0 needs %0 itself: %3\nwrap what is registered with `Decorate(%2) { base, resolve in … }`, "
                + "or register the inner one under a name."
        case .cycle:
            "Building %0 needs %0 itself: %3\nlet one of them ask later, with `@LazyInject` or `Provider<%1>`."
        case .tooDeep:
            "Building %0 is nested too deep for the stack of this thread, in %3 factories.\nbreak the recursion if it never "
                + "ends; else let one of them ask later, with `@LazyInject` or a `Provider`, or ask first on a thread with a "
                + "larger stack."
        case .argumentMismatch where reason.expectedArguments == "()":
            "The factory of %0 takes %3, but was given %4.\nask without arguments, or let the factory take them: "
                + "`New { _, argument in … }`."
        case .argumentMismatch:
            "The factory of %0 takes %3, but was given %4.\nask with arguments of these types, as in "
                + "`resolve(%2, arguments: …)`" + (isFunction(reason.expectedArguments) ? Self.closureAdvice : ".")
        case .typeMismatch where isFunction(reason.instanceType):
            "%0 is an alias of %3, which is a function and not its result.\nhave the parameters resolved, with "
                + "`autowiring:` before the initializer."
        case .typeMismatch:
            "%0 is an alias of an instance of %3, which does not have that type.\nmake %3 conform to %1, or leave %1 "
                + "out of `as:`."
        case .mainActorRequired:
            "%0 belongs to the main actor, and was asked for elsewhere.\nask on the main actor: mark the caller "
                + "`@MainActor`, or go there with `await MainActor.run { … }`."
        case .factoryFailed:
            "The factory of %0 failed: %3\nremove the cause that the factory reports; nothing was kept, and the next "
                + "request runs it again."
        case .asyncRequired
        where report.pending?.entry.mode == .transient || report.registration?.takesArguments == true:
            "%0 is built by an asynchronous factory, which has not been awaited.\nask with `try await resolve.async(%2)`, and "
                + "with its arguments if it takes any."
        case .asyncRequired:
            "%0 is built by an asynchronous factory, which has not been awaited.\nawait it first, with "
                + "`try await container.prepare()` or `try await resolve.async(%2)`."
        case .weakValueType:
            "%0 is registered with Weak, but %3 is a value: nobody but the container could hold it.\nregister it with "
                + "`Shared`, or make %3 a class or an actor."
        case .sealed:
            (report.type == ContainerCore.self
                ? "The container was sealed at %3 and can no longer be changed.\n"
                : "The container was sealed at %3 and can no longer be changed for %0.\n")
                + "register before `seal()`, or change a copy: `container.fork { … }`, "
                + "`DIContainer.withOverrides { … } operation: { … }`."
        }
    }

    private func advice(_ nearest: Registration?) -> String {
        if report.type == _OptionalNilComparisonType.self {
            return "the compiler compares with nil here; resolve first: `let type: P.Type = resolve()`."
        }
        guard let nearest else { return "register it first, as in `DIContainer.register { Shared(… as %1%5) }`." }
        if isFunction("\(nearest.type)"), !isFunction("\(report.type)") {
            let label = "\(nearest.type)".contains(") async ") ? "async: { _ in … }" : "autowiring: …"
            return "what is registered is a function; have its result registered: `%4(\(label))`."
        }
        if "\(report.type)" == "Array<" + "\(nearest.type)" + ">" { return "ask for all, with `resolve.all(%6)`." }
        if nearest.type != report.type {
            return "register it as that type, as in `%4(… as %1%5)`"
                + (nearest.name == report.name ? ", or add `as: %2` to it." : ".")
        }
        if nearest.name == nil { return "ask without a name, or register another: `Shared(… as %1, name: …)`." }
        return "ask for it by its name, as in `resolve(%2, name: \"%3\")`."
    }

    private static let closureAdvice =
        "; pass a closure `f` as `resolve(f)` or `arguments: { f }`, since `arguments: f` calls it."

    private func isFunction(_ type: String?) -> Bool { type?.contains(" -> ") ?? false }
}

extension Registration {
    /// The type and the name, for messages.
    package var label: String { DependencyInjection.label(type, name) }
}

package func label(_ type: any Any.Type, _ name: RegistrationName?) -> String {
    let type = TypeName(type).description
    return name.map { type + " named \"" + $0.rawValue + "\"" } ?? type
}
