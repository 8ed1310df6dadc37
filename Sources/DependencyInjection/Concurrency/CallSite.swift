/// A source location.
@usableFromInline package struct CallSite: Sendable, CustomStringConvertible {
    package let file: StaticString
    // Fills the padding after the file.
    private let storedLine: UInt32

    package init(file: StaticString, line: UInt) {
        self.file = file
        storedLine = UInt32(clamping: line)
    }

    package var line: UInt { UInt(storedLine) }
    @usableFromInline package var description: String { "\(file):\(line)" }
}
