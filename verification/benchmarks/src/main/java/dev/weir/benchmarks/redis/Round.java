package dev.weir.benchmarks.redis;

/** The result of one round, with the CPU time of Redis per decision. */
record Round(
    double perSecond, double meanMicros, double p50Micros, double p99Micros, double cpuMicros) {}
