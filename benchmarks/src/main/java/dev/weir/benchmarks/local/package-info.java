/** Decisions in one process: Weir beside Bucket4j, Guava and Resilience4j. */
package dev.weir.benchmarks.local;
