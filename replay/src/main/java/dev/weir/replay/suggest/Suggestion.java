package dev.weir.replay.suggest;

import dev.weir.http.address.Ip;
import dev.weir.http.identity.HttpSettings;
import dev.weir.replay.log.LogEntry;
import dev.weir.replay.log.LogSource;
import dev.weir.replay.measure.Hashes;
import dev.weir.replay.measure.Route;
import dev.weir.sketch.FrequencySummary;
import dev.weir.sketch.SpaceSaving;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Suggests rules from a log: a limit for each client address, for each API key and each user if the
 * log has them, and for each address on the busiest routes. Each limit is the lowest round number
 * that would have denied no more than a share of the requests, counted in fixed windows.
 *
 * <p>A route is measured from its first request on, unless {@value #MAX_MEASURED} others came
 * before it; then from its {@value #MIN_REQUESTS}th on, in place of one that is less busy. An
 * object reads one log, on one thread.
 */
public final class Suggestion {
  private static final int MAX_ROUTES = 1_000;
  private static final int MAX_MEASURED = 256;
  private static final int MAX_SUGGESTED = 5;
  private static final long MIN_REQUESTS = 100;
  private static final String API_KEY = "x-api-key";

  /** Paths that a rule can name as they are. */
  private static final Pattern PLAIN_ROUTE =
      Pattern.compile("[A-Z]{3,10} (/[A-Za-z0-9._~-]*|/\\*)+");

  private final long maxCallers;
  private final int perMille;
  private final CallerRates addresses;
  private final CallerRates keys;
  private final CallerRates users;
  private final SpaceSaving routes = SpaceSaving.of(MAX_ROUTES);
  private final Map<Long, Long> counted = new HashMap<>();
  private final Map<Long, CallerRates> measured = new HashMap<>();
  private long requests;
  private long firstMicros = Long.MAX_VALUE;
  private long lastMicros = Long.MIN_VALUE;

  /**
   * A suggestion of limits that deny at most a share of the requests.
   *
   * @param perMille the share, in thousandths
   * @param maxCallers how many callers are distinguished in a window
   */
  public Suggestion(int perMille, long maxCallers) {
    this.perMille = perMille;
    this.maxCallers = maxCallers;
    this.addresses = new CallerRates(maxCallers);
    this.keys = new CallerRates(maxCallers);
    this.users = new CallerRates(maxCallers);
  }

  /** Learns how far the log is read. */
  public interface Progress {
    /** Called every few thousand lines. */
    void onLines(LogSource log);
  }

  /**
   * Reads all of a log. To be called once.
   *
   * @throws IOException if it cannot be read further
   */
  public void read(LogSource log, Progress progress) throws IOException {
    for (LogEntry entry = log.next(); entry != null; entry = log.next()) {
      add(entry);
      if (requests % (1 << 13) == 0) {
        progress.onLines(log);
      }
    }
  }

  private void add(LogEntry entry) {
    long micros = entry.arrivalMicros();
    requests++;
    firstMicros = Math.min(firstMicros, micros);
    lastMicros = Math.max(lastMicros, micros);
    String address = address(entry.peer());
    long hash = 0;
    if (address != null) {
      hash = Hashes.end(Hashes.with(Hashes.SEED, address));
      addresses.add(hash, micros);
    }
    List<String> key = entry.headers(API_KEY);
    if (key.size() == 1) {
      keys.add(Hashes.end(Hashes.with(Hashes.SEED, key.get(0))), micros);
    }
    String user = entry.principal();
    if (user != null && !user.isBlank()) {
      users.add(Hashes.end(Hashes.with(Hashes.SEED, user)), micros);
    }
    long route = Route.hash(entry.method(), entry.target());
    if (routes.add(route)) {
      routes.note(route, Route.name(entry.method(), entry.target()));
    }
    if (address != null) {
      measure(route, hash, micros);
    }
  }

  private static @Nullable String address(@Nullable String peer) {
    Ip address = peer == null ? null : Ip.parse(peer);
    return address == null
        ? null
        : address.prefix(HttpSettings.DEFAULT.ipv4Prefix(), HttpSettings.DEFAULT.ipv6Prefix());
  }

  /** Measures a route at once while there is room, else once it is busier than another one. */
  private void measure(long route, long caller, long micros) {
    CallerRates known = measured.get(route);
    if (known == null && (measured.size() < MAX_MEASURED || isBusier(route))) {
      known = new CallerRates(maxCallers);
      measured.put(route, known);
    }
    if (known != null) {
      known.add(caller, micros);
    }
  }

  /** Whether a route deserves the place of the least busy one, which it then gets. */
  private boolean isBusier(long route) {
    if (counted.size() >= MAX_ROUTES && !counted.containsKey(route)) {
      return false;
    }
    long count = counted.merge(route, 1L, Long::sum);
    if (count < MIN_REQUESTS) {
      return false;
    }
    counted.remove(route);
    Map.Entry<Long, CallerRates> least =
        Collections.min(
            measured.entrySet(), Comparator.comparingLong(entry -> entry.getValue().requests()));
    return least.getValue().requests() < count && measured.remove(least.getKey()) != null;
  }

  /** How many requests were read. */
  public long requests() {
    return requests;
  }

  /** The rules file. To be called once, after {@link #read}. */
  public List<String> rules(boolean enforced) {
    RulesFile file = new RulesFile(enforced, perMille);
    file.begin(requests, firstMicros, lastMicros);
    if (keys.requests() > 0) {
      file.identity("api-key", "header X-API-Key");
    }
    file.beginRules();
    if (addresses.requests() > 0) {
      file.rule("each-address", "ip", null, addresses);
    }
    if (keys.requests() > 0) {
      file.rule("each-key", "api-key", null, keys);
    }
    if (users.requests() > 0) {
      file.rule("each-user", "principal", null, users);
    }
    int number = 0;
    for (FrequencySummary.Entry route : busiest()) {
      CallerRates rates = measured.get(route.key());
      String name = String.valueOf(route.note());
      if (rates != null && PLAIN_ROUTE.matcher(name).matches() && number < MAX_SUGGESTED) {
        number++;
        file.rule("route-" + number, "ip", name, rates);
      }
    }
    return file.end();
  }

  private List<FrequencySummary.Entry> busiest() {
    return new ArrayList<>(routes.summary().top(MAX_ROUTES));
  }
}
