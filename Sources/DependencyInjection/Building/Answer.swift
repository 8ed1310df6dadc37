/// The result of a request: a box, and the instance as it is kept; nil if nobody keeps it.
struct Answer {
    var box: any AnyBox
    var instance: Instance?
}
