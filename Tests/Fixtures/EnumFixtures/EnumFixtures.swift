/// The only type of this module. The audit still has to find the module.
public enum Direction { case left, right }
