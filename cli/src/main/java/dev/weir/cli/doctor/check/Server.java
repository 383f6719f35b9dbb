package dev.weir.cli.doctor.check;

import dev.weir.cli.command.AdminClient;
import dev.weir.cli.command.Failure;
import dev.weir.cli.terminal.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A server by its administration port. */
public final class Server {
  private static final Pattern SAMPLE =
      Pattern.compile(
          "(?m)^(weir_decisions_total|weir_http_requests_total)\\{([^}]*)} ([0-9.Ee+]+)$");

  private final AdminClient admin;

  /** A server whose administration port this client reaches. */
  public Server(AdminClient admin) {
    this.admin = admin;
  }

  /** Host and port of its administration port. */
  public String name() {
    return admin.authority();
  }

  /**
   * What is wrong with it; empty if nothing is.
   *
   * @param version of the rules that it should have
   */
  public Optional<String> trouble(String version) {
    try {
      AdminClient.Answer ready = admin.ask("/readyz");
      Map<String, Object> json = ready.json();
      if (!json.containsKey("rules")) {
        return Optional.of("answered " + ready.status() + " (expected: a Weir server's readiness)");
      }
      if (!String.valueOf(json.get("rules")).equals(version)) {
        return Optional.of(
            "has rules " + json.get("rules") + ", and --rules is " + version + ": another version");
      }
      if (json.get("problems") instanceof List<?> problems && !problems.isEmpty()) {
        return Optional.of("reports: " + problems.get(0));
      }
      return ready.status() == 200 ? Optional.empty() : Optional.of("is not ready: " + json);
    } catch (Failure e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /**
   * What it has counted: how often it was asked, and what it decided by a rule.
   *
   * @param checks requests to {@code /v1/check}
   * @param decisions by the rule, of any outcome
   * @param denied those of them that denied
   */
  record Counts(long checks, long decisions, long denied) {
    Counts minus(Counts before) {
      return new Counts(
          checks - before.checks, decisions - before.decisions, denied - before.denied);
    }

    Counts plus(Counts other) {
      return new Counts(checks + other.checks, decisions + other.decisions, denied + other.denied);
    }
  }

  /** The sum of what servers have counted; empty if one of them does not say. */
  static Optional<Counts> counts(List<Server> servers, String rule) {
    Counts sum = new Counts(0, 0, 0);
    for (Server server : servers) {
      Optional<Counts> one = server.counts(rule);
      if (one.isEmpty()) {
        return one;
      }
      sum = sum.plus(one.get());
    }
    return servers.isEmpty() ? Optional.empty() : Optional.of(sum);
  }

  private Optional<Counts> counts(String rule) {
    try {
      Counts counts = new Counts(0, 0, 0);
      Matcher sample = SAMPLE.matcher(admin.text("/metrics"));
      while (sample.find()) {
        long value = (long) Double.parseDouble(sample.group(3));
        String labels = sample.group(2);
        if (sample.group(1).equals("weir_decisions_total")) {
          if (labels.contains("rule=\"" + rule + "\"")) {
            boolean denied = labels.contains("outcome=\"denied\"");
            counts = counts.plus(new Counts(0, value, denied ? value : 0));
          }
        } else if (labels.contains("endpoint=\"check\"")) {
          counts = counts.plus(new Counts(value, 0, 0));
        }
      }
      return Optional.of(counts);
    } catch (Failure e) {
      return Optional.empty();
    }
  }

  /**
   * Takes permits of a caller, or looks how many are left.
   *
   * @return how many of the rule's permits are left for the caller; empty if that is not said
   * @throws Failure if the server cannot be reached or does not answer as expected
   */
  Optional<Long> remaining(String operation, Map<String, String> values, long cost, String rule)
      throws Failure {
    Map<String, @Nullable Object> body =
        Json.object("operation", operation, "values", values, "cost", cost);
    Map<String, Object> decision = admin.post("/v1/decide", body, "claims");
    if (decision.get("claims") instanceof List<?> claims) {
      for (Object claim : claims) {
        if (claim instanceof Map<?, ?> one
            && rule.equals(one.get("rule"))
            && one.get("remaining") instanceof Number left) {
          return Optional.of(left.longValue());
        }
      }
    }
    return Optional.empty();
  }
}
