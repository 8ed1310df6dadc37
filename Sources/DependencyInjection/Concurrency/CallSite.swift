/// A place in source code.
@usableFromInline package struct CallSite: Sendable, CustomStringConvertible {
    package let file: StaticString
    // Takes the room that the file leaves.
    private let storedLine: UInt32

    init(file: StaticString, line: UInt) {
        self.file = file
        storedLine = UInt32(clamping: line)
    }

    package var line: UInt { UInt(storedLine) }
    @usableFromInline package var description: String { "\(file):\(line)" }
}
