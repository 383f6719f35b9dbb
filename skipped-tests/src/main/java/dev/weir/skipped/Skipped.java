package dev.weir.skipped;

/**
 * One skipped test.
 *
 * @param test class and method
 * @param reason what it says itself; empty if it says nothing
 */
record Skipped(String test, String reason) {}
