package dev.weir.testkit.redis;

import java.util.List;
import java.util.stream.Stream;

/**
 * The migration of a slot from one master to another, step by step, so that a test can observe it,
 * and run load, in between.
 *
 * <p>From its creation on, the old master serves the keys it still has, and answers ASK for others.
 * {@link #moveKeys} moves some keys, {@link #finish} the rest and the slot itself.
 *
 * <p>Not thread-safe.
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
    // The new owner first: it must be importing before a client follows an ASK.
    to.command("CLUSTER", "SETSLOT", this.slot, "IMPORTING", RedisCluster.id(from));
    from.command("CLUSTER", "SETSLOT", this.slot, "MIGRATING", RedisCluster.id(to));
  }

  /** The old master. */
  public RedisServer from() {
    return from;
  }

  /** The new master. */
  public RedisServer to() {
    return to;
  }

  /** Moves up to {@code max} keys, and returns how many it moved. */
  public int moveKeys(int max) {
    List<?> keys = from.list("CLUSTER", "GETKEYSINSLOT", slot, Integer.toString(max));
    String[] found = keys.toArray(String[]::new);
    if (found.length > 0) {
      String port = Integer.toString(to.port());
      Stream<String> start = Stream.of("MIGRATE", "127.0.0.1", port, "", "0", "1000", "KEYS");
      from.command(Stream.concat(start, Stream.of(found)).toArray(String[]::new));
    }
    return found.length;
  }

  /** Moves the remaining keys, then the slot, and informs every master. */
  public void finish() {
    while (moveKeys(CHUNK) > 0) {
      // Until no key is left; a migrating slot gets no new keys.
    }
    String owner = RedisCluster.id(to);
    to.command("CLUSTER", "SETSLOT", slot, "NODE", owner);
    from.command("CLUSTER", "SETSLOT", slot, "NODE", owner);
    masters.stream()
        .filter(master -> master != to && master != from)
        .forEach(master -> master.command("CLUSTER", "SETSLOT", slot, "NODE", owner));
  }
}
