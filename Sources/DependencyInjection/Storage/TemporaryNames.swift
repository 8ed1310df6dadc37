@usableFromInline typealias UnretainedReference = Borrowed
@usableFromInline typealias UniqueID = Serial
