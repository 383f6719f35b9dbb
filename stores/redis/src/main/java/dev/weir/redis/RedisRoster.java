package dev.weir.redis;

import static dev.weir.redis.FleetCalls.bytes;
import static dev.weir.redis.FleetCalls.text;

import dev.weir.redis.script.Script;
import dev.weir.shared.fleet.Roster;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * The roster of the servers that share the counters of a Redis.
 *
 * <p>It consists of two keys in one slot: the servers, and a text that is lost when Redis loses its
 * data. Thread-safe.
 */
final class RedisRoster implements Roster {
  static final int MAX_SERVERS = 10_000;

  private static final int MAX_NAME_LENGTH = 200;
  private static final Duration MAX_LASTING = Duration.ofHours(1);

  private final FleetCalls calls;
  private final byte[] serversKey;
  private final byte[] memoryKey;

  RedisRoster(FleetCalls calls) {
    this.calls = calls;
    this.serversKey = calls.key("servers");
    this.memoryKey = calls.key("memory");
  }

  @Override
  public CompletionStage<Roll> announce(String server, Duration lasting) {
    byte[][] keys = {serversKey, memoryKey};
    byte[][] arguments = {
      nameBytes(server),
      bytes(lastingMillis(lasting)),
      bytes(MAX_SERVERS),
      bytes(UUID.randomUUID()), // a new one each time, because it may be lost twice
      bytes(FleetCalls.KEY_TTL.toMillis()),
      bytes(MAX_LASTING.toMillis())
    };
    return calls.run(Script.ROSTER, keys, arguments).thenApply(this::roll);
  }

  @Override
  public CompletionStage<Void> leave(String server) {
    byte[] name = nameBytes(server);
    return calls
        .execute(serversKey, commands -> commands.zrem(serversKey, name))
        .thenAccept(removed -> {});
  }

  private Roll roll(List<Object> reply) {
    List<?> names = (List<?>) reply.get(1);
    // That one node of a cluster has lost its data says nothing about the other nodes.
    String memory = calls.isSingleNode() ? text(reply.get(0)) : "";
    return new Roll(names.stream().map(FleetCalls::text).sorted().toList(), memory);
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
}
