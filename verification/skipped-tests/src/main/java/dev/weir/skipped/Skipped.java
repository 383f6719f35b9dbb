package dev.weir.skipped;

/**
 * One skipped test.
 *
 * @param test the class and the method
 * @param reason the reason that the test states; empty if it states none
 */
record Skipped(String test, String reason) {}
