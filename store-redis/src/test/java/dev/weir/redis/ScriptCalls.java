package dev.weir.redis;

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

/** The script, called directly: many calls in one round trip, each at a time of its own. */
final class ScriptCalls implements AutoCloseable {
  private static final long KEPT_MILLIS = Duration.ofHours(6).toMillis();

  private final Keys keys = new Keys("w:");
  private final RedisClient client;
  private final StatefulRedisConnection<byte[], byte[]> connection;
  private long stale;
  private long plain;
  private long turnedAway;

  ScriptCalls(RedisServer redis) {
    client = RedisClient.create(redis.url());
    connection = client.connect(ByteArrayCodec.INSTANCE);
    Script.load(connection.async());
    connection.setAutoFlushCommands(false);
  }

  /** Makes all calls, and gives each request its decision. */
  void make(List<Timeline.Call> calls) throws Exception {
    List<Call> asked = new ArrayList<>();
    List<RedisFuture<byte[]>> answers = new ArrayList<>();
    for (Timeline.Call call : calls) {
      Batch batch = new Batch(call.requests());
      asked.add(
          batch.isPlain()
              ? new TakesCall(batch, keys)
              : new ClaimsCall(batch, keys, call.nearMicros()));
      answers.add(send(asked.get(asked.size() - 1), call.nowMicros()));
    }
    connection.flushCommands();
    for (int i = 0; i < calls.size(); i++) {
      Timeline.Call call = calls.get(i);
      try {
        byte[] answer = answers.get(i).get(10, TimeUnit.SECONDS);
        plain += asked.get(i).script() == Script.TAKES ? 1 : 0;
        if (answer != null) {
          asked.get(i).complete(answer);
        } else if (asked.get(i).script() == Script.TAKES) {
          turnedAway++;
          again(new ClaimsCall(asked.get(i).batch(), keys, call.nearMicros()), call.nowMicros());
        }
      } catch (ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        long told = Failures.staleMicros(cause);
        if (told != call.nowMicros()) {
          throw e;
        }
        stale++;
        again(new ClaimsCall(asked.get(i).batch(), keys, told), call.nowMicros());
      }
    }
  }

  private void again(Call call, long nowMicros) throws Exception {
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
            call.batch().names(keys),
            call.arguments(nowMicros, KEPT_MILLIS));
  }

  /** How many calls were of the script that only takes. */
  long plain() {
    return plain;
  }

  /** How many of these had to be made again, by the script that knows everything. */
  long turnedAway() {
    return turnedAway;
  }

  /** How many calls had to be made again because the calendar told did not reach the time. */
  long stale() {
    return stale;
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
