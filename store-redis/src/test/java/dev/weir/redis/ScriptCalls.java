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

  ScriptCalls(RedisServer redis) {
    client = RedisClient.create(redis.url());
    connection = client.connect(ByteArrayCodec.INSTANCE);
    connection.sync().scriptLoad(Script.CLAIMS.text());
    connection.setAutoFlushCommands(false);
  }

  /** Makes all calls, and gives each request its decision. */
  void make(List<Timeline.Call> calls) throws Exception {
    List<Batch> batches = new ArrayList<>();
    List<RedisFuture<byte[]>> answers = new ArrayList<>();
    for (Timeline.Call call : calls) {
      Batch batch = new Batch(call.requests(), keys, call.nearMicros());
      batches.add(batch);
      answers.add(call(batch, call.nowMicros()));
    }
    connection.flushCommands();
    for (int i = 0; i < calls.size(); i++) {
      Timeline.Call call = calls.get(i);
      try {
        batches.get(i).complete(answers.get(i).get(10, TimeUnit.SECONDS));
      } catch (ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        long told = Failures.staleMicros(cause);
        if (told != call.nowMicros()) {
          throw e;
        }
        stale++;
        Batch again = new Batch(call.requests(), keys, told);
        RedisFuture<byte[]> answer = call(again, call.nowMicros());
        connection.flushCommands();
        again.complete(answer.get(10, TimeUnit.SECONDS));
      }
    }
  }

  private RedisFuture<byte[]> call(Batch batch, long nowMicros) {
    byte[] arguments = batch.arguments(nowMicros, KEPT_MILLIS);
    return connection
        .async()
        .evalsha(Script.CLAIMS.sha(), ScriptOutputType.VALUE, batch.keys(), arguments);
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
