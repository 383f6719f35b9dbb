package dev.weir.server.rls;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.key.KeySpace;
import dev.weir.rules.domain.DescriptorCaller;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.domain.Entry;
import dev.weir.rules.domain.Unit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes claims on the counters of descriptors. Safe for use by any number of threads.
 *
 * <p><b>Tallies.</b> Where every request is charged, whatever becomes of it, a counter must go on
 * counting above its limit. So it is kept under a limit that is never reached, and the configured
 * limit is compared with its count. Such a counter does not depend on the configured limit, and
 * survives a change of it.
 *
 * <p><b>Keys.</b> The owner is the domain with the first entry, so that the counters of one request
 * are mostly on one shard. All entries are prefixed with their lengths, and the window is part of
 * the name: different descriptors or windows never share a counter.
 */
final class RlsCounters {
  /** The limit of tallies, which is never reached. */
  static final long UNREACHABLE = Limit.MAX_CAPACITY_UNITS;

  /** How many tallies are cached, for the active rules and former ones. */
  private static final int MAX_TALLIES = 10_000;

  private final KeySpace keys;
  private final Map<Unit, Tally> units = new EnumMap<>(Unit.class);

  /** The tallies of configured rules; limit overrides of clients use those of units. */
  private final Map<Windows, Tally> tallies = new ConcurrentHashMap<>();

  /** The windows of one rule, by their length or their calendar. */
  private record Windows(Object length, long rule) {}

  private record Tally(Limit limit, String text, KeySpace.Name name) {}

  RlsCounters(KeySpace keys) {
    this.keys = keys;
    for (Unit unit : Unit.values()) {
      units.put(unit, tally(Limit.fixedWindow(UNREACHABLE, unit.duration())));
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
              .map(calendar -> Limit.fixedWindow(UNREACHABLE, calendar))
              .orElseGet(() -> Limit.fixedWindow(UNREACHABLE, windows.window()));
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
   * A claim on a limit that denies. A window uses the counter of its tally, so that the count
   * survives a change of the accounting, and a limit override of the client counts together with
   * the configured limit.
   *
   * @param number the position of the limit among those of its rule
   */
  Claim strict(
      String domain, DomainRule rule, int number, Limit limit, List<Entry> counted, long hits) {
    if (limit.algorithm() == Algorithm.FIXED_WINDOW) {
      return tally(domain, counted, limit, hits).withLimit(limit);
    }
    String text =
        limit.algorithm() + " " + limit.window() + " " + number + " " + sized(rule.path());
    LimitKey key = owner(domain, counted).key(keys.name(name(text, counted)));
    return new Claim(limit, key, hits, 0);
  }

  /** A claim on a limit override of the client that denies. */
  Claim strict(String domain, List<Entry> counted, long permits, Unit unit, long hits) {
    Claim tally = tally(domain, counted, unit, hits);
    // Overrides share the memory of one rule, whatever numbers clients send.
    return tally.withLimit(Limit.fixedWindow(permits, unit.duration()).inGroupOf(tally.limit()));
  }

  /** The hash of the caller: of the domain with the first entry. */
  long caller(String domain, List<Entry> counted) {
    return owner(domain, counted).hash();
  }

  private KeySpace.Owner owner(String domain, List<Entry> counted) {
    return DescriptorCaller.of(keys, domain, counted);
  }

  /** The name of a counter of the owner: everything that is not part of the owner. */
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
