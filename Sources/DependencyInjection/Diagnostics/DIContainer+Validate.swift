// All of this is emitted into whoever calls it, so that a program that does not validate does not carry it.

extension DIContainer {
    /// Finds every fault that shows without building anything, all at once.
    ///
    /// ```swift
    /// let report = try container.validate()
    /// for warning in report.findings { print(warning) }
    /// ```
    /// It knows what registrations declare: the parameters of autowired initializers, aliases, arguments and lifetimes. What
    /// a closure asks for shows only when it runs. Where a class is registered for an alias, it is taken for the class that
    /// is built. May be called on any thread, and takes time in proportion to the number of registrations.
    /// - Returns: The warnings.
    /// - Throws: A ``ValidationError`` with everything found, if any of it is an error.
    @_alwaysEmitIntoClient
    @discardableResult
    public func validate() throws(ValidationError) -> ValidationReport {
        let findings = graph.findings()
        let report = ValidationReport(
            findings.filter { $0.isError } + findings.filter { !$0.isError }, unchecked: [])
        if report.hasErrors { throw ValidationError(report: report) }
        return report
    }
}

extension DependencyGraph {
    /// What is wrong with the registrations, and with what they need.
    @_alwaysEmitIntoClient
    func findings() -> [ValidationFinding] {
        // The first node that needs each node, or -1.
        var users = [Int](repeating: -1, count: nodes.count)
        for edge in edges {
            if let target = edge.to, users[target] < 0 { users[target] = edge.from }
        }
        var findings: [ValidationFinding] = []
        var missing: [Dependency] = []
        for index in nodes.indices {
            findings += faults(of: index)
            for edge in edges(of: index) {
                if let target = edge.to {
                    if let fault = fault(of: edge, target, users) { findings.append(fault) }
                } else if !missing.contains(where: { $0.type == edge.type && $0.name == edge.name }) {
                    missing.append(edge)
                    findings.append(self.missing(edge, users))
                }
            }
        }
        return findings + cycles().map { finding($0) } + missing.flatMap { similarNames($0, users) }
    }

    @_alwaysEmitIntoClient
    func finding(_ kind: ValidationFinding.Kind, _ index: Int, _ what: String, _ fix: String) -> ValidationFinding {
        let step = nodes[index].step
        let text = step.key + what + "\n  registered at \(step.file):\(step.line)\n  fix: " + fix
        return ValidationFinding(kind, isError: kind.code < 7, step.key, at: step, path: [], text)
    }

    /// A fault of what one registration needs of another.
    @_alwaysEmitIntoClient
    func finding(
        _ kind: ValidationFinding.Kind, isError: Bool? = nil, _ edge: Dependency, _ users: [Int], _ text: String,
        near: [String] = [], fix: String
    ) -> ValidationFinding {
        var path = [edge.from]
        while let first = path.first, users[first] >= 0, !path.contains(users[first]) {
            path.insert(users[first], at: 0)
        }
        let steps = path.map { nodes[$0].step }
        let user = nodes[edge.from].step
        var text = text + "\n  registered at \(user.file):\(user.line)"
        if path.count > 1 { text += "\n  path:" + steps.map { "\n    \($0)" }.joined() + "\n    → " + edge.key }
        if !near.isEmpty { text += "\n  registered are:" + near.map { "\n    " + $0 }.joined() }
        return ValidationFinding(
            kind, isError: isError ?? (kind.code < 7), edge.key, at: user, path: steps, text + "\n  fix: " + fix)
    }

    // MARK: One registration

    @_alwaysEmitIntoClient
    func faults(of index: Int) -> [ValidationFinding] {
        let node = nodes[index]
        let first = edges(of: index).first?.kind
        var findings: [ValidationFinding] = []
        func add(_ kind: ValidationFinding.Kind, _ what: String, _ fix: String) {
            findings.append(finding(kind, index, what, fix))
        }
        if let replaced = node.replaced {
            add(.replaced, " replaces what was registered at \(replaced).", "leave one of the two out, or name it.")
        }
        if first == .alias || first == .decorator { return findings }
        if node.type is any SynthesizedOptional.Type {
            add(.optionalRegistration, " is an Optional, which answers no request.", "register the type that it wraps.")
        }
        if node.name == nil, isInitializer(node.type) {
            add(.missingAutowiring, " is a function, not what that makes.", "write `autowiring:` before it.")
        }
        if node.lifetime == .weak, !(node.type is AnyClass), !isExistential(node.type) {
            add(
                .weakValue, " is registered with Weak, and is a value, which nobody else can hold.",
                "use `Shared`, or make it a class or an actor.")
        }
        return findings
    }

    // MARK: What it needs

    @_alwaysEmitIntoClient
    func missing(_ edge: Dependency, _ users: [Int]) -> ValidationFinding {
        if edge.kind == .decorator {
            return finding(
                .unusedDecorator, edge.from, " is decorated, and not registered.",
                "register it, or decorate the type that is registered.")
        }
        return finding(
            .missingDependency, edge, users,
            "Nothing is registered for \(edge.key), which \(nodes[edge.from].step.key) needs.",
            near: nearest(to: edge.type), fix: "register it, or make the parameter an Optional.")
    }

    @_alwaysEmitIntoClient
    func fault(of edge: Dependency, _ target: Int, _ users: [Int]) -> ValidationFinding? {
        let user = nodes[edge.from]
        let base = nodes[base(of: target)]
        let needs = user.step.key + " needs " + edge.key
        if edge.kind == .alias {
            guard edges(of: target).first?.kind != .alias, conforms(base.type, to: user.type) == false else {
                return nil
            }
            let alias = user.key
            return finding(
                .aliasMismatch, edge, users, "\(edge.key) is registered with \(alias) in `as:`, and does not conform.",
                fix: "make it conform, or leave \(alias) out of `as:`.")
        }
        let (expected, supplied) = (base.argumentTypes, edge.supplied ?? [])
        if edge.kind != .autowiring {
            return nil
        } else if !base.isBuilt, !fits(supplied, expected) {
            let types = [expected, supplied].map { "(" + $0.map { "\($0)" }.joined(separator: ", ") + ")" }
            return finding(
                .argumentMismatch, edge, users, needs + ", whose factory takes \(types[0]), and supplies \(types[1]).",
                fix: "take a `Provider` with the arguments of that factory.")
        } else if base.isAsync, base.lifetime == .new {
            return finding(
                .asynchronousNeed, edge, users, needs + ", which only `await` can build.",
                fix: "build it by an asynchronous factory too: `async: { resolve in … }`.")
        } else if edge.isDeferred {
            return nil
        } else if base.isAsync {
            return base.isBuilt
                ? nil
                : finding(
                    .asynchronousNeed, isError: false, edge, users, needs + ", which only `await` can build.",
                    fix: "call `try await container.prepare()` before.")
        } else if !user.isMainActor, base.isMainActor || nodes[target].isMainActor {
            return finding(
                .mainActorNeed, edge, users, needs + ", which belongs to the main actor.",
                fix: "build it in a factory that is registered with `mainActor:`.")
        } else if base.lifetime == .scoped, user.lifetime == .shared || user.lifetime == .weak {
            return finding(
                .sharedKeepsScoped, edge, users, needs + ", which is scoped, and keeps the first one for good.",
                fix: "register it with `Scoped` too, or take a `Provider`.")
        }
        return nil
    }

    /// The nodes of each cycle that no provider breaks.
    @_alwaysEmitIntoClient
    func cycles() -> [[Int]] {
        var cycles: [[Int]] = []
        // The nodes on the way, the next edge of each node, and the nodes that are done with.
        var way: [Int] = []
        var next = starts
        var isDone = [Bool](repeating: false, count: nodes.count)
        for start in nodes.indices where !isDone[start] {
            way.append(start)
            while let node = way.last {
                if next[node] == starts[node + 1] {
                    isDone[node] = true
                    way.removeLast()
                    continue
                }
                let edge = edges[next[node]]
                next[node] += 1
                guard let target = edge.to, !edge.isDeferred, !isDone[target] else { continue }
                if next[target] == starts[target] {
                    way.append(target)
                } else if let first = way.firstIndex(of: target) {
                    cycles.append(Array(way[first...]))
                }
            }
        }
        return cycles
    }

    @_alwaysEmitIntoClient
    func finding(_ cycle: [Int]) -> ValidationFinding {
        let steps = cycle.map { nodes[$0].step }
        let key = steps[0].key
        let text = "Building \(key) needs \(key) itself: " + (steps.map { $0.key } + [key]).joined(separator: " → ")
        return ValidationFinding(
            .cycle, isError: true, key, at: steps[0], path: steps,
            text + "\n  path:" + steps.map { "\n    \($0)" }.joined() + "\n    → " + key
                + "\n  fix: let one of them ask later, with `@LazyInject` or a `Provider`.")
    }

    @_alwaysEmitIntoClient
    func similarNames(_ edge: Dependency, _ users: [Int]) -> [ValidationFinding] {
        guard let asked = edge.name else { return [] }
        return nodes.indices.compactMap { index in
            let node = nodes[index]
            guard users[index] < 0, node.type == edge.type, let name = node.name, name != asked,
                isSimilar(Array(name.rawValue.lowercased()), Array(asked.rawValue.lowercased()))
            else { return nil }
            return finding(.similarName, index, " is asked for by nobody, and \(edge.key) is.", "correct one of them.")
        }
    }
}

// MARK: What texts and types tell

/// Whether one letter in three may have been mistyped: added, left out or another.
@_alwaysEmitIntoClient
func isSimilar(_ first: [Character], _ second: [Character]) -> Bool {
    var row = Array(0...second.count)
    for (index, letter) in first.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for column in second.indices {
            let changes = min(diagonal + (letter == second[column] ? 0 : 1), row[column] + 1, row[column + 1] + 1)
            diagonal = row[column + 1]
            row[column + 1] = changes
        }
    }
    return row[second.count] <= max(1, second.count / 3)
}

@_alwaysEmitIntoClient
func isExistential(_ type: any Any.Type) -> Bool { "\(Swift.type(of: type))".hasSuffix(".Protocol") }

/// Whether it is a function that makes a type of the program from types of the program.
@_alwaysEmitIntoClient
func isInitializer(_ type: any Any.Type) -> Bool {
    let name = String(reflecting: type)
    guard name.contains(" -> "), let begin = name.firstIndex(of: "(") else { return false }
    let parameters = name[begin...].dropFirst()
    // Closures that are meant to be registered mostly take or return values of the standard library, or nothing.
    let isOwn = !parameters.hasPrefix("Swift.") || parameters.hasPrefix("Swift.Optional<")
    return isOwn && !parameters.hasPrefix(")") && !name.contains("-> Swift.") && !name.hasSuffix("-> ()")
}

/// Whether arguments of some types may be those that a factory takes.
@_alwaysEmitIntoClient
func fits(_ supplied: [any Any.Type], _ expected: [any Any.Type]) -> Bool {
    // A value becomes an Optional where it is handed over.
    supplied.count == expected.count
        && zip(supplied, expected).allSatisfy { $1 is any SynthesizedOptional.Type || conforms($0, to: $1) != false }
}

/// Whether instances of a type are of another; nil if only an instance tells.
@_alwaysEmitIntoClient
func conforms(_ type: any Any.Type, to other: any Any.Type) -> Bool? {
    guard !isExistential(type), let result = isKind(type, of: other) else { return nil }
    // An instance of a class may be of a subclass.
    return !result && !isExistential(other) && isKind(other, of: type) == true ? nil : result
}

/// Whether a type is another or one of its subclasses, or conforms to it; nil if that cannot be found out.
@_alwaysEmitIntoClient
func isKind(_ type: any Any.Type, of other: any Any.Type) -> Bool? {
    // The type of all metatypes that conform to a protocol is found by its name only, which private protocols do not have.
    guard let name = _mangledTypeName(other), let metatype = _typeByName(name + (isExistential(other) ? "Xp" : "m"))
    else { return nil }
    func contains<Metatype>(_: Metatype.Type) -> Bool { type is Metatype }
    return _openExistential(metatype, do: contains)
}
