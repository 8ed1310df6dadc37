/// The result of a request: a box, and the instance as it is kept; nil if nobody keeps it.
struct Answer {
    var box: any AnyBox
    let instance: Instance?

    init(_ box: any AnyBox, keptAs instance: Instance? = nil) {
        self.box = box
        self.instance = instance
    }
}
