/**
 * Batches requests on their way to Redis, one lane per node, with deadlines that do not count the
 * time in which this process is stalled.
 */
@NullMarked
package dev.weir.redis.batch;

import org.jspecify.annotations.NullMarked;
