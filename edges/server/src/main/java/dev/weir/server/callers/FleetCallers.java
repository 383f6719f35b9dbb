package dev.weir.server.callers;

import dev.weir.shared.fleet.FleetTable;
import dev.weir.sketch.FrequencySummary;
import dev.weir.sketch.HeavyHitters;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The heaviest callers of the whole fleet: what this server counts, and what the others have
 * published.
 *
 * <p><b>How.</b> Every few seconds a server writes its own record into a table of the fleet, and
 * gets those of the others with the reply. While the store does not answer, the last records remain
 * until they expire, and then the view is that of this server.
 *
 * <p><b>Bounds.</b> A record has at most {@value #MAX_BYTES} bytes, less in a large fleet, in which
 * records are also exchanged less often.
 *
 * <p>Thread-safe.
 */
public final class FleetCallers implements CallerSource {
  /** The maximum size of a record. */
  static final int MAX_BYTES = 16 << 10;

  private static final Logger LOG = System.getLogger(FleetCallers.class.getName());
  private static final int MIN_BYTES = 2 << 10;
  private static final int FLEET_BYTES = 128 << 10;
  private static final int MIN_SECONDS = 2;

  /** In a larger fleet, records are exchanged less often. */
  private static final int SERVERS_PER_SECOND = 16;

  /** How many exchanges a server may miss until its record is gone. */
  private static final int MAX_MISSED = 3;

  private final String self;
  private final CallerStats own;
  private final FleetTable table;
  private final AtomicBoolean busy = new AtomicBoolean();
  private volatile Map<String, CallerRecord> others = Map.of();
  private final AtomicInteger missed = new AtomicInteger();
  private int seconds;

  /**
   * A view of this server only, before the first exchange.
   *
   * @param self names this server in the table
   */
  public FleetCallers(String self, CallerStats own, FleetTable table) {
    this.self = self;
    this.own = own;
    this.table = table;
  }

  /** Ends a second, and exchanges records if it is time; for a timer. */
  public void tick() {
    int servers = others.size() + 1;
    int period = Math.max(MIN_SECONDS, servers / SERVERS_PER_SECOND);
    if (++seconds >= period && busy.compareAndSet(false, true)) {
      seconds = 0;
      exchange(servers, Duration.ofSeconds((long) MAX_MISSED * period));
    }
  }

  private void exchange(int servers, Duration lasting) {
    int bytes = Math.max(MIN_BYTES, Math.min(MAX_BYTES, FLEET_BYTES / servers));
    var unused =
        put(CallerRecord.encode(own, bytes), lasting)
            .whenComplete(
                (page, failure) -> {
                  busy.set(false);
                  if (failure == null) {
                    missed.set(0);
                    page.entries().ifPresent(this::update);
                  } else if (missed.incrementAndGet() >= MAX_MISSED) {
                    others = Map.of();
                    LOG.log(Level.DEBUG, "Failed to exchange the heaviest callers", failure);
                  }
                });
  }

  private CompletionStage<FleetTable.Page> put(byte[] record, Duration lasting) {
    try {
      return table.put(self, record, lasting);
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e); // and the next exchange takes place all the same
    }
  }

  private void update(List<FleetTable.Entry> entries) {
    Map<String, CallerRecord> decoded = new HashMap<>();
    for (FleetTable.Entry entry : entries) {
      if (!entry.name().equals(self)) {
        try {
          decoded.put(entry.name(), CallerRecord.decode(entry.value()));
        } catch (RuntimeException e) {
          LOG.log(Level.DEBUG, "Not a record of callers: " + entry.name(), e); // of another version
        }
      }
    }
    others = Map.copyOf(decoded);
  }

  /** How many servers the view has, this one included. */
  public int servers() {
    return others.size() + 1;
  }

  @Override
  public Set<String> rules() {
    Set<String> rules = new TreeSet<>(own.rules());
    others.values().forEach(record -> rules.addAll(record.rules()));
    return rules;
  }

  @Override
  public FrequencySummary callers(String rule, Kind kind, Window window) {
    List<FrequencySummary> parts = new ArrayList<>();
    parts.add(own.callers(rule, kind, window));
    others.values().forEach(record -> parts.add(record.callers(rule, kind, window)));
    return FrequencySummary.merge(parts, HeavyHitters.MAX_COUNTERS);
  }
}
