package dev.weir.client.header;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Reads what response headers say about limits. Thread-safe.
 *
 * <p>It reads {@code Retry-After} in seconds or as a date, {@code RateLimit} with {@code
 * RateLimit-Policy} of the IETF draft in its versions 08 to 11, and else {@code X-RateLimit-Limit},
 * {@code -Remaining} and {@code -Reset}, whose reset may be in seconds from now or in Unix time.
 * Dates count from the {@code Date} of the response, so that clocks need not agree. What is
 * malformed is ignored, and no time is longer than {@link #MAX_NANOS}.
 */
public final class LimitHeaders {
  /** The longest time that is read, a day: no wait for a response is as long. */
  public static final long MAX_NANOS = 86_400_000_000_000L;

  private static final long NANOS = 1_000_000_000L;

  /** Resets above this are in Unix seconds, and those above a thousand times this in ms. */
  private static final long MIN_UNIX_SECONDS = 1_000_000_000L;

  private static final String[] CLASSIC = {"X-RateLimit-", "RateLimit-"};

  private final InstantSource clock;

  /** Reads headers; the clock is used for dates in responses that have no date themselves. */
  public LimitHeaders(InstantSource clock) {
    this.clock = clock;
  }

  /** What headers say, which are looked up by their names. */
  public Advertised read(Function<String, List<String>> headers) {
    OptionalLong retryAfter = retryAfter(headers);
    List<Quota> quotas = isFromCache(headers) ? List.of() : quotas(headers);
    return retryAfter.isEmpty() && quotas.isEmpty()
        ? Advertised.NOTHING
        : new Advertised(retryAfter, quotas);
  }

  private OptionalLong retryAfter(Function<String, List<String>> headers) {
    String text = first(headers, "Retry-After");
    OptionalLong seconds = number(text);
    if (seconds.isPresent()) {
      return OptionalLong.of(nanos(seconds.getAsLong()));
    }
    return date(text)
        .map(date -> OptionalLong.of(nanos(date.getEpochSecond() - now(headers).getEpochSecond())))
        .orElse(OptionalLong.empty());
  }

  private List<Quota> quotas(Function<String, List<String>> headers) {
    List<StructuredList.Item> items = StructuredList.parse(joined(headers, "RateLimit"));
    if (items.isEmpty()) {
      return classic(headers);
    }
    Map<String, StructuredList.Item> policies = new HashMap<>();
    for (StructuredList.Item policy : StructuredList.parse(joined(headers, "RateLimit-Policy"))) {
      policies.put(policy.name(), policy);
    }
    List<Quota> quotas = new ArrayList<>();
    for (StructuredList.Item item : items) {
      StructuredList.Item policy = policies.getOrDefault(item.name(), item);
      OptionalLong remaining = item.number("r");
      // Without a time until there is more, a limit says nothing about when to send.
      OptionalLong reset = item.number("t");
      if (isOfRequests(policy) && remaining.orElse(-1) >= 0 && reset.orElse(-1) >= 0) {
        quotas.add(
            new Quota(
                remaining.getAsLong(),
                nanos(reset.getAsLong()),
                positive(policy.number("q")),
                nanos(positive(policy.number("w")))));
      }
    }
    return quotas;
  }

  private static boolean isOfRequests(StructuredList.Item policy) {
    return policy.text("qu").orElse("requests").startsWith("request");
  }

  /** One limit in a header for each number, with or without the X. */
  private List<Quota> classic(Function<String, List<String>> headers) {
    for (String prefix : CLASSIC) {
      OptionalLong remaining = number(first(headers, prefix + "Remaining"));
      OptionalLong reset = number(first(headers, prefix + "Reset"));
      if (remaining.isPresent() && reset.isPresent()) {
        // Some servers list all their limits after the first number.
        String limit = first(headers, prefix + "Limit").split("[,;]", 2)[0];
        long resetNanos = nanos(secondsUntil(reset.getAsLong(), headers));
        OptionalLong permits = positive(number(limit));
        return List.of(new Quota(remaining.getAsLong(), resetNanos, permits, OptionalLong.empty()));
      }
    }
    return List.of();
  }

  private long secondsUntil(long reset, Function<String, List<String>> headers) {
    if (reset < MIN_UNIX_SECONDS) {
      return reset;
    }
    long seconds = reset / 1_000 < MIN_UNIX_SECONDS ? reset : reset / 1_000;
    return seconds - now(headers).getEpochSecond();
  }

  private Instant now(Function<String, List<String>> headers) {
    return date(first(headers, "Date")).orElseGet(clock::instant);
  }

  private static boolean isFromCache(Function<String, List<String>> headers) {
    return number(first(headers, "Age")).orElse(0) > 0;
  }

  private static String first(Function<String, List<String>> headers, String name) {
    List<String> values = headers.apply(name);
    return values.isEmpty() ? "" : values.get(0).strip();
  }

  private static String joined(Function<String, List<String>> headers, String name) {
    return String.join(", ", headers.apply(name));
  }

  /** A number without a sign; one with too many digits is the largest. */
  private static OptionalLong number(String text) {
    String digits = text.strip();
    if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits));
  }

  private static Optional<Instant> date(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static OptionalLong positive(OptionalLong number) {
    return number.orElse(0) > 0 ? number : OptionalLong.empty();
  }

  private static OptionalLong nanos(OptionalLong seconds) {
    return seconds.isPresent() ? OptionalLong.of(nanos(seconds.getAsLong())) : seconds;
  }

  private static long nanos(long seconds) {
    return Math.max(0, Math.min(seconds, MAX_NANOS / NANOS)) * NANOS;
  }
}
