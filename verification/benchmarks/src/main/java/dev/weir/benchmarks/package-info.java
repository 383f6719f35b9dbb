/** Runs benchmarks by name and checks their claims. */
package dev.weir.benchmarks;
