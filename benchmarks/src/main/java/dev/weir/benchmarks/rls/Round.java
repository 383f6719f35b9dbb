package dev.weir.benchmarks.rls;

/** What one round measured. */
record Round(double perSecond, double p50Micros, double p99Micros) {}
