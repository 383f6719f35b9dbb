package dev.weir.server.rls;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.domain.DomainRule;
import dev.weir.domain.Entry;
import dev.weir.domain.Unit;
import dev.weir.key.KeySpace;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes claims on the counters of descriptors.
 *
 * <p><b>Tallies.</b> Where every request is charged, whatever becomes of it, a counter must go on
 * counting above what is allowed. So it is kept under a limit that is never reached, from which it
 * can be read how much was counted; what is allowed is compared with that. Such a counter does not
 * depend on how much is allowed, and survives a change of it.
 *
 * <p><b>Keys.</b> The owner is the domain with the first entry, so that what one request charges is
 * mostly kept in one place. All entries have their lengths in front, and the window is part of the
 * name: nothing that differs shares a counter.
 */
final class RlsCounters {
  /** What is never reached. */
  static final long MOST = Limit.MAX_CAPACITY_UNITS;

  /** Tallies that are kept ready, for the rules that there are and those that have been. */
  private static final int MAX_TALLIES = 10_000;

  private final KeySpace keys;
  private final Map<Unit, Tally> units = new EnumMap<>(Unit.class);

  /** Of each rule that is configured; those that clients bring along are units. */
  private final Map<Windows, Tally> tallies = new ConcurrentHashMap<>();

  /** What one rule counts in, by its length or its calendar. */
  private record Windows(Object length, long rule) {}

  private record Tally(Limit limit, String text, KeySpace.Name name) {}

  RlsCounters(KeySpace keys) {
    this.keys = keys;
    for (Unit unit : Unit.values()) {
      units.put(unit, tally(Limit.fixedWindow(MOST, unit.duration())));
    }
  }

  private Tally tally(Limit limit) {
    String text =
        "each " + limit.calendar().map(Object::toString).orElse(limit.window().toString());
    return new Tally(limit, text, keys.name(text));
  }

  /** A claim that counts in the windows of a unit. */
  Claim tally(String domain, List<Entry> counted, Unit unit, long hits) {
    return claim(domain, counted, Objects.requireNonNull(units.get(unit)), hits);
  }

  /** A claim that counts in the windows of a limit. */
  Claim tally(String domain, List<Entry> counted, Limit windows, long hits) {
    Object length = windows.calendar().isPresent() ? windows.calendar().get() : windows.window();
    Windows known = new Windows(length, windows.group());
    Tally tally = tallies.get(known);
    if (tally == null) {
      Limit unlimited =
          windows
              .calendar()
              .map(calendar -> Limit.fixedWindow(MOST, calendar))
              .orElseGet(() -> Limit.fixedWindow(MOST, windows.window()));
      tally = tally(unlimited.inGroupOf(windows));
      if (tallies.size() >= MAX_TALLIES) {
        tallies.clear();
      }
      tallies.put(known, tally);
    }
    return claim(domain, counted, tally, hits);
  }

  private Claim claim(String domain, List<Entry> counted, Tally tally, long hits) {
    KeySpace.Name name = counted.size() <= 1 ? tally.name : keys.name(name(tally.text, counted));
    return new Claim(tally.limit, owner(domain, counted).key(name), hits, 0);
  }

  /**
   * A claim on a limit that denies. What is counted in a window is the same counter as that of the
   * tally, so that it outlives a change of the accounting, and a limit that a client brings along
   * counts together with the configured one.
   *
   * @param number of the limit among those of its rule
   */
  Claim strict(
      String domain, DomainRule rule, int number, Limit limit, List<Entry> counted, long hits) {
    if (limit.algorithm() == Algorithm.FIXED_WINDOW) {
      return tally(domain, counted, limit, hits).under(limit);
    }
    String text =
        limit.algorithm() + " " + limit.window() + " " + number + " " + sized(rule.path());
    LimitKey key = owner(domain, counted).key(keys.name(name(text, counted)));
    return new Claim(limit, key, hits, 0);
  }

  /** A claim on a limit that a client brings along, and that denies. */
  Claim strict(String domain, List<Entry> counted, long permits, Unit unit, long hits) {
    Claim tally = tally(domain, counted, unit, hits);
    // Whatever numbers clients bring along, they have the room of one rule.
    return tally.under(Limit.fixedWindow(permits, unit.duration()).inGroupOf(tally.limit()));
  }

  private KeySpace.Owner owner(String domain, List<Entry> counted) {
    if (counted.isEmpty()) {
      return keys.owner(domain);
    }
    Entry first = counted.get(0);
    return keys.owner(domain, first.key(), first.value());
  }

  /** The name of a counter of the owner: all that the owner does not say. */
  private static String name(String text, List<Entry> counted) {
    StringBuilder name = new StringBuilder(text);
    for (Entry entry : counted.subList(Math.min(1, counted.size()), counted.size())) {
      name.append(' ').append(sized(entry.key())).append(sized(entry.value()));
    }
    return name.toString();
  }

  private static String sized(String text) {
    return text.length() + ":" + text;
  }
}
