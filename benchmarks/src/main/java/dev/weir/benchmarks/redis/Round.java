package dev.weir.benchmarks.redis;

/** What one round measured, and what each decision cost Redis of its processor. */
record Round(
    double perSecond, double meanMicros, double p50Micros, double p99Micros, double cpuMicros) {}
