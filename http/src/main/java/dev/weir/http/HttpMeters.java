package dev.weir.http;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts what was wrong with requests and their tokens. Thread-safe. */
public final class HttpMeters {
  /** An event that is counted. */
  public enum Event {
    /** The peer's address could not be parsed. */
    PEER_UNUSABLE,
    /** A proxy's forwarded header was unusable; the peer counted as the client. */
    FORWARDED_UNUSABLE,
    /** A header was repeated with different values and became unusable. */
    HEADER_DUPLICATE,
    /** A header was named in {@code Connection} and became unusable. */
    HEADER_HOP_BY_HOP,
    /** A header or cookie was too long and became unusable. */
    HEADER_OVERSIZED,
    /** A cookie was repeated with different values and became unusable. */
    COOKIE_DUPLICATE,
    /** A method was malformed; every rule on methods applied. */
    METHOD_UNUSABLE,
    /** A host was malformed, or there were two; every rule on hosts applied. */
    HOST_UNUSABLE,
    /** A path had several readings; the rules for any of them applied. */
    PATH_AMBIGUOUS,
    /** A path had too many readings, or was too long; every rule on paths applied. */
    PATH_UNUSABLE,
    /** A rule needed a token, and the request had none. */
    JWT_MISSING,
    /** A token was repeated or misplaced; every rule on claims applied. */
    JWT_UNUSABLE,
    /** A token was too long to be parsed; every rule on claims applied. */
    JWT_OVERSIZED,
    /**
     * A token was malformed. With as many dots as a token has, some application may still accept
     * it: then every rule on claims applied.
     */
    JWT_MALFORMED,
    /** A token had no signature, for example {@code alg: none}. */
    JWT_UNSIGNED,
    /** A token was encrypted. */
    JWT_ENCRYPTED,
    /** A token was signed with an algorithm that is not allowed. */
    JWT_WRONG_ALGORITHM,
    /** No key fits the token; the key source refreshes its keys. */
    JWT_UNKNOWN_KEY,
    /** A token's signature did not verify. */
    JWT_BAD_SIGNATURE,
    /** A token was past its {@code exp}. */
    JWT_EXPIRED,
    /** A token had no {@code exp} where one is required. */
    JWT_NO_EXPIRY,
    /** A token was before its {@code nbf}. */
    JWT_NOT_YET_VALID,
    /** A token had another {@code iss} than the configured one. */
    JWT_WRONG_ISSUER,
    /** A token did not name the configured audience in its {@code aud}. */
    JWT_WRONG_AUDIENCE,
    /** No keys were loaded yet to verify a token with. */
    JWT_NO_KEYS,
    /** A token was not verified: its client address had exhausted its failure budget. */
    JWT_OVER_BUDGET,
    /** A token was not verified: too many tokens were queued for verification. */
    JWT_QUEUE_FULL,
    /** The result for a token was in the cache. */
    JWT_CACHE_HIT,
    /** A token was verified: a rule needed it, and its result was not in the cache. */
    JWT_CACHE_MISS,
    /** Keys were read or fetched. */
    JWKS_LOADED,
    /** Keys could not be read or fetched; the previous ones stay in use. */
    JWKS_FAILED;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** The published name: {@code jwt-expired}. */
    public String label() {
      return label;
    }
  }

  private final Map<Event, LongAdder> counts = new EnumMap<>(Event.class);

  /** Meters with all counts at zero. */
  public HttpMeters() {
    for (Event event : Event.values()) {
      counts.put(event, new LongAdder());
    }
  }

  /** Adds one to the count of an event. */
  public void count(Event event) {
    adder(event).increment();
  }

  /** The count of an event. */
  public long of(Event event) {
    return adder(event).sum();
  }

  /** All counts by label, zeros included, in a fixed order. */
  public Map<String, Long> counts() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (Event event : Event.values()) {
      all.put(event.label(), of(event));
    }
    return Collections.unmodifiableMap(all);
  }

  private LongAdder adder(Event event) {
    return Objects.requireNonNull(counts.get(event), event::label);
  }
}
