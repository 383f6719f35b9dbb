package dev.weir.redis;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.redis.connection.Link;
import dev.weir.redis.connection.ReadOnlyReconnect;
import dev.weir.redis.connection.RedisFailures;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.script.Script;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls about the fleet, whose keys are in one slot. They bypass the lanes: no request waits for
 * them, and they must not delay decisions. Thread-safe.
 */
final class FleetCalls {
  /** So long that a full Redis that evicts by time to live evicts nearly all counters first. */
  static final Duration KEY_TTL = Duration.ofDays(30);

  private final Link link;
  private final Executor continuations;
  private final ReadOnlyReconnect readOnlyReconnect;
  private final Duration timeout;
  private final String prefix;

  FleetCalls(Link link, RedisSettings settings, Executor continuations) {
    this.link = link;
    this.continuations = continuations;
    this.readOnlyReconnect = new ReadOnlyReconnect(link, settings.lateReplyTimeout());
    this.timeout = settings.deadline().plus(settings.lateReplyTimeout()); // as in the lanes
    this.prefix = settings.prefix() + "{fleet}:";
  }

  /** The name of a key in the slot of the fleet. */
  byte[] key(String name) {
    return bytes(prefix + name);
  }

  /** Whether there are no other nodes than the one that these calls go to. */
  boolean isSingleNode() {
    return link.isSingleNode();
  }

  /** Runs a script; completes in time with its reply or with a {@link StoreFailure}. */
  CompletionStage<List<Object>> run(Script script, byte[][] keys, byte[][] arguments) {
    return execute(keys[0], commands -> run(commands, script, keys, arguments));
  }

  private static CompletionStage<List<Object>> run(
      RedisClusterAsyncCommands<byte[], byte[]> commands,
      Script script,
      byte[][] keys,
      byte[][] arguments) {
    CompletionStage<List<Object>> reply =
        commands.evalsha(script.sha(), ScriptOutputType.MULTI, keys, arguments);
    return reply.exceptionallyCompose(
        failure ->
            "NOSCRIPT".equals(RedisFailures.errorCode(StoreFailure.cause(failure)))
                ? commands.eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
                : CompletableFuture.failedStage(failure));
  }

  /** Runs a command on a key; completes in time with its reply or with a {@link StoreFailure}. */
  <T> CompletionStage<T> execute(
      byte[] key, Function<RedisClusterAsyncCommands<byte[], byte[]>, CompletionStage<T>> command) {
    String node = link.nodeSlot(key).node();
    CompletionStage<T> reply;
    try {
      reply = command.apply(link.commands());
    } catch (RuntimeException e) {
      reply = CompletableFuture.failedStage(e);
    }
    return reply
        .thenApply(Function.identity()) // a copy, so that the timeout does not end the command
        .toCompletableFuture()
        .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
        .exceptionally(
            failure -> {
              throw new CompletionException(onFailure(StoreFailure.cause(failure), node));
            })
        .whenCompleteAsync((done, failure) -> {}, continuations);
  }

  private StoreFailure onFailure(Throwable failure, String node) {
    if (failure instanceof TimeoutException) {
      link.reconnect(node); // commands sent behind an unanswered one would stay unanswered too
      return new StoreFailure(Effect.UNKNOWN, "Redis did not answer in time", failure);
    }
    if ("READONLY".equals(RedisFailures.errorCode(failure))) {
      readOnlyReconnect.onReadOnly(node);
    }
    return RedisFailures.of(failure, () -> link.connectFailure(node));
  }

  static byte[] bytes(Object value) {
    return value.toString().getBytes(StandardCharsets.UTF_8);
  }

  static String text(@Nullable Object bytes) {
    return bytes instanceof byte[] known ? new String(known, StandardCharsets.UTF_8) : "";
  }
}
