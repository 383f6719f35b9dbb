package dev.weir.redis.batch;

import dev.weir.redis.connection.RedisFailures;
import dev.weir.redis.script.RedisKeys;
import dev.weir.redis.script.Script;
import dev.weir.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Calls the scripts directly: many calls in one round trip, each with its own time. */
final class ScriptCalls implements AutoCloseable {
  private static final long EXTRA_TTL_MILLIS = Duration.ofHours(6).toMillis();

  private final RedisKeys keys = new RedisKeys("w:");
  private final RedisClient client;
  private final StatefulRedisConnection<byte[], byte[]> connection;
  private long stale;
  private long plain;
  private long fallbacks;

  ScriptCalls(RedisServer redis) {
    client = RedisClient.create(redis.url());
    connection = client.connect(ByteArrayCodec.INSTANCE);
    Script.load(connection.async());
    connection.setAutoFlushCommands(false);
  }

  /** Makes all calls, and completes each request. */
  void make(List<Timeline.Call> calls) throws Exception {
    List<Call> sent = new ArrayList<>();
    List<RedisFuture<byte[]>> replies = new ArrayList<>();
    for (Timeline.Call call : calls) {
      Batch batch = new Batch(call.requests());
      sent.add(
          batch.isPlain()
              ? new TakesCall(batch, keys)
              : new ClaimsCall(batch, keys, call.localMicros()));
      replies.add(send(sent.get(sent.size() - 1), call.nowMicros()));
    }
    connection.flushCommands();
    for (int i = 0; i < calls.size(); i++) {
      Timeline.Call call = calls.get(i);
      try {
        byte[] reply = replies.get(i).get(10, TimeUnit.SECONDS);
        plain += sent.get(i).script() == Script.TAKES ? 1 : 0;
        if (reply != null) {
          sent.get(i).complete(reply);
        } else if (sent.get(i).script() == Script.TAKES) {
          fallbacks++;
          retry(new ClaimsCall(sent.get(i).batch(), keys, call.localMicros()), call.nowMicros());
        }
      } catch (ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        long redisMicros = RedisFailures.staleMicros(cause);
        if (redisMicros != call.nowMicros()) {
          throw e;
        }
        stale++;
        retry(new ClaimsCall(sent.get(i).batch(), keys, redisMicros), call.nowMicros());
      }
    }
  }

  private void retry(Call call, long nowMicros) throws Exception {
    RedisFuture<byte[]> answer = send(call, nowMicros);
    connection.flushCommands();
    call.complete(answer.get(10, TimeUnit.SECONDS));
  }

  private RedisFuture<byte[]> send(Call call, long nowMicros) {
    return connection
        .async()
        .evalsha(
            call.script().sha(),
            ScriptOutputType.VALUE,
            call.batch().keyNames(keys),
            call.arguments(nowMicros, EXTRA_TTL_MILLIS));
  }

  /** The number of calls of {@code takes.lua}. */
  long plain() {
    return plain;
  }

  /** The number of those that had to be repeated with {@code claims.lua}. */
  long fallbacks() {
    return fallbacks;
  }

  /** The number of calls repeated because the calendar windows did not include the time. */
  long stale() {
    return stale;
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
