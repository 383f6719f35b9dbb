package dev.weir.simulation;

/** A promise that was not kept, when, and for which counter. */
record Violation(Invariant invariant, long nanos, String account, String what) {}
