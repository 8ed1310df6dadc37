try await serve(makeApp()) { counter in
    try await counter.call(Counter.add, 5) { print("Add 5: \($0)") }
    for count in [3, 9] {
        // The second one fails, and is rolled back.
        do { try await counter.call(Counter.countDown, count) { print("Count down: \($0)") } } catch { print(error) }
    }
    try await counter.call(Counter.add, 0) { print("Add 0: \($0)") }
}
