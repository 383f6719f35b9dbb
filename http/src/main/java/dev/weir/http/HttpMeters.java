package dev.weir.http;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** How often something about a request was not as it should be. */
public final class HttpMeters {
  /** What is counted. */
  public enum Event {
    /** The peer's address could not be read. */
    PEER_UNUSABLE,
    /** A proxy's forwarded header could not be used; the peer counted as the client. */
    FORWARDED_UNUSABLE,
    /** A header came with different values, and no use was made of it. */
    HEADER_DUPLICATE,
    /** A header was named in {@code Connection}, and no use was made of it. */
    HEADER_HOP_BY_HOP,
    /** A header or cookie was too long, and no use was made of it. */
    HEADER_OVERSIZED,
    /** A cookie came with different values, and no use was made of it. */
    COOKIE_DUPLICATE,
    /** A method was none that requests have; every rule on methods applied. */
    METHOD_UNUSABLE,
    /** A host was none that hosts are called, or there were two; every rule on hosts applied. */
    HOST_UNUSABLE,
    /** A path could be read in several ways; rules for any of them applied. */
    PATH_AMBIGUOUS,
    /** A path could be read in too many ways, or was too long; every rule on paths applied. */
    PATH_UNUSABLE,
    /** A token was wanted and there was none. */
    JWT_MISSING,
    /** A token came twice, or not where or as it should; every rule on claims applied. */
    JWT_UNUSABLE,
    /** A token was too long to be looked at; every rule on claims applied. */
    JWT_OVERSIZED,
    /**
     * A token that is none. If it has as many dots as one, it may be one to somebody: every rule on
     * claims applied.
     */
    JWT_MALFORMED,
    /** A token without signature, {@code alg: none} among them. */
    JWT_UNSIGNED,
    JWT_ENCRYPTED,
    /** A token signed in a way that is not allowed. */
    JWT_WRONG_ALGORITHM,
    /** No key fits the token; the keys are asked for again. */
    JWT_UNKNOWN_KEY,
    JWT_BAD_SIGNATURE,
    JWT_EXPIRED,
    /** A token that does not say when it ends, where it must. */
    JWT_NO_EXPIRY,
    JWT_NOT_YET_VALID,
    JWT_WRONG_ISSUER,
    JWT_WRONG_AUDIENCE,
    /** There were no keys yet to verify a token with. */
    JWT_NO_KEYS,
    /** Too many tokens from the same address were forged: this one was not verified. */
    JWT_OVER_BUDGET,
    /** Too many tokens waited to be verified: this one was not. */
    JWT_QUEUE_FULL,
    JWT_CACHE_HIT,
    /** A token was verified, because a rule needed it and nothing was known of it. */
    JWT_CACHE_MISS,
    /** Keys were read or fetched anew. */
    JWKS_LOADED,
    /** Keys could not be read or fetched; the ones before stay in use. */
    JWKS_FAILED;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** The name as it is published: {@code jwt-expired}. */
    public String label() {
      return label;
    }
  }

  private final Map<Event, LongAdder> counts = new EnumMap<>(Event.class);

  public HttpMeters() {
    for (Event event : Event.values()) {
      counts.put(event, new LongAdder());
    }
  }

  void count(Event event) {
    adder(event).increment();
  }

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
