/**
 * A store in Redis or Valkey.
 *
 * <p>{@link dev.weir.redis.RedisStore} gives each operation to the lane of a node. A lane sends the
 * waiting requests as one batch when the previous batch has returned. A batch is one call of a Lua
 * script that implements the algorithms once more: of {@code takes.lua}, if it only takes from
 * buckets and fixed windows, else of {@code claims.lua}, which decides everything.
 *
 * <p>{@link dev.weir.redis.RedisRoster} stores the list of servers next to the counters, with
 * {@code roster.lua}.
 */
@NullMarked
package dev.weir.redis;

import org.jspecify.annotations.NullMarked;
