import DependencyInjection
import Testing

/// Compares a tree of containers with a model that keeps nothing, and so cannot keep what is outdated.
@Suite("A tree and its model")
struct TreeModelTests {
    private final class Part: Engine, Starter {
        let kind: String
        init(_ kind: String) { self.kind = kind }
        func start() -> String { kind }
    }

    private enum Key: CaseIterable {
        case part, engine, starter
    }

    /// What one container has: the text of what is registered, or the key that an alias leads to.
    private struct Level {
        enum Registered {
            case text(String)
            case alias(of: Key)
        }
        var registered: [Key: Registered] = [:]
        var decorators: [Key: [String]] = [:]
    }

    private struct Model {
        var levels: [Level]

        /// What a request to a level answers; the search for the key begins at `start`.
        func text(_ key: Key, at level: Int, from start: Int) -> String? {
            guard
                let found = (0...start).last(where: {
                    levels[$0].registered[key] != nil || $0 > 0 && levels[$0].decorators[key] != nil
                })
            else { return nil }
            let base: String?
            switch levels[found].registered[key] {
            case .text(let text): base = text
            case .alias(let target): base = text(target, at: level, from: level)
            case nil: base = text(key, at: level, from: found - 1)
            }
            return base.map { base in (levels[found].decorators[key] ?? []).reduce(base) { "\($1)(\($0))" } }
        }
    }

    private func resolve(_ key: Key, from container: DIContainer) -> String? {
        switch key {
        case .part: try? container.resolve.orThrow(Part.self).kind
        case .engine: try? container.resolve.orThrow((any Engine).self).kind
        case .starter: try? container.resolve.orThrow((any Starter).self).start()
        }
    }

    private func registration(_ text: String, _ lifetime: Int, _ key: Key) -> any RegistrationConvertible {
        switch (key, lifetime) {
        case (.part, 0): Shared(Part(text), as: (any Engine).self)
        case (.part, 1): Scoped(Part(text), as: (any Engine).self)
        case (.part, 2): Weak(Part(text), as: (any Engine).self)
        case (.part, 3): Graph(Part(text), as: (any Engine).self)
        case (.part, _): New(Part(text), as: (any Engine).self)
        case (.engine, 0): Shared(Part(text) as any Engine)
        case (.engine, 1): Scoped(Part(text) as any Engine)
        case (.engine, 2): Weak(Part(text) as any Engine)
        case (.engine, 3): Graph(Part(text) as any Engine)
        case (.engine, _): New(Part(text) as any Engine)
        case (.starter, 0): Shared(Part(text) as any Starter, as: (any Engine).self)
        case (.starter, 1): Scoped(Part(text) as any Starter, as: (any Engine).self)
        case (.starter, 2): Weak(Part(text) as any Starter, as: (any Engine).self)
        case (.starter, 3): Graph(Part(text) as any Starter, as: (any Engine).self)
        case (.starter, _): New(Part(text) as any Starter, as: (any Engine).self)
        }
    }

    private func decorator(_ text: String, _ key: Key) -> Decorate {
        switch key {
        case .part: Decorate(Part.self) { base, _ in Part("\(text)(\(base.kind))") }
        case .engine: Decorate((any Engine).self) { base, _ in Part("\(text)(\(base.kind))") }
        case .starter: Decorate((any Starter).self) { base, _ in Part("\(text)(\(base.start()))") }
        }
    }

    @Test(
        "Rules 1, 17: after any changes, every request gets what the registrations of that moment say",
        arguments: 1...20)
    func randomChanges(seed: UInt64) {
        var random = SmallGenerator(state: seed &* 0x9e37_79b9_7f4a_7c15)
        for _ in 0..<50 {
            var containers = [DIContainer()]
            for _ in 0..<2 { containers.append(containers[containers.count - 1].makeChild {}) }
            var model = Model(levels: containers.map { _ in Level() })
            var done: [String] = []
            for step in 0..<25 {
                let level = Int.random(in: 0..<containers.count, using: &random)
                let key = Key.allCases.randomElement(using: &random)!
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<5:
                    let lifetime = Int.random(in: 0..<5, using: &random)
                    containers[level].register(registration("\(step)", lifetime, key))
                    model.levels[level].registered[key] = .text("\(step)")
                    if key != .engine { model.levels[level].registered[.engine] = .alias(of: key) }
                case 5..<8:
                    containers[level].register(decorator("\(step)", key))
                    model.levels[level].decorators[key, default: []].append("\(step)")
                case 8:
                    switch key {
                    case .part: containers[level].unregister(Part.self)
                    case .engine: containers[level].unregister((any Engine).self)
                    case .starter: containers[level].unregister((any Starter).self)
                    }
                    model.levels[level].registered[key] = nil
                default:
                    if Bool.random(using: &random) {
                        containers[level].reset()
                        model.levels[level] = Level()
                    } else {
                        containers[level].resetInstances()
                    }
                }
                done.append("\(step): \(key) at \(level), now \(model.levels[level])")
                // Not always all, so that some places are built long before others.
                for asked in containers.indices where Bool.random(using: &random) {
                    for key in Key.allCases {
                        let answer = resolve(key, from: containers[asked])
                        let expected = model.text(key, at: asked, from: asked)
                        guard answer == expected else {
                            Issue.record(
                                "\(key) at \(asked): \(answer ?? "nil"), not \(expected ?? "nil") after \(done)")
                            return
                        }
                    }
                }
            }
        }
    }
}
