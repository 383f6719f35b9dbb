package dev.weir.cli;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a server answered to {@code /v1/check}, read from its headers and body. Which headers there
 * are is up to the server's settings, so each may be missing.
 *
 * @param policies the limits that apply
 * @param standings how the tightest of them stands, or each that denied
 * @param violated the limits that denied
 * @param detail the reason in words
 */
record CheckAnswer(
    int status,
    @Nullable Long limit,
    @Nullable Long remaining,
    @Nullable Long resetUnixSeconds,
    @Nullable Long retryAfterSeconds,
    @Nullable Long delayMillis,
    List<Item> policies,
    List<Item> standings,
    List<String> violated,
    @Nullable String detail) {

  static final int ALLOWED = 200;
  private static final int DENIED = 429;
  private static final int FORBIDDEN = 403;

  private static final Pattern ITEM =
      Pattern.compile("\"([^\"\\\\]*)\"((?:;[a-z]+=(?:[0-9]+|\"[^\"\\\\]*\"))*)");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  /** One item of a list as the IETF draft has it: a name, and numbers by letter. */
  record Item(String name, String parameters) {
    @Nullable Long number(String letter) {
      Matcher found = Pattern.compile(";" + letter + "=([0-9]{1,18})(?:;|$)").matcher(parameters);
      return found.find() ? Long.valueOf(found.group(1)) : null;
    }

    /** {@code caller, 10 in 60 s}. */
    String policy() {
      Long quota = number("q");
      Long window = number("w");
      return name
          + (quota == null ? "" : ", " + quota)
          + (quota == null || window == null ? "" : " in " + window + " s");
    }
  }

  static CheckAnswer of(Asker.Reply reply) {
    Map<String, Object> body = Map.of();
    try {
      body = reply.body().isEmpty() ? Map.of() : JSONObjectUtils.parse(reply.body());
    } catch (ParseException e) {
      // Headers alone tell enough.
    }
    List<String> violated = new ArrayList<>();
    if (body.get("violated-policies") instanceof List<?> list) {
      list.forEach(one -> violated.add(String.valueOf(one)));
    }
    return new CheckAnswer(
        reply.status(),
        number(reply, "X-RateLimit-Limit"),
        number(reply, "X-RateLimit-Remaining"),
        number(reply, "X-RateLimit-Reset"),
        number(reply, "Retry-After"),
        number(reply, "Weir-Delay-Ms"),
        items(reply, "RateLimit-Policy"),
        items(reply, "RateLimit"),
        violated,
        body.get("detail") instanceof String text ? text : null);
  }

  boolean allowed() {
    return status == ALLOWED;
  }

  /** Others say 403 as well, but not which rule it is that forbids. */
  boolean denied() {
    return status == DENIED || (status == FORBIDDEN && !violated.isEmpty());
  }

  /** The policy of a name in words, or the name alone. */
  String described(String name) {
    return policies.stream()
        .filter(one -> one.name().equals(name))
        .map(Item::policy)
        .findFirst()
        .orElse(name);
  }

  private static @Nullable Long number(Asker.Reply reply, String header) {
    String value = reply.header(header);
    return value != null && NUMBER.matcher(value).matches() ? Long.valueOf(value) : null;
  }

  private static List<Item> items(Asker.Reply reply, String header) {
    String value = reply.header(header);
    return value == null
        ? List.of()
        : ITEM.matcher(value)
            .results()
            .map(found -> new Item(found.group(1), found.group(2)))
            .toList();
  }

  Map<String, @Nullable Object> json() {
    return Json.object(
        "allowed",
        allowed(),
        "status",
        status,
        "limit",
        limit,
        "remaining",
        remaining,
        "resetUnixSeconds",
        resetUnixSeconds,
        "retryAfterSeconds",
        retryAfterSeconds,
        "delayMillis",
        delayMillis,
        "policies",
        policies.stream()
            .map(
                one ->
                    Json.object(
                        "name",
                        one.name(),
                        "quota",
                        one.number("q"),
                        "windowSeconds",
                        one.number("w")))
            .toList(),
        "standings",
        standings.stream()
            .map(
                one ->
                    Json.object(
                        "name",
                        one.name(),
                        "remaining",
                        one.number("r"),
                        "seconds",
                        one.number("t")))
            .toList(),
        "violated",
        violated,
        "detail",
        detail);
  }
}
