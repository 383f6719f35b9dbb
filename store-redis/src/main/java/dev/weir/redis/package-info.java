/**
 * A store in Redis or Valkey.
 *
 * <p>{@link dev.weir.redis.RedisStore} hands each operation to a lane; a lane sends what waits as
 * one batch when the one before has come back; a batch is one call of a script, in which the
 * algorithms are written once more: of {@code takes.lua}, if all it wants is to take from buckets
 * and fixed windows, else of {@code claims.lua}, which knows everything.
 *
 * <p>Beside the counters, {@link dev.weir.redis.RedisRoster} keeps the list of servers, by {@code
 * roster.lua}.
 */
@NullMarked
package dev.weir.redis;

import org.jspecify.annotations.NullMarked;
