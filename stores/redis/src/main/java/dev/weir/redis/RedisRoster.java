package dev.weir.redis;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.redis.connection.Link;
import dev.weir.redis.connection.ReadOnlyReconnect;
import dev.weir.redis.connection.RedisFailures;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.script.Script;
import dev.weir.shared.fleet.Roster;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The roster of the servers that share the counters of a Redis.
 *
 * <p>It consists of two keys in one slot: the servers, and a text that is lost when Redis loses its
 * data. Its calls bypass the lanes: no caller waits for them, and they must not delay decisions.
 * Thread-safe.
 */
final class RedisRoster implements Roster {
  static final int MAX_SERVERS = 10_000;

  private static final int MAX_NAME_LENGTH = 200;
  private static final Duration MAX_LASTING = Duration.ofHours(1);

  /** So long that a full Redis that evicts by time to live evicts nearly all counters first. */
  private static final Duration KEY_TTL = Duration.ofDays(30);

  private final Link link;
  private final Executor continuations;
  private final ReadOnlyReconnect readOnlyReconnect;
  private final Duration timeout;
  private final byte[] serversKey;
  private final byte[] memoryKey;

  RedisRoster(Link link, RedisSettings settings, Executor continuations) {
    this.continuations = continuations;
    this.link = link;
    this.readOnlyReconnect = new ReadOnlyReconnect(link, settings.lateReplyTimeout());
    this.timeout = settings.deadline().plus(settings.lateReplyTimeout()); // as in the lanes
    this.serversKey = bytes(settings.prefix() + "{fleet}:servers");
    this.memoryKey = bytes(settings.prefix() + "{fleet}:memory");
  }

  @Override
  public CompletionStage<Roll> announce(String server, Duration lasting) {
    byte[][] arguments = {
      nameBytes(server),
      bytes(lastingMillis(lasting)),
      bytes(MAX_SERVERS),
      bytes(UUID.randomUUID()), // a new one each time, because it may be lost twice
      bytes(KEY_TTL.toMillis()),
      bytes(MAX_LASTING.toMillis())
    };
    return execute(commands -> call(commands, arguments)).thenApply(this::roll);
  }

  @Override
  public CompletionStage<Void> leave(String server) {
    byte[] name = nameBytes(server);
    return execute(commands -> commands.zrem(serversKey, name)).thenAccept(removed -> {});
  }

  private CompletionStage<List<Object>> call(
      RedisClusterAsyncCommands<byte[], byte[]> commands, byte[][] arguments) {
    byte[][] keys = {serversKey, memoryKey};
    Script script = Script.ROSTER;
    CompletionStage<List<Object>> reply =
        commands.evalsha(script.sha(), ScriptOutputType.MULTI, keys, arguments);
    return reply.exceptionallyCompose(
        failure ->
            "NOSCRIPT".equals(RedisFailures.errorCode(StoreFailure.cause(failure)))
                ? commands.eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
                : CompletableFuture.failedStage(failure));
  }

  /** Runs a command; completes in time with its reply or with a {@link StoreFailure}. */
  private <T> CompletionStage<T> execute(
      Function<RedisClusterAsyncCommands<byte[], byte[]>, CompletionStage<T>> command) {
    String node = link.nodeSlot(serversKey).node();
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

  private Roll roll(List<Object> reply) {
    List<?> names = (List<?>) reply.get(1);
    // That one node of a cluster has lost its data says nothing about the other nodes.
    String memory = link.isSingleNode() ? text(reply.get(0)) : "";
    return new Roll(names.stream().map(RedisRoster::text).sorted().toList(), memory);
  }

  private static byte[] nameBytes(String server) {
    if (server.length() > MAX_NAME_LENGTH) {
      throw invalidName(server.length() + " characters");
    }
    if (server.isEmpty() || !server.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      throw invalidName('"' + server.replaceAll("[^ -~]", "?") + '"');
    }
    return bytes(server);
  }

  private static IllegalArgumentException invalidName(String shown) {
    String expected = "1 to " + MAX_NAME_LENGTH + " printable ASCII characters";
    return new IllegalArgumentException("server: " + shown + " (expected: " + expected + ")");
  }

  private static long lastingMillis(Duration lasting) {
    if (lasting.compareTo(Duration.ofMillis(1)) < 0 || lasting.compareTo(MAX_LASTING) > 0) {
      throw new IllegalArgumentException("lasting: " + lasting + " (expected: 1 ms to 1 hour)");
    }
    return lasting.toMillis();
  }

  private static byte[] bytes(Object value) {
    return value.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String text(@Nullable Object bytes) {
    return bytes instanceof byte[] known ? new String(known, StandardCharsets.UTF_8) : "";
  }
}
