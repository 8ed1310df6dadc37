/// The result of a request: a box with the instance.
struct Answer {
    var box: any AnyBox
    /// The instance as it is kept; nil if nobody keeps it.
    let instance: Instance?
    /// Who keeps what decorators make of it.
    var decoratedKeeper: Keeper

    init(_ box: any AnyBox, keptAs instance: Instance? = nil) {
        self.box = box
        self.instance = instance
        decoratedKeeper = instance.map { $0.isMember ? .graph : .container($0.keeper) } ?? .nobody
    }
}
