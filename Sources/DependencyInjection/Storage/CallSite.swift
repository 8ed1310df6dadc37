/// A place in source code.
@usableFromInline struct CallSite: Sendable, CustomStringConvertible {
    let file: StaticString
    // Takes the room that the file leaves.
    private let storedLine: UInt32

    init(file: StaticString, line: UInt) {
        self.file = file
        storedLine = UInt32(clamping: line)
    }

    var line: UInt { UInt(storedLine) }
    @usableFromInline var description: String { "\(file):\(line)" }
}
