package dev.weir.server.access;

import dev.weir.http.address.Ip;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Bounds how often tokens can be guessed, by address and in all. Thread-safe.
 *
 * <p>Failures are counted by the minute. An address with too many of them is not listened to for
 * the rest of the minute; other addresses are. If many addresses guess, so that there are too many
 * failures in all, only addresses that have presented a token before are listened to. The bound in
 * all also bounds the tables.
 */
public final class FailedTokens {
  /** The wrong tokens of one IPv4 address, or IPv6 /64 network, in a minute. */
  public static final int MAX_PER_ADDRESS = 10;

  /** The wrong tokens of all addresses in a minute. */
  public static final int MAX_IN_ALL = 1_000;

  /** The addresses that are remembered because they presented a token. */
  static final int MAX_KNOWN = 1_024;

  /** The series of failures that are reported in a minute. */
  static final int MAX_REPORTED = 20;

  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final InstantSource clock;
  private final Map<String, Integer> failures = new HashMap<>();
  private final Set<String> failedBefore = new HashSet<>();
  private final Map<String, Boolean> known = new LinkedHashMap<>(16, 0.75f, true);
  private long startMillis;
  private int inAll;
  private int reported;
  private int unreported;

  /** No failures yet; the minutes are those of this clock. */
  public FailedTokens(InstantSource clock) {
    this.clock = clock;
    this.startMillis = clock.millis();
  }

  /** How long the tokens of an address are not looked at; empty if they are. */
  synchronized OptionalLong waitSeconds(String address) {
    long now = clock.millis();
    turnOver(now);
    String peer = peer(address);
    boolean blocked =
        failures.getOrDefault(peer, 0) >= MAX_PER_ADDRESS
            || (inAll >= MAX_IN_ALL && !known.containsKey(peer));
    long millis = startMillis + WINDOW.toMillis() - now;
    return blocked ? OptionalLong.of((millis + 999) / 1_000) : OptionalLong.empty();
  }

  /** An address presented a token. */
  synchronized void onSuccess(String address) {
    known.put(peer(address), true);
    if (known.size() > MAX_KNOWN) {
      known.remove(known.keySet().iterator().next());
    }
  }

  /**
   * An address presented something else.
   *
   * @return if a series of failures begins that is to be reported: the number of those before it
   *     that were not
   */
  synchronized OptionalInt onFailure(String address) {
    turnOver(clock.millis());
    String peer = peer(address);
    boolean begins = !failures.containsKey(peer) && !failedBefore.contains(peer);
    failures.merge(peer, 1, Integer::sum);
    inAll++;
    if (!begins) {
      return OptionalInt.empty();
    }
    if (reported >= MAX_REPORTED) {
      unreported++;
      return OptionalInt.empty();
    }
    reported++;
    int before = unreported;
    unreported = 0;
    return OptionalInt.of(before);
  }

  /** Begins a new minute, if it is time; a series goes on if there were failures in the last. */
  private void turnOver(long now) {
    long age = now - startMillis;
    if (age >= 0 && age < WINDOW.toMillis()) {
      return;
    }
    failedBefore.clear();
    if (age >= 0 && age < 2 * WINDOW.toMillis()) {
      failedBefore.addAll(failures.keySet());
    }
    failures.clear();
    startMillis = now;
    inAll = 0;
    reported = 0;
  }

  /** The addresses in the tables. */
  synchronized int size() {
    return failures.size() + failedBefore.size() + known.size();
  }

  private static String peer(String address) {
    Ip ip = Ip.parse(address);
    return ip == null ? address : ip.prefix(32, 64);
  }
}
