package dev.weir.cli.check;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.weir.cli.command.ServerClient;
import dev.weir.cli.terminal.Json;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A server's answer to {@code /v1/check}, parsed from its headers and body. The server's settings
 * decide which headers it sends, so each may be absent.
 *
 * @param quota the {@code X-RateLimit} headers
 * @param policies the limits that apply
 * @param standings the state of the tightest limit, or of each that denied
 * @param problem the body of a denial
 */
record CheckAnswer(
    int status,
    Quota quota,
    @Nullable Long retryAfterSeconds,
    @Nullable Long delayMillis,
    List<Item> policies,
    List<Item> standings,
    Problem problem) {

  /** The status of an allowed request. */
  static final int ALLOWED = 200;

  private static final int DENIED = 429;
  private static final int FORBIDDEN = 403;

  private static final Pattern ITEM =
      Pattern.compile("\"([^\"\\\\]*)\"((?:;[a-z]+=(?:[0-9]+|\"[^\"\\\\]*\"))*)");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  /** The {@code X-RateLimit} headers; a header that is absent is null. */
  record Quota(@Nullable Long limit, @Nullable Long remaining, @Nullable Long resetUnixSeconds) {}

  /**
   * The problem document of a denial.
   *
   * @param violated the limits that denied
   * @param detail the reason in words; null if there is none
   */
  record Problem(List<String> violated, @Nullable String detail) {}

  /** An item of a {@code RateLimit} header of the IETF draft: a name, and numbers by letter. */
  record Item(String name, String parameters) {
    /** The number of a parameter; null if there is none. */
    @Nullable Long number(String letter) {
      Matcher found = Pattern.compile(";" + letter + "=([0-9]{1,18})(?:;|$)").matcher(parameters);
      return found.find() ? Long.valueOf(found.group(1)) : null;
    }

    /** The policy in words: {@code caller, 10 in 60 s}. */
    String policy() {
      Long quota = number("q");
      Long window = number("w");
      return name
          + (quota == null ? "" : ", " + quota)
          + (quota == null || window == null ? "" : " in " + window + " s");
    }
  }

  /** Parses a response. */
  static CheckAnswer of(ServerClient.Reply reply) {
    Map<String, Object> body = Map.of();
    try {
      body = reply.body().isEmpty() ? Map.of() : JSONObjectUtils.parse(reply.body());
    } catch (ParseException e) {
      // The headers suffice.
    }
    List<String> violated = new ArrayList<>();
    if (body.get("violated-policies") instanceof List<?> list) {
      list.forEach(one -> violated.add(String.valueOf(one)));
    }
    return new CheckAnswer(
        reply.status(),
        new Quota(
            number(reply, "X-RateLimit-Limit"),
            number(reply, "X-RateLimit-Remaining"),
            number(reply, "X-RateLimit-Reset")),
        number(reply, "Retry-After"),
        number(reply, "Weir-Delay-Ms"),
        items(reply, "RateLimit-Policy"),
        items(reply, "RateLimit"),
        new Problem(violated, body.get("detail") instanceof String text ? text : null));
  }

  /** Whether the request is allowed. */
  boolean allowed() {
    return status == ALLOWED;
  }

  /** Whether Weir denied the request. Other servers send 403 too, but name no violated limit. */
  boolean denied() {
    return status == DENIED || (status == FORBIDDEN && !problem.violated.isEmpty());
  }

  /** The policy with a name in words, or the name alone if there is none. */
  String described(String name) {
    return policies.stream()
        .filter(one -> one.name().equals(name))
        .map(Item::policy)
        .findFirst()
        .orElse(name);
  }

  private static @Nullable Long number(ServerClient.Reply reply, String header) {
    String value = reply.header(header);
    return value != null && NUMBER.matcher(value).matches() ? Long.valueOf(value) : null;
  }

  private static List<Item> items(ServerClient.Reply reply, String header) {
    String value = reply.header(header);
    return value == null
        ? List.of()
        : ITEM.matcher(value)
            .results()
            .map(found -> new Item(found.group(1), found.group(2)))
            .toList();
  }

  /** The answer as JSON. */
  Map<String, @Nullable Object> json() {
    return Json.object(
        "allowed",
        allowed(),
        "status",
        status,
        "limit",
        quota.limit,
        "remaining",
        quota.remaining,
        "resetUnixSeconds",
        quota.resetUnixSeconds,
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
        problem.violated,
        "detail",
        problem.detail);
  }
}
