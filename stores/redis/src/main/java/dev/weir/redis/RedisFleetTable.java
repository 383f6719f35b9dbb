package dev.weir.redis;

import static dev.weir.redis.FleetCalls.bytes;
import static dev.weir.redis.FleetCalls.text;

import dev.weir.redis.script.Script;
import dev.weir.shared.fleet.FleetTable;
import dev.weir.shared.fleet.FleetTableFull;
import dev.weir.shared.fleet.FleetTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * A table of entries that expire in Redis: two keys in the slot of the fleet, and one script for
 * everything. Thread-safe.
 */
final class RedisFleetTable implements FleetTable {
  private final FleetCalls calls;
  private final byte[][] keys;

  /**
   * A table of this name.
   *
   * @throws IllegalArgumentException if the name is malformed
   */
  RedisFleetTable(String name, FleetCalls calls) {
    String key = "table:" + FleetTables.checkedName(name);
    this.calls = calls;
    this.keys = new byte[][] {calls.key(key), calls.key(key + ":expiries")};
  }

  @Override
  public CompletionStage<Page> put(List<Entry> entries) {
    Map<String, Entry> byName = new LinkedHashMap<>(); // the script counts each name once
    entries.forEach(entry -> byName.put(entry.name(), entry));
    List<byte[]> arguments = new ArrayList<>();
    for (Entry entry : byName.values()) {
      arguments.add(bytes(entry.name()));
      arguments.add(entry.value());
      arguments.add(bytes(entry.lasting().toMillis()));
    }
    return run("put", newVersion(), arguments);
  }

  @Override
  public CompletionStage<Page> remove(List<String> names) {
    return run("remove", newVersion(), names.stream().map(FleetCalls::bytes).toList());
  }

  @Override
  public CompletionStage<Page> read(String knownVersion) {
    return run("read", knownVersion, List.of());
  }

  /** A version that no other change has had, whatever Redis has lost since. */
  private static String newVersion() {
    return UUID.randomUUID().toString();
  }

  private CompletionStage<Page> run(String action, String version, List<byte[]> more) {
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(bytes(action));
    arguments.add(bytes(version));
    arguments.add(bytes(MAX_ENTRIES));
    arguments.add(bytes(MAX_TABLE_BYTES));
    arguments.add(bytes(MAX_LASTING.toMillis()));
    arguments.add(bytes(FleetCalls.KEY_TTL.toMillis()));
    arguments.addAll(more);
    return calls
        .run(Script.TABLE, keys, arguments.toArray(byte[][]::new))
        .thenApply(RedisFleetTable::page);
  }

  private static Page page(List<Object> reply) {
    if (!(reply.get(0) instanceof byte[])) {
      throw new CompletionException(new FleetTableFull((Long) reply.get(1), (Long) reply.get(2)));
    }
    String version = text(reply.get(0));
    return reply.size() == 1
        ? new Page(version, Optional.empty())
        : new Page(version, Optional.of(entries((List<?>) reply.get(1))));
  }

  private static List<Entry> entries(List<?> flat) {
    List<Entry> entries = new ArrayList<>(flat.size() / 3);
    for (int i = 0; i < flat.size(); i += 3) {
      Duration lasting = Duration.ofMillis((Long) flat.get(i + 2));
      entries.add(new Entry(text(flat.get(i)), (byte[]) flat.get(i + 1), lasting));
    }
    entries.sort(Comparator.comparing(Entry::name));
    return entries;
  }
}
