/**
 * Metrics under Weir's names and under those of envoyproxy/ratelimit.
 *
 * <p>Most metrics are Micrometer meters. HTTP requests and the rate limit service are counted and
 * written in the Prometheus text format by hand, for three reasons. The names of
 * envoyproxy/ratelimit include counters without the suffix {@code _total}, which Micrometer's
 * naming convention for Prometheus always adds. Recording a request only adds to existing adders,
 * found without creating a meter, a tag or a key. And the number of series is bounded here: all
 * HTTP series are fixed in advance, those of rules and unknown domains have a maximum beyond which
 * everything is counted as {@code other}, and empty HTTP series are not written.
 */
@NullMarked
package dev.weir.server.metrics;

import org.jspecify.annotations.NullMarked;
