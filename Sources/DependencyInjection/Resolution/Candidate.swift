/// Something registered that may be what a failed request meant.
struct Candidate: Sendable, CustomStringConvertible {
    private enum Likeness: Int {
        case sameTypeOtherName, nameWithin, similarName
    }

    private let likeness: Likeness
    private let distance: Int
    private let requested: TypeName
    private let registration: Registration
    private let step: ResolutionError.Step

    var description: String { step.description }

    var advice: String {
        switch (likeness, registration.name) {
        case (.sameTypeOtherName, let name?):
            "ask for it by its name, as in `resolve(\(requested.metatype), name: \"\(name)\")`."
        case (.sameTypeOtherName, nil):
            "ask without a name, or register another: `Shared(… as \(requested), name: …)`."
        default:
            "register it as that type, as in `\(kind)(… as \(requested))`, or add `as: \(requested.metatype)` to it."
        }
    }

    /// What the registration was written with.
    private var kind: String { (registration.target ?? registration).lifetime == .new ? "New" : "Shared" }

    /// The three nearest registrations: the same type under another name, then types of a similar name.
    static func nearest(to request: Request, among registrations: [Registration]) -> [Candidate] {
        registrations.compactMap { Candidate($0, request) }
            .sorted { ($0.likeness.rawValue, $0.distance) < ($1.likeness.rawValue, $1.distance) }
            .prefix(3).map { $0 }
    }

    private init?(_ registration: Registration, _ request: Request) {
        step = ResolutionError.Step(registration)
        self.registration = registration
        requested = TypeName(request.type)
        let found = Self.core(of: "\(registration.type)")
        let asked = Self.core(of: "\(request.type)")
        if registration.type == request.type {
            likeness = .sameTypeOtherName
            distance = 0
        } else if found.count > 2, asked.count > 2, found.contains(asked) || asked.contains(found) {
            likeness = .nameWithin
            distance = abs(found.count - asked.count)
        } else {
            likeness = .similarName
            distance = Self.distance(found, asked)
            guard distance <= max(2, asked.count / 3) else { return nil }
        }
    }

    /// A type's name in lower case, without what only tells protocols from implementations.
    private static func core(of typeName: String) -> String {
        var name = typeName.lowercased()
        for prefix in ["default"] where name.hasPrefix(prefix) { name.removeFirst(prefix.count) }
        for suffix in ["protocol", "impl"] where name.hasSuffix(suffix) { name.removeLast(suffix.count) }
        return name
    }

    /// The number of single-letter changes that lead from one word to the other (Levenshtein 1966).
    private static func distance(_ first: String, _ second: String) -> Int {
        let second = Array(second)
        var row = Array(0...second.count)
        for (index, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in second.indices {
                let substitution = diagonal + (letter == second[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substitution, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}
