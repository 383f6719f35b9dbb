/** Benchmarks by name, and the claims they check. */
package dev.weir.benchmarks;
