package dev.weir.benchmarks.redis;

import static java.util.Objects.requireNonNull;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/** Calls a script once per decision, over one connection. */
final class Evalsha implements Contestant {
  private static final byte[][] LIMIT = {
    bytes(WINDOW.toNanos() / 1_000 / PERMITS),
    bytes(WINDOW.toNanos() / 1_000),
    bytes(EXTRA_TTL.toMillis())
  };

  private final RedisClient client;
  private final RedisAsyncCommands<byte[], byte[]> commands;
  private final String sha;
  private final byte[][][] keys =
      IntStream.range(0, CALLERS)
          .mapToObj(caller -> new byte[][] {bytes("gcra:{" + caller + "}")})
          .toArray(byte[][][]::new);

  Evalsha(String url) {
    client = RedisClient.create(url);
    StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
    commands = connection.async();
    sha = connection.sync().scriptLoad(script());
  }

  private static byte[] script() {
    try (InputStream in = Evalsha.class.getResourceAsStream("gcra.lua")) {
      return requireNonNull(in, "gcra.lua").readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(Object value) {
    return value.toString().getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public boolean allow(int caller) {
    RedisFuture<Long> left = commands.evalsha(sha, ScriptOutputType.INTEGER, keys[caller], LIMIT);
    return left.toCompletableFuture().join() >= 0;
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
