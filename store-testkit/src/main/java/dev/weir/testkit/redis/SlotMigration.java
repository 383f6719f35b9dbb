package dev.weir.testkit.redis;

import java.util.List;
import java.util.stream.Stream;

/**
 * A slot on its way from one master to another, one step at a time, so that a test can look, and
 * load can run, in between.
 *
 * <p>As soon as it exists, keys that the old master still has are answered there, and others with
 * ASK. {@link #moveKeys} moves some, {@link #finish} the rest and the slot itself.
 */
public final class SlotMigration {
  private static final int CHUNK = 100;

  private final String slot;
  private final RedisServer from;
  private final RedisServer to;
  private final List<RedisServer> masters;

  SlotMigration(int slot, RedisServer from, RedisServer to, List<RedisServer> masters) {
    this.slot = Integer.toString(slot);
    this.from = from;
    this.to = to;
    this.masters = masters;
    // The new owner first: an ASK must find somebody who expects it.
    to.command("CLUSTER", "SETSLOT", this.slot, "IMPORTING", RedisCluster.id(from));
    from.command("CLUSTER", "SETSLOT", this.slot, "MIGRATING", RedisCluster.id(to));
  }

  public RedisServer from() {
    return from;
  }

  public RedisServer to() {
    return to;
  }

  /** Moves up to that many keys, and returns how many it found. */
  public int moveKeys(int most) {
    List<?> keys = from.list("CLUSTER", "GETKEYSINSLOT", slot, Integer.toString(most));
    String[] found = keys.toArray(String[]::new);
    if (found.length > 0) {
      String port = Integer.toString(to.port());
      Stream<String> start = Stream.of("MIGRATE", "127.0.0.1", port, "", "0", "1000", "KEYS");
      from.command(Stream.concat(start, Stream.of(found)).toArray(String[]::new));
    }
    return found.length;
  }

  /** Moves the keys that are left, then the slot, and tells every master. */
  public void finish() {
    while (moveKeys(CHUNK) > 0) {
      // Until none is left; with the slot on its way no new ones come.
    }
    String owner = RedisCluster.id(to);
    to.command("CLUSTER", "SETSLOT", slot, "NODE", owner);
    from.command("CLUSTER", "SETSLOT", slot, "NODE", owner);
    masters.stream()
        .filter(master -> master != to && master != from)
        .forEach(master -> master.command("CLUSTER", "SETSLOT", slot, "NODE", owner));
  }
}
