// The fix for each reason, with one alternative per line. Each alternative starts with a verb.

extension ResolutionError {
    /// The requested type.
    var type: String { TypeName.short(report.type) }

    // MARK: Nothing is registered

    var registeringFix: String {
        if report.type == _OptionalNilComparisonType.self {
            return "resolve before the comparison with nil: `let type: any P.Type = resolve()`"
        }
        if report.type == DIContainer.self || report.type == Resolver.self {
            return .alternatives(
                "use the resolver of a factory: `Shared { resolve in … }`",
                "use `DIContainer.current` for the container itself")
        }
        if let value = lazilyInjectedType(in: report.type) {
            return .alternatives(
                "replace the lazy wrapper with a `Provider<\(TypeName.short(value))>`",
                "create the lazy wrapper in a closure: `Shared { resolve in … }`")
        }
        if registeredOptional != nil { return Registration.fixOfOptional }
        let suggestion = suggestedRegistrations.first
        // A type whose name resembles `Any` is similar only by chance.
        if report.type == Any.self, suggestion?.type != Any.self {
            return .alternatives(
                "state the type, because the compiler inferred `Any`: `resolve(Router.self)` or `let router: Router = resolve()`",
                "register `Any` itself: \(registration)")
        }
        if report.core?.registrations.isEmpty ?? true {
            return .alternatives(
                """
                resolve from the container that registers it: `app.resolve(\(dependency.arguments))`, `@Inject(from: app)` or \
                `DIContainer.withContainer(app) { … }`
                """,
                dependency.fixOfMissingCollection,
                "register it: \(registration)")
        }
        let fixes = suggestion.flatMap(fixes) ?? [dependency.fixOfMissingCollection, "register it: \(registration)"]
        let isCollection = suggestion.map { isArray(of: $0.type) } ?? false
        return .alternatives([contributedFix] + fixes + [isCollection ? nil : user?.fixOfDefault(for: report.type)])
    }

    /// The fix for the request of one instance of a type that has contributions.
    private var contributedFix: String? {
        guard report.core?.hasContributions(to: report.type) == true else { return nil }
        return user == nil
            ? "resolve the collection: `resolve.all(\(TypeName.metatype(report.type)))`"
            : "change the type of the parameter to `[\(type)]`"
    }

    /// The registration of the requested type, in the container that the request reached.
    private var registration: String {
        let container = report.core?.isDefault ?? true ? "DIContainer" : report.isInParent ? "parent" : "container"
        return "`\(container).register { \(dependency.registrationExample(with: report.arguments)) }`"
    }

    /// The autowired registration that requested the type for a parameter.
    private var user: Registration? {
        report.path.last.flatMap { $0.isAutowired(with: report.type) ? $0 : nil }
    }

    /// Returns the fixes if a similar type is registered, or `nil` if only its name is similar.
    private func fixes(_ suggestion: Registration) -> [String?]? {
        if "\(suggestion.type)".hasSuffix(" -> \(report.type)"), !isFunction(report.type) {
            let factory = "\(suggestion.type)".contains(") async ") ? "async: { _ in … }" : "autowiring: …"
            return ["register the result of the function: `\(suggestion.form)(\(factory))`"]
        }
        if isArray(of: suggestion.type) {
            let element = TypeName.short(suggestion.type)
            let all =
                user == nil
                ? "resolve all of them: `resolve.all(\(TypeName.metatype(suggestion.type)))`"
                : "change the type of the parameter to `All<\(element)>`"
            return [all, dependency.fixOfMissingCollection]
        }
        if suggestion.type == report.type {
            if suggestion.isContribution { return nil }
            let registering = suggestion.example(of: dependency)
            guard suggestion.name == nil else {
                let request = "request it by its name: `\(suggestion.request)(\(suggestion.id.arguments))`"
                return [user?.fixOfNamedDependency(suggestion.id) ?? request, "register it: `\(registering)`"]
            }
            return ["request it without a name", "register it under the name: `\(registering)`"]
        }
        // An instance never satisfies a request for a metatype, nor a metatype a request for an instance.
        if isMetatype(suggestion.type) != isMetatype(report.type) { return nil }
        if isKind(suggestion.type, of: report.type) == true {
            let alias = "add `as: \(TypeName.metatype(report.type))` to the registration at \(suggestion.site)"
            return [
                "register it as that type: `\(suggestion.example(of: dependency))`",
                suggestion.name == report.key.name ? alias : nil,
            ].compactMap { $0 }
        }
        if isExistential(suggestion.type), isKind(report.type, of: suggestion.type) == true {
            let alias = suggestion.name == report.key.name ? ", as: \(TypeName.metatype(suggestion.type))" : ""
            let request =
                user == nil
                ? "request the registered type: `\(suggestion.request)(\(suggestion.id.arguments))`"
                : suggestion.name == nil
                    ? "change the type of the parameter to `\(TypeName.short(suggestion.type))`" : nil
            let registering = "register the implementation: `\(suggestion.example(of: dependency, as: alias))`"
            return [request, registering].compactMap { $0 }
        }
        return nil
    }

    /// Whether an array of a type was requested.
    private func isArray(of type: any Any.Type) -> Bool {
        func array<T>(_ type: T.Type) -> any Any.Type { [T].self }
        return report.type == _openExistential(type, do: array)
    }

    // MARK: Other reasons

    var cycleFix: String {
        if let last = report.path.last, isAbout(last), last.permittedRepetitions(hasArguments: false) > 0 {
            return "end the recursion: a factory with arguments may resolve its own type at most 64 levels deep"
        }
        if cycle.isEmpty { return (report.registration.map { [$0] } ?? report.path).fixOfCycle }
        guard cycle.count == 1 else { return cycle.fixOfCycle }
        let type = TypeName.metatype(report.type)
        return .alternatives(
            "register the inner instance under a name, and request it by that name: `\(cycle[0].request)(\(type), name: \"inner\")`",
            cycle[0].isAsync
                ? nil
                : "wrap the earlier registration, if there is one: `Decorate(\(dependency.arguments)) { base, resolve in … }`"
        )
    }

    func argumentFix(_ mismatch: ArgumentMismatch) -> String {
        let (expected, supplied) = (mismatch.expected, mismatch.supplied)
        let request = report.registration?.request ?? "resolve"
        if expected.isEmpty {
            guard supplied.count == 1, isMetatype(supplied[0]) else {
                return .alternatives(
                    "request it without arguments: `\(request)(\(dependency.arguments))`",
                    "register a factory with arguments: `\(dependency.registrationExample(with: supplied))`")
            }
            return .alternatives("remove the `!` after the request", "request the other type: `resolve() as \(type)`")
        }
        if supplied.count == 1, isTuple(supplied[0]), expected.count > 1 {
            let values = expected.map { _ in "…" }.joined(separator: ", ")
            return
                "pass the elements of the tuple one by one: `\(request)(\(dependency.arguments), arguments: \(values))`"
        }
        if expected.count == 1, isTuple(expected[0]), supplied.count > 1 {
            return "pass the tuple as one argument: `\(request)(\(dependency.arguments), arguments: (…))`"
        }
        let passing = "pass arguments of these types: `\(request)(\(dependency.arguments), arguments: …)`"
        if report.registration?.isAsync == true { return passing }
        let isClosureExpected = expected.contains(where: isFunction)
        return .alternatives(
            supplied.isEmpty ? nil : passing,
            "inject a `Provider<\(type), \(TypeNameFormatter(disambiguating: expected).list(expected))>`, and call it with them",
            supplied.isEmpty ? passing : nil,
            isClosureExpected ? "pass a closure `f` as `arguments: { f }`, because `arguments: f` calls it" : nil)
    }

    var mainActorFix: String {
        let user = report.path.last { !$0.isAlias && !$0.isDecorator }
        return .alternatives(
            user.flatMap { $0.isMainActor || $0.isAsync ? nil : $0.fixOfIsolation },
            "request it on the main actor: mark the caller `@MainActor`, or call `await MainActor.run { … }`",
            // Swift Testing creates a suite off the main actor, unless its initializer is isolated to it.
            report.container?.isTestContainer != true
                ? nil : "add `@MainActor init() {}` to a suite that injects it, or inject it with `@LazyInject`")
    }

    /// The fix for a plain factory that has to await the request. `nil` if no plain factory made the request.
    private var awaitingInFactoryFix: String? {
        guard let user = report.path.last(where: { !$0.isAlias && !$0.isDecorator }), !user.isAsync,
            let lifetime = user.lifetime
        else { return nil }
        let awaited = lifetime.ofAsyncFactories
        let supplied = report.registration?.takesArguments == true ? ", arguments: …" : ""
        return """
            register \(TypeName.short(user.type)) with `\(awaited == lifetime ? "async:" : "\(awaited.title)(async:)")`, \
            and await the request in it: `try await resolve.async(\(dependency.arguments)\(supplied))`
            """
    }

    var awaitingFix: String {
        let registration = report.registration
        let supplied = registration?.takesArguments == true ? ", arguments: …" : ""
        let request = "request it with `try await resolve.async(\(dependency.arguments)\(supplied))`"
        if registration?.lifetime?.cacheLocation == .uncached || registration?.takesArguments == true {
            return awaitingInFactoryFix ?? request
        }
        guard registration?.lifetime?.cacheLocation == .requester else {
            let isInTest = report.container?.isTestContainer == true
            return .alternatives(
                "call `try await container.prepare()` before the first request", request,
                isInTest ? "in a suite, write `.dependencies(prepared: true) { … }`" : nil)
        }
        if report.container?.isChildOrFork == false {
            // A child doesn't build the registrations that its parent caches.
            if report.path.contains(where: { $0.lifetime?.isCachedByOwner == true }) {
                return awaitingInFactoryFix ?? request
            }
            return .alternatives(request, "request it in a child, after `try await child.prepare()`")
        }
        return .alternatives(
            "call `try await child.prepare()` first in the operation of `withChild { … } operation: { child in … }`",
            request)
    }

    // MARK: Kinds of types

    private func isMetatype(_ type: any Any.Type) -> Bool {
        // The metatype of a protocol type ends with `.Protocol`.
        ["Type", "Protocol"].contains { "\(type)".hasSuffix(".\($0)") }
    }

    private func isTuple(_ type: any Any.Type) -> Bool { "\(type)".hasPrefix("(") && !isFunction(type) }
}

/// Returns the type of a lazy wrapper's value, or `nil` for any other type.
package func lazilyInjectedType(in type: any Any.Type) -> (any Any.Type)? {
    func value<Wrapper: _InjectionWrapper>(of wrapper: Wrapper.Type) -> any Any.Type { Wrapper.Value.self }
    return (type as? any _InjectionWrapper.Type).map { value(of: $0) }
}
