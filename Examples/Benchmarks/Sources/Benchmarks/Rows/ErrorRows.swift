import DependencyInjection

/// Asking in vain with `orThrow`, with few and with many registrations among which similar ones could be looked for.
enum ErrorRows {
    static func make() -> [Row] {
        let bare = SharedRows.bareWorkload()
        return [0, 200, 10_000].flatMap { count in
            let container = DIContainer { for filler in Fillers.all.prefix(count) { filler.registration() } }
            let registrations = "\(Double(count).text()) registrations"
            return [
                Row("failed orThrow, \(registrations)", .atMost(40, "× bare"), caught(container), to: bare),
                Row("failed try? orThrow, \(registrations)", .atMost(40, "× bare"), ignored(container), to: bare),
            ]
        }
    }

    /// The error is caught and dropped; nobody reads it.
    private static func caught(_ container: DIContainer) -> Workload {
        Workload("orThrow") { repetitions in
            let sink = Sink.make(for: ResolutionError.self)
            for _ in 0..<repetitions {
                do throws(ResolutionError) {
                    _ = try container.resolve.orThrow((any MissingService).self)
                } catch {
                    sink(error)
                }
            }
        }
    }

    private static func ignored(_ container: DIContainer) -> Workload {
        Workload("try? orThrow") { repetitions in
            let sink = Sink.make(for: (any MissingService)?.self)
            for _ in 0..<repetitions { sink(try? container.resolve.orThrow((any MissingService).self)) }
        }
    }
}
