package dev.weir.cli.doctor.plan;

import dev.weir.cli.doctor.probe.ProbeRequest;
import dev.weir.rule.Rule;
import dev.weir.rule.condition.Condition;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Makes up requests that meet the conditions of a rule, as far as a client can. */
final class RequestSampler {
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  private final Rule rule;
  private final RequestTemplate template;
  private final Callers callers;

  RequestSampler(Rule rule, RequestTemplate template, Callers callers) {
    this.rule = rule;
    this.template = template;
    this.callers = callers;
  }

  /**
   * A request that meets the conditions.
   *
   * @param pattern which of the patterns of paths
   * @throws Unsendable if a condition is about a value that clients cannot send
   */
  ProbeRequest sample(int pattern) throws Unsendable {
    String name = callers.name();
    String target = template.paths().stream().filter(this::fits).findFirst().orElse("/" + name);
    ProbeRequest request =
        new ProbeRequest("GET", target, template.host(), template.headers(), Optional.empty());
    for (Condition condition : rule.match()) {
      request = meeting(condition, request, name, pattern);
    }
    return request;
  }

  /** Whether the path conditions hold for a path that the user names. */
  private boolean fits(String path) {
    return rule.match().stream()
        .filter(Condition.Path.class::isInstance)
        .allMatch(condition -> condition.test(path));
  }

  private ProbeRequest meeting(Condition condition, ProbeRequest request, String name, int pattern)
      throws Unsendable {
    String about = condition.name();
    if (condition instanceof Condition.Path path) {
      return pattern == 0 && fits(request.target())
          ? request
          : request.withTarget(PathSample.of(path.patterns().get(pattern), name));
    }
    if (about.equals("method")) {
      String method =
          METHODS.stream().filter(condition::test).findFirst().orElse(value(condition, name));
      return new ProbeRequest(
          method, request.target(), request.host(), request.headers(), request.source());
    }
    if (about.equals("host")) {
      String host = value(condition, name);
      return new ProbeRequest(
          request.method(), request.target(), host, request.headers(), request.source());
    }
    if (about.startsWith("header ")) {
      String header = about.substring("header ".length());
      return template.has(header) ? request : request.with(header, value(condition, name));
    }
    if (about.startsWith("cookie ")) {
      return request.withCookie(about.substring("cookie ".length()), value(condition, name));
    }
    boolean readFromHeaders = about.startsWith("jwt ") && !template.headers().isEmpty();
    if (about.startsWith("ip") || readFromHeaders) {
      return request;
    }
    throw new Unsendable(
        "it applies only to requests with "
            + about
            + " "
            + condition.expected()
            + ", which no client can send");
  }

  private static String value(Condition condition, String name) throws Unsendable {
    if (condition instanceof Condition.OneOf one) {
      return new TreeSet<>(one.values()).first();
    }
    if (condition instanceof Condition.Like like) {
      return PathSample.filled(new TreeSet<>(like.globs()).first(), name);
    }
    throw new Unsendable("it applies only to " + condition.name() + " " + condition.expected());
  }
}
