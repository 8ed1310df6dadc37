import DependencyInjection

/// The reason why `validate(.building)` did not run a factory. Findings with the same reason become one finding.
struct MissingInput: Hashable {
    let lacksArguments: Bool
    let lacksMainActor: Bool

    /// Returns the reason as the end of a sentence about one or several registrations.
    fileprivate func reason(isPlural: Bool) -> String {
        let (takes, isIsolated) = isPlural ? ("they take", "they are isolated") : ("it takes", "it is isolated")
        return [lacksArguments ? "\(takes) arguments" : nil, lacksMainActor ? "\(isIsolated) to the main actor" : nil]
            .compactMap { $0 }.joined(separator: " and ")
    }

    /// The fix, an argument of `validate`.
    fileprivate var fix: String {
        switch (lacksArguments, lacksMainActor) {
        case (true, true): "pass arguments and the main actor with `.building(includingMainActor: true, arguments:)`"
        case (true, false): "pass arguments with `.building(arguments:)`"
        default: "write `.building(includingMainActor: true)`"
        }
    }
}

extension ValidationFinding {
    /// Creates the warning that a registration wasn't built because its arguments or the main actor are missing.
    ///
    static func unchecked(
        _ registration: Registration, lacking input: MissingInput, _ typeNames: TypeNameFormatter
    ) -> ValidationFinding {
        let subject = typeNames.text(registration.id)
        var finding = ValidationFinding(
            kind: .unchecked, id: registration.id, subject: subject, registrations: [registration],
            problem: "\(subject) was not built, because \(input.reason(isPlural: false)).", fixes: [input.fix])
        finding.missingInput = input
        return finding
    }

    /// Merges the findings about registrations that weren't built for the same reason.
    static func merged(_ findings: [ValidationFinding]) -> [ValidationFinding] {
        var groups: [MissingInput: [ValidationFinding]] = [:]
        for finding in findings { if let input = finding.missingInput { groups[input, default: []].append(finding) } }
        return findings.compactMap { finding in
            guard let input = finding.missingInput else { return finding }
            // The first finding of a group represents the whole group.
            guard let group = groups.removeValue(forKey: input) else { return nil }
            return group.count == 1 ? finding : finding.representing(group, lacking: input)
        }
    }

    private func representing(_ group: [ValidationFinding], lacking input: MissingInput) -> ValidationFinding {
        let registrations = group.map { $0.registrations[0] }
        let typeNames = TypeNameFormatter(disambiguating: registrations.map(\.type))
        let problem = """
            \(group.count) registrations were not built, because \(input.reason(isPlural: true)):\(registrations.lines(typeNames))
              fix: \(input.fix)
            """
        return ValidationFinding(
            kind: kind, id: id, subject: subject, registrations: self.registrations, problem: problem)
    }
}
