extension Program {
    /// Removes parts of the program as long as a mistake is found in it.
    ///
    /// - Returns: The smallest program found and its mistake, or nil if there is no mistake.
    func reduced<Mistake>(_ mistake: (Program) async -> Mistake?) async -> (program: Program, mistake: Mistake)? {
        guard let first = await mistake(self) else { return nil }
        var smallest = (program: self, mistake: first)
        await ProgramRun.$patience.withValue(2) {
            var isSmaller = true
            while isSmaller {
                isSmaller = false
                for program in smallest.program.smaller {
                    if let found = await mistake(program) {
                        (smallest, isSmaller) = ((program, found), true)
                        break
                    }
                }
            }
        }
        return smallest
    }

    /// Programs with one part less.
    var smaller: [Program] {
        var all: [Program] = []
        for index in steps.indices.reversed() {
            var copy = self
            copy.steps.remove(at: index)
            all.append(copy)
        }
        for (index, container) in containers.enumerated() {
            for (place, statement) in container.statements.enumerated() {
                var copy = self
                copy.containers[index].statements.remove(at: place)
                all.append(copy)
                for simpler in Self.simpler(statement) {
                    var copy = self
                    copy.containers[index].statements[place] = simpler
                    all.append(copy)
                }
            }
        }
        if holdsResults, !isAsync {
            var copy = self
            copy.holdsResults = false
            all.append(copy)
        }
        if startsTasks {
            var copy = self
            copy.startsTasks = false
            all.append(copy)
        }
        return all
    }

    private static func simpler(_ statement: Statement) -> [Statement] {
        switch statement {
        case .expect: return []
        case .decorate(let decorator):
            return decorator.dependencies.indices.map { index in
                var copy = decorator
                copy.dependencies.remove(at: index)
                return .decorate(copy)
            }
        case .register(let recipe):
            var all: [Recipe] = recipe.dependencies.indices.map { index in
                var copy = recipe
                copy.dependencies.remove(at: index)
                return copy
            }
            var (unaliased, uncollected, certain, plain) = (recipe, recipe, recipe, recipe)
            unaliased.alias = nil
            uncollected.collection = nil
            certain.failures = 0
            plain.isAutowired = false
            for index in recipe.ends.indices {
                var copy = recipe
                copy.ends.remove(at: index)
                all.append(copy)
            }
            if recipe.alias != nil { all.append(unaliased) }
            if recipe.collection != nil { all.append(uncollected) }
            if recipe.failures > 0 { all.append(certain) }
            if recipe.isAutowired { all.append(plain) }
            return all.map { .register($0) }
        }
    }
}
