import DependencyInjection

/// Rows for failing requests with `orThrow`, with few and with many registrations to search for similar ones.
enum ErrorRows {
    static func make() -> [Row] {
        let bare = SharedRows.bareWorkload()
        return [0, 200, 10_000].flatMap { count in
            let registrations = "\(Double(count).text()) registrations"
            return [
                Row("failed orThrow, \(registrations)", nil, loop: "or-throw-\(count)", caught(among: count), to: bare),
                Row(
                    "failed try? orThrow, \(registrations)", nil, loop: "try-or-throw-\(count)", ignored(among: count),
                    to: bare),
            ]
        }
    }

    private static func makeContainer(_ count: Int) -> DIContainer {
        DIContainer { Fillers.registrations(count) }
    }

    /// Returns a workload that catches the error and ignores it.
    private static func caught(among count: Int) -> Workload {
        let container = makeContainer(count)
        return Workload("orThrow") { repetitions in
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

    private static func ignored(among count: Int) -> Workload {
        let container = makeContainer(count)
        return Workload("try? orThrow") { repetitions in
            let sink = Sink.make(for: (any MissingService)?.self)
            for _ in 0..<repetitions { sink(try? container.resolve.orThrow((any MissingService).self)) }
        }
    }
}
