import DependencyInjection
import DependencyInjectionDiagnostics

/// A client's text for a result. A later version of the library may add reasons.
func explanation(_ work: () throws -> Void) -> String {
    do {
        try work()
        return "resolved"
    } catch let error as ResolutionError {
        return switch error.reason {
        case .notRegistered: "nobody registered \(error.key)"
        case .argumentMismatch, .weakValueType: "\(error.reason) of \(error.key)"
        case .factoryFailed where error.reason.underlyingError is CancellationError: "canceled"
        default: "\(error.reason)"
        }
    } catch { return "\(error)" }
}

let module = Module("Client") {
    Shared("text")
    New { _, number in number * 2.0 }
    Weak { _ in 1 as UInt8 }
    Shared { _ -> Int in throw CancellationError() }
    Shared(mainActor: true)
}
let container = DIContainer { module }
let explanations = [
    explanation { _ = try container.resolve.orThrow(Character.self) },
    explanation { _ = try container.resolve.orThrow(Double.self, arguments: "2") },
    explanation { _ = try container.resolve.orThrow(UInt8.self) },
    explanation { _ = try container.resolve.orThrow(Int.self) },
    explanation { _ = try container.resolve.orThrow(String.self) },
]
precondition(
    explanations == [
        "nobody registered Character", "argumentMismatch of Double", "weakValueType of UInt8", "canceled",
        "resolved",
    ],
    "\(explanations)")
// A client's symbols for lifetimes. A later version of the library may add lifetimes.
let symbols = module.registrations.map { registration in
    switch registration.lifetime {
    case .shared: "●"
    case .new: "○"
    case nil: "-"
    default: "?"
    }
}
precondition(symbols == ["●", "○", "?", "●", "●"])
precondition(module.registrations.allSatisfy { $0.module == "Client" })
let collection = DIContainer {
    Shared(1).into(Int.self)
    New(2).into(Int.self)
}
precondition(collection.resolve([Int].self) == [1, 2])
precondition(collection.registrations.flatMap(\.collections) == ["Int", "Int"])
print("A client in a package of its own compiles and runs.")
