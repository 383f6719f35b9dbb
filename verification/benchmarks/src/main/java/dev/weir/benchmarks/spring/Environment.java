package dev.weir.benchmarks.spring;

import java.nio.file.Path;

/**
 * What contestants need.
 *
 * @param directory of their logs
 * @param redis the URL of a Redis
 * @param upstream the port of the server behind gateways
 */
record Environment(Path directory, String redis, int upstream) {}
