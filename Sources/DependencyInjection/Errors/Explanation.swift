// The table of all errors: for each reason, the problem and the fixes.

/// The problem of an error in one sentence, and its fix, or the two alternatives of its fix.
///
/// A fix is a sentence that starts with a verb and names the types in it.
package final class Explanation {
    package let problem: String
    package let fixes: [String]

    fileprivate init(_ problem: String, _ fixes: String..., others: [String] = []) {
        self.problem = problem
        self.fixes = fixes + others
    }
}

extension ResolutionError {
    /// Returns the problem and the fixes for each reason.
    package func explanation(_ typeNames: TypeNameFormatter) -> Explanation {
        let subject = subject(typeNames)
        let type = TypeName.short(report.type)
        switch report.cause {
        case .notRegistered:
            if let dependent = report.captiveDependent.map({ typeNames.text($0.id) }) {
                return Explanation(
                    """
                    Nothing is registered for \(subject) in the container that caches \(dependent), and a parent does not see \
                    its children's registrations.
                    """,
                    "register \(dependent) with `Scoped` or `New`, so that the child builds it",
                    "register \(subject) in the parent")
            }
            if report.declaration != nil {
                return Explanation(
                    "Nothing is registered for \(subject), which a child has to register.",
                    "register \(subject) in a child, and resolve from that child")
            }
            return Explanation("Nothing is registered for \(subject).", others: registeringFixes(typeNames))
        case .cycle:
            return Explanation("Circular dependency: \(cycleText(typeNames))", others: cycleFixes)
        case .argumentMismatch(let mismatch):
            let types = TypeNameFormatter(disambiguating: mismatch.expected)
            let (expected, supplied) = (types.tuple(mismatch.expected), types.tuple(mismatch.supplied))
            let provider = types.list([report.type] + mismatch.expected)
            let providing = "inject a `Provider<\(provider)>`, and call it with these arguments"
            // A provider doesn't await.
            let isAsync = report.registration?.isAsync == true
            return Explanation(
                "The factory of \(subject) takes \(expected), but the request supplied \(supplied).",
                others: mismatch.expected.isEmpty
                    ? ["request it without arguments"]
                    : ["pass arguments of the types \(expected)"] + (isAsync ? [] : [providing]))
        case .typeMismatch(let instance):
            let isContribution = report.path.last?.isContribution == true
            return Explanation(
                "\(typeNames.name(instance)) is registered as \(subject), to which it does not conform.",
                "register an instance that conforms to \(type)",
                "remove \(isContribution ? "`.into(\(TypeName.metatype(report.type)))`" : "\(type) from `as:`")")
        case .mainActorRequired:
            return Explanation(
                "\(subject) is isolated to the main actor but was requested off it.", others: mainActorFixes)
        case .factoryFailed(let error):
            let retrying =
                "remove the cause of that error. Nothing was cached, and the next request runs the factory again"
            return Explanation(
                "The factory of \(subject) failed: \(String(describing: error))",
                (error as? RefusedInitializer)?.fix ?? retrying)
        case .asyncRequired:
            return Explanation(
                "\(subject) is built by an asynchronous factory, which has not been awaited.", others: awaitingFixes)
        case .weakValueType(let instance):
            let instance = typeNames.name(instance)
            return Explanation(
                "\(subject) is registered with Weak, but \(instance) is a value type, which cannot be held weakly.",
                "register it with `New` or `Shared`", "make \(instance) a class or an actor")
        case .sealed(let site):
            return Explanation(
                "The container was sealed at \(site) and can no longer be changed\(purpose(subject)).",
                "register before `seal()`", "change a copy: `container.fork` or `DIContainer.withOverrides`")
        case .closed(let call, let isOver):
            return Explanation(
                """
                The container \(isOver ? "was closed" : "is closing") and can no longer be used\(purpose(subject)).
                  closed by \(call)
                """,
                "request it before `close()`", "use another container, such as a copy: `container.fork`")
        case .misplacedDecorator(let decorator):
            return Explanation(
                """
                \(subject) is decorated in a child, but only its parent registers it.
                  decorated at \(decorator.place)
                """, others: Registration.misplacedDecoratorFixes)
        }
    }

    private func purpose(_ subject: String) -> String { report.isAboutContainer ? "" : " for \(subject)" }

    // MARK: Fixes that depend on the registrations

    /// The registration whose factory made the request. `nil` if no factory made it.
    private var user: Registration? { report.path.last { !$0.isAlias && !$0.isDecorator } }

    private func registeringFixes(_ typeNames: TypeNameFormatter) -> [String] {
        if let optional = report.core?.registrations.optional(of: dependency) { return [optional.optionalFix] }
        let arguments =
            report.arguments.isEmpty ? "" : " with a factory that takes \(typeNames.tuple(report.arguments))"
        let registering = "register \(subject(typeNames))\(arguments)\(report.isInParent ? " in the parent" : "")"
        if report.core?.registrations.isEmpty ?? true {
            let container = "with `@Inject(from:)` or `DIContainer.withContainer`"
            return ["resolve from the container that registers it, \(container)", registering]
        }
        if report.core?.hasContributions(to: report.type) == true {
            return ["request `[\(TypeName.short(report.type))]`, which contains all contributions", registering]
        }
        let isAutowired = report.path.last?.dependencies.contains { $0 == report.type } ?? false
        return suggestedRegistrations.first?.fixes(for: dependency, autowired: isAutowired) ?? [registering]
    }

    private var cycleFixes: [String] {
        if let last = report.path.last, isAbout(last), last.permittedRepetitions(hasArguments: false) > 0 {
            return ["end the recursion: a factory with arguments may resolve its own type at most 64 levels deep"]
        }
        if cycle.isEmpty { return (report.registration.map { [$0] } ?? report.path).cycleFixes }
        guard cycle.count == 1 else { return cycle.cycleFixes }
        let naming = "register the inner instance under a name, and request it by that name"
        return cycle[0].isAsync ? [naming] : [naming, "wrap the earlier registration with `Decorate`, if there is one"]
    }

    private var mainActorFixes: [String] {
        let requesting = "request it on the main actor: mark the caller `@MainActor`, or use `MainActor.run`"
        guard let user, !user.isMainActor, !user.isAsync else { return [requesting] }
        return ["register \(TypeName.short(user.type)) with `mainActor:`", requesting]
    }

    private var awaitingFixes: [String] {
        let requesting = "request it with `try await resolve.async`"
        let awaiting =
            if let user, !user.isAsync, let lifetime = user.lifetime {
                "register \(TypeName.short(user.type)) with `\(lifetime.ofAsyncFactories.title)(async:)`, and \(requesting) there"
            } else { requesting }
        guard let registration = report.registration, let location = registration.lifetime?.cacheLocation,
            location.isContainer, !registration.takesArguments
        else { return [awaiting] }
        if location == .owner || report.isOfChildOrFork {
            return ["call `try await container.prepare()` before the first request", requesting]
        }
        // A child doesn't build the registrations that its parent caches.
        let isCachedByParent = report.path.contains { $0.lifetime?.isCachedByOwner == true }
        return isCachedByParent ? [awaiting] : ["request it in a child, after `try await child.prepare()`", requesting]
    }
}

// MARK: Fixes for errors and findings

extension Registration {
    /// The fixes for a decorator in a container that doesn't register the type.
    package static let misplacedDecoratorFixes: [String] = [
        "decorate it in the parent, or also register it in the child",
        "replace the child with a copy: `container.fork`",
    ]

    /// The fix for the registration of an Optional.
    package var optionalFix: String { "unwrap \(id) before it is registered, because no request resolves an Optional" }

    /// Returns the fixes for a missing type or name that this registration may provide, or `nil` if only their names
    /// are similar.
    ///
    /// - Parameter isAutowired: Whether an autowired initializer has a parameter of the missing type.
    package func fixes(for missing: DependencyID, autowired isAutowired: Bool) -> [String]? {
        if type == missing.type {
            // Another fix requests the collection.
            if isContribution { return nil }
            let replacing = isAutowired ? " in a closure, which replaces `autowiring:`" : ""
            return [
                name.map { "request it by its name \($0.rawValue.debugDescription)\(replacing)" }
                    ?? "request it without a name",
                "register it \(missing.name.map { "under the name \($0.rawValue.debugDescription)" } ?? "without a name")",
            ]
        }
        if isKind(type, of: missing.type) == true {
            // An alias has the name of its registration.
            return name == missing.name
                ? ["add `as: \(TypeName.metatype(missing.type))` to the registration at \(site)"] : nil
        }
        if isExistential(type), isKind(missing.type, of: type) == true {
            return ["request the registered type, \(id)", "register \(missing) with `as: \(TypeName.metatype(type))`"]
        }
        return nil
    }
}

extension [Registration] {
    /// The fixes for a cycle of registrations.
    package var cycleFixes: [String] {
        // A provider doesn't await, and it resolves another instance of a graph.
        guard let first, !first.isAsync, !contains(where: { $0.lifetime?.cacheLocation == .graph }) else {
            return ["connect the instances after their initializers, in one factory"]
        }
        let types = TypeNameFormatter().list([first.type] + first.argumentTypes)
        let providing = "inject a `Provider<\(types)>`, and call it after the initializer"
        let injecting = "inject \(TypeName.short(first.type)) with `@LazyInject`, unless its owner has to be `Sendable`"
        return first.takesArguments ? [providing] : [providing, injecting]
    }
}

extension [String] {
    /// The alternatives of a fix, one per line.
    package var alternatives: String { joined(separator: "\n   or: ") }
}
