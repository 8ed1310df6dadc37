/// The only kind of type in this module. The audit has to find the module nevertheless.
public enum Direction { case left, right }
