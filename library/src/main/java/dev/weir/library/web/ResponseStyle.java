package dev.weir.library.web;

import dev.weir.http.response.RateLimitHeaders;
import dev.weir.http.response.RateLimitHeaders.Family;
import dev.weir.internal.Rejections;
import dev.weir.time.Ticker;
import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How decisions are shown to clients: which headers, which status and which body. Immutable and
 * safe for use by any number of threads.
 */
public final class ResponseStyle {
  /** All headers, the status of the rule and a problem document. */
  public static final ResponseStyle DEFAULT =
      new ResponseStyle(
          EnumSet.allOf(Family.class), Body.PROBLEM, OptionalInt.empty(), Ticker.system());

  private static final int MIN_STATUS = 400;
  private static final int MAX_STATUS = 599;

  /** The body of a denial. */
  public enum Body {
    /** A problem document (RFC 9457). */
    PROBLEM("application/problem+json"),
    /** A short JSON object. */
    PLAIN("application/json"),
    /** No body. */
    NONE("");

    private final String mediaType;

    Body(String mediaType) {
      this.mediaType = mediaType;
    }

    /** The media type; empty if there is no body. */
    public String mediaType() {
      return mediaType;
    }
  }

  private final RateLimitHeaders headers;
  private final Body body;
  private final OptionalInt status;
  private final Ticker clock;

  private ResponseStyle(Set<Family> families, Body body, OptionalInt status, Ticker clock) {
    this(new RateLimitHeaders(families), body, status, clock);
  }

  private ResponseStyle(RateLimitHeaders headers, Body body, OptionalInt status, Ticker clock) {
    this.headers = headers;
    this.body = body;
    this.status = status;
    this.clock = clock;
  }

  /**
   * The same with the headers of these families only.
   *
   * @throws IllegalArgumentException if it is null or contains null
   */
  public ResponseStyle headers(Set<Family> families) {
    for (Family family : present("headers", families)) {
      present("headers", family);
    }
    return new ResponseStyle(families, body, status, clock);
  }

  /** The same with another body. */
  public ResponseStyle body(Body other) {
    return new ResponseStyle(headers, present("body", other), status, clock);
  }

  /**
   * The same with this status for requests over a limit, instead of 429. Blocked callers and
   * requests that no store could decide keep theirs.
   *
   * @throws IllegalArgumentException if it is not an error status
   */
  public ResponseStyle status(int denied) {
    Rejections.between("status", denied, MIN_STATUS, MAX_STATUS);
    return new ResponseStyle(headers, body, OptionalInt.of(denied), clock);
  }

  /** The same by another clock, which header values are computed from. */
  public ResponseStyle clock(Ticker other) {
    return new ResponseStyle(headers, body, status, present("clock", other));
  }

  private static <T> T present(String field, @Nullable T value) {
    if (value == null) {
      throw Rejections.of(field, "null", "a value");
    }
    return value;
  }

  RateLimitHeaders headers() {
    return headers;
  }

  Body body() {
    return body;
  }

  OptionalInt status() {
    return status;
  }

  long nowMicros() {
    return clock.micros();
  }
}
