package dev.weir.http.response;

import dev.weir.Decision;
import dev.weir.StoreFailure.Effect;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes the response body of a denied request. */
public final class DenialBody {
  /** The media type of {@link #problem}. */
  public static final String PROBLEM_TYPE = "application/problem+json";

  private static final String QUOTA_EXCEEDED =
      "https://iana.org/assignments/http-problem-types#quota-exceeded";

  private DenialBody() {}

  /** The status of a denial: 429, or that of the rule that blocks the caller. */
  public static int status(Match match) {
    return match.blockedBy().map(Rule::blockedStatus).orElse(Rule.TOO_MANY_REQUESTS);
  }

  private static boolean isForbidden(Match match) {
    return status(match) == Rule.FORBIDDEN;
  }

  /**
   * A problem document (RFC 9457): of the type that the IETF draft defines, or of type {@code
   * about:blank} if the caller is forbidden rather than over a quota.
   */
  public static String problem(Match match, Decision decision, int status) {
    boolean forbidden = isForbidden(match);
    StringBuilder out = new StringBuilder(256);
    out.append("{\"type\":\"").append(forbidden ? "about:blank" : QUOTA_EXCEEDED).append('"');
    out.append(",\"title\":\"").append(forbidden ? "Forbidden" : "Too many requests");
    out.append("\",\"status\":").append(status);
    out.append(",\"detail\":\"").append(detail(match, decision)).append('"');
    out.append(",\"violated-policies\":[");
    List<String> violated = violated(match, decision);
    for (int i = 0; i < violated.size(); i++) {
      out.append(i == 0 ? "\"" : ",\"").append(violated.get(i)).append('"');
    }
    return out.append("]}").toString();
  }

  /** The short JSON form that many clients expect. */
  public static String plain(Match match, Decision decision) {
    if (isForbidden(match)) {
      return "{\"error\":\"forbidden\"}";
    }
    String wait =
        decision.retryAfter().isPresent()
            ? ",\"retry_after\":" + RateLimitHeaders.retryAfterSeconds(decision)
            : "";
    return "{\"error\":\"rate_limit_exceeded\"" + wait + "}";
  }

  /**
   * A problem document for a request that could not be decided: the store did not answer, and a
   * rule denies then. It leaves out the error of the store, which may name hosts.
   */
  public static String unavailable(int status, Effect effect) {
    String counted =
        effect == Effect.NONE ? "nothing was counted" : "whether anything was counted is unknown";
    return "{\"type\":\"urn:weir:problem:store-unavailable\",\"title\":\"Service Unavailable\",\"status\":"
        + status
        + ",\"detail\":\"the store did not answer; "
        + counted
        + "\",\"effect\":\""
        + effect.name().toLowerCase(Locale.ROOT)
        + "\",\"degraded\":\"deny\"}";
  }

  /** The short JSON form of {@link #unavailable}. */
  public static String plainUnavailable() {
    return "{\"error\":\"rate_limit_unavailable\",\"retry_after\":1}";
  }

  private static String detail(Match match, Decision decision) {
    if (match.blockedBy().isPresent()) {
      return "This caller is blocked.";
    }
    return decision.retryAfter().isPresent()
        ? "Try again in " + RateLimitHeaders.retryAfterSeconds(decision) + " s."
        : "The request costs more than the limit can ever grant.";
  }

  /** The names of the policies that denied; they need no escaping. */
  private static List<String> violated(Match match, Decision decision) {
    if (match.blockedBy().isPresent()) {
      return match.blockedBy().map(Rule::name).stream().toList();
    }
    List<String> violated = new ArrayList<>();
    for (int i = 0; i < decision.each().size() && i < match.charges().size(); i++) {
      if (!decision.each().get(i).allowed()) {
        violated.add(match.charges().get(i).policy().name());
      }
    }
    return violated;
  }
}
