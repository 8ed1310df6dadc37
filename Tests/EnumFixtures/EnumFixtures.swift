/// The only kind of type in this module. The audit has to know the module all the same.
public enum Direction { case left, right }
