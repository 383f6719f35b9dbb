/** Benchmarks of decisions in one process: Weir, Bucket4j, Guava and Resilience4j. */
package dev.weir.benchmarks.local;
