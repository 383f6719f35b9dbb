package dev.weir.http;

import dev.weir.Decision;
import dev.weir.rule.Match;
import dev.weir.rule.Rule;
import java.util.ArrayList;
import java.util.List;

/** What a denied client is told in words. */
public final class DenialBody {
  /** The media type of {@link #problem}. */
  public static final String PROBLEM_TYPE = "application/problem+json";

  private static final String QUOTA_EXCEEDED =
      "https://iana.org/assignments/http-problem-types#quota-exceeded";

  private DenialBody() {}

  /** The status of a denial: 429, or what the rule says that blocks the caller. */
  public static int status(Match match) {
    return match.blockedBy().map(Rule::blockedStatus).orElse(Rule.TOO_MANY_REQUESTS);
  }

  private static boolean isForbidden(Match match) {
    return status(match) == Rule.FORBIDDEN;
  }

  /**
   * A problem document: of the type that the IETF draft defines, or, where the caller is forbidden
   * rather than over a quota, of none.
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

  /** The short form that many clients expect. */
  public static String plain(Match match, Decision decision) {
    if (isForbidden(match)) {
      return "{\"error\":\"forbidden\"}";
    }
    String wait =
        decision.retryAfter().isPresent()
            ? ",\"retry_after\":" + LimitFields.retryAfterSeconds(decision)
            : "";
    return "{\"error\":\"rate_limit_exceeded\"" + wait + "}";
  }

  private static String detail(Match match, Decision decision) {
    if (match.blockedBy().isPresent()) {
      return "This caller is blocked.";
    }
    return decision.retryAfter().isPresent()
        ? "Try again in " + LimitFields.retryAfterSeconds(decision) + " s."
        : "The request costs more than the limit can ever grant.";
  }

  /** The policies that denied; names of rules, which need no escaping. */
  private static List<String> violated(Match match, Decision decision) {
    if (match.blockedBy().isPresent()) {
      return match.blockedBy().map(Rule::name).stream().toList();
    }
    List<String> violated = new ArrayList<>();
    for (int i = 0; i < decision.each().size() && i < match.policies().size(); i++) {
      if (!decision.each().get(i).allowed()) {
        violated.add(match.policies().get(i).name());
      }
    }
    return violated;
  }
}
