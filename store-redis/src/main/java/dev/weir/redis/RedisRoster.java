package dev.weir.redis;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.guard.Roster;
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
 * The servers that share the counters of a Redis, as they tell it of themselves.
 *
 * <p>Two keys in one slot: who is there, and a text that is lost when Redis loses its data. Not by
 * way of the lanes: nobody waits for this, and no decision waits behind it.
 */
final class RedisRoster implements Roster {
  static final int MAX_SERVERS = 10_000;

  private static final int MAX_NAME = 200;
  private static final Duration MAX_LASTING = Duration.ofHours(1);

  /** Where Redis is full and evicts what expires first, nearly all counters go before these. */
  private static final Duration KEPT = Duration.ofDays(30);

  private final Link link;
  private final Executor continuations;
  private final Renewal renewal;
  private final Duration patience;
  private final byte[] servers;
  private final byte[] memory;

  RedisRoster(Link link, RedisSettings settings, Executor continuations) {
    this.continuations = continuations;
    this.link = link;
    this.renewal = new Renewal(link, settings.patience());
    this.patience = settings.deadline().plus(settings.patience()); // as the lanes have it
    this.servers = bytes(settings.prefix() + "{fleet}:servers");
    this.memory = bytes(settings.prefix() + "{fleet}:memory");
  }

  @Override
  public CompletionStage<Roll> announce(String server, Duration lasting) {
    byte[][] arguments = {
      name(server),
      bytes(millis(lasting)),
      bytes(MAX_SERVERS),
      bytes(UUID.randomUUID()), // another one each time, for it may be lost twice
      bytes(KEPT.toMillis()),
      bytes(MAX_LASTING.toMillis())
    };
    return ask(commands -> call(commands, false, arguments)).thenApply(this::roll);
  }

  @Override
  public CompletionStage<Void> leave(String server) {
    byte[] name = name(server);
    return ask(commands -> commands.zrem(servers, name)).thenAccept(gone -> {});
  }

  private CompletionStage<List<Object>> call(
      RedisClusterAsyncCommands<byte[], byte[]> commands, boolean whole, byte[][] arguments) {
    byte[][] keys = {servers, memory};
    CompletionStage<List<Object>> answer =
        Script.ROSTER.call(commands, whole, ScriptOutputType.MULTI, keys, arguments);
    return whole
        ? answer
        : answer.exceptionallyCompose(
            failure ->
                "NOSCRIPT".equals(Failures.word(StoreFailure.cause(failure)))
                    ? call(commands, true, arguments)
                    : CompletableFuture.failedStage(failure));
  }

  /** An answer comes in time, or a {@link StoreFailure} does. */
  private <T> CompletionStage<T> ask(
      Function<RedisClusterAsyncCommands<byte[], byte[]>, CompletionStage<T>> question) {
    String asked = link.place(servers).server();
    CompletionStage<T> answer;
    try {
      answer = question.apply(link.commands());
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedStage(e);
    }
    return answer
        .thenApply(Function.identity()) // whose end is ours to say, not that of the command
        .toCompletableFuture()
        .orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS)
        .exceptionally(
            failure -> {
              throw new CompletionException(failed(StoreFailure.cause(failure), asked));
            })
        .whenCompleteAsync((done, failure) -> {}, continuations);
  }

  private StoreFailure failed(Throwable failure, String asked) {
    if (failure instanceof TimeoutException) {
      link.renew(asked); // what is sent behind something that stays unanswered would be, too
      return new StoreFailure(Effect.UNKNOWN, "Redis did not answer in time", failure);
    }
    if ("READONLY".equals(Failures.word(failure))) {
      renewal.readOnly(asked);
    }
    return Failures.of(failure, () -> link.whyNotConnected(asked));
  }

  private Roll roll(List<Object> answer) {
    List<?> names = (List<?>) answer.get(1);
    // One server of a cluster that has forgotten says nothing about the others.
    String remembered = link.isOne() ? text(answer.get(0)) : "";
    return new Roll(names.stream().map(RedisRoster::text).sorted().toList(), remembered);
  }

  private static byte[] name(String server) {
    if (server.length() > MAX_NAME) {
      throw refusal(server.length() + " characters");
    }
    if (server.isEmpty() || !server.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      throw refusal('"' + server.replaceAll("[^ -~]", "?") + '"');
    }
    return bytes(server);
  }

  private static IllegalArgumentException refusal(String shown) {
    String expected = "1 to " + MAX_NAME + " printable ASCII characters";
    return new IllegalArgumentException("server: " + shown + " (expected: " + expected + ")");
  }

  private static long millis(Duration lasting) {
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
