package dev.weir.spring.actuate;

import dev.weir.StoreFailure;
import dev.weir.http.address.Ip;
import dev.weir.http.request.HttpRequest;
import dev.weir.library.RateLimitDecision;
import dev.weir.library.RateLimiter;
import dev.weir.library.RulesLimiter;
import dev.weir.library.WebRequest;
import dev.weir.library.Weir;
import dev.weir.library.status.RuleState;
import dev.weir.library.status.StoreStatus;
import dev.weir.rule.Rule;
import dev.weir.rules.ActiveRules;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The endpoint {@code /actuator/weir}: which rules are in force, how they stand towards a request
 * ({@code /explain}), how a call stands ({@code /peek}), and what to forget ({@code DELETE
 * /counters}). Nothing but the last changes anything. Thread-safe.
 */
@Endpoint(id = "weir")
public final class WeirEndpoint {
  private static final String EXPLAIN = "explain";
  private static final String PEEK = "peek";
  private static final String COUNTERS = "counters";

  private final Weir weir;
  private final RulesLimiter rules;

  /** An endpoint for an application. */
  public WeirEndpoint(Weir weir, RulesLimiter rules) {
    this.weir = weir;
    this.rules = rules;
  }

  /**
   * What is in force.
   *
   * @param refused the problems of a newer version that was refused; empty if the newest is active
   */
  public record InForce(
      String version,
      String since,
      List<RuleInForce> rules,
      List<String> calls,
      List<String> refused,
      StoreStatus store) {}

  /** A rule that is in force. */
  public record RuleInForce(
      String name,
      List<String> match,
      List<String> per,
      List<String> limits,
      String whenStoreFails) {}

  /** The rules in force, their version and the store. */
  @ReadOperation
  public InForce inForce() {
    ActiveRules active = rules.active();
    ActiveRules.Status status = active.status();
    return new InForce(
        status.version(),
        status.since().toString(),
        active.current().book().rules().stream().map(RulesInForce::describe).toList(),
        List.copyOf(active.current().callNames()),
        status.notes(),
        weir.store());
  }

  /**
   * {@code explain}: how each rule stands towards a request; {@code peek}: how a call stands for a
   * key.
   */
  @ReadOperation
  public WebEndpointResponse<Object> state(
      @Selector String operation,
      @Nullable String method,
      @Nullable String path,
      @Nullable String ip,
      @Nullable String host,
      @Nullable String principal,
      @Nullable List<String> header,
      @Nullable String call,
      @Nullable String key) {
    return answered(
        () ->
            switch (operation) {
              case EXPLAIN ->
                  rules.explain(request(method, path, ip, host, principal, header)).stream()
                      .map(WeirEndpoint::shown)
                      .toList();
              case PEEK -> peek(limiter(call), required("key", key));
              default -> throw invalid("operation", operation, "explain or peek");
            });
  }

  /**
   * Forgets what a caller has used: of a call for a key, or of the rules that apply to a request.
   *
   * @param rule the only rule to reset; without it, all that do not count several callers together
   */
  @DeleteOperation
  public WebEndpointResponse<Object> reset(
      @Selector String operation,
      @Nullable String method,
      @Nullable String path,
      @Nullable String ip,
      @Nullable String host,
      @Nullable String principal,
      @Nullable List<String> header,
      @Nullable String rule,
      @Nullable String call,
      @Nullable String key) {
    return answered(
        () -> {
          if (!operation.equals(COUNTERS)) {
            throw invalid("operation", operation, COUNTERS);
          }
          if (call != null) {
            limiter(call).reset(required("key", key));
            return Map.of("reset", List.of(call));
          }
          HttpRequest request = request(method, path, ip, host, principal, header);
          return Map.of("reset", rules.reset(request, known(rule)));
        });
  }

  /** An answer, or the sentence that says what is wrong with the question or the store. */
  private static WebEndpointResponse<Object> answered(Supplier<Object> answer) {
    try {
      return new WebEndpointResponse<>(answer.get());
    } catch (IllegalArgumentException e) {
      return problem(WebEndpointResponse.STATUS_BAD_REQUEST, String.valueOf(e.getMessage()));
    } catch (StoreFailure e) {
      return problem(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, "the store does not answer");
    }
  }

  private static WebEndpointResponse<Object> problem(int status, String sentence) {
    return new WebEndpointResponse<>(Map.of("problem", sentence), status);
  }

  private Optional<String> known(@Nullable String rule) {
    List<String> names =
        rules.active().current().book().rules().stream().map(Rule::name).distinct().toList();
    if (rule != null && !names.contains(rule)) {
      throw invalid("rule", rule, "one of " + names);
    }
    return Optional.ofNullable(rule);
  }

  private RateLimiter limiter(@Nullable String call) {
    return rules.limiter(required("call", call));
  }

  private static Map<String, Object> peek(RateLimiter limiter, String key) {
    RateLimitDecision decision = limiter.peek(key);
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("call", limiter.name());
    shown.put("allowed", decision.allowed());
    shown.put("remaining", decision.remaining());
    shown.put("retryAfter", decision.retryAfter().map(Duration::toString).orElse(""));
    shown.put("degraded", decision.degraded());
    return shown;
  }

  private static Map<String, Object> shown(RuleState state) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("rule", state.rule());
    shown.put("applies", state.applies());
    if (!state.applies()) {
      shown.put("reason", state.reason());
      return shown;
    }
    shown.put("limits", state.limits());
    shown.put("allowed", state.allowed());
    state.remaining().ifPresent(left -> shown.put("remaining", left));
    state.retryAfter().ifPresent(wait -> shown.put("retryAfter", wait.toString()));
    return shown;
  }

  private static HttpRequest request(
      @Nullable String method,
      @Nullable String path,
      @Nullable String ip,
      @Nullable String host,
      @Nullable String principal,
      @Nullable List<String> headers) {
    String target = required("path", path);
    if (!target.startsWith("/")) {
      throw invalid("path", target, "a path that begins with /");
    }
    if (ip != null && Ip.parse(ip) == null) {
      throw invalid("ip", ip, "an address such as 203.0.113.7");
    }
    WebRequest request = WebRequest.of(method == null ? "GET" : method, target);
    request = ip == null ? request : request.from(ip);
    request = host == null ? request : request.host(host);
    request = principal == null ? request : request.principal(principal);
    for (String header : headers == null ? List.<String>of() : headers) {
      int colon = header.indexOf(':');
      if (colon < 1) {
        throw invalid("header", header, "a header such as X-Plan: gold");
      }
      request = request.header(header.substring(0, colon), header.substring(colon + 1).strip());
    }
    return request;
  }

  private static String required(String parameter, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      throw invalid(parameter, "none", "a value");
    }
    return value;
  }

  private static IllegalArgumentException invalid(String parameter, String value, String expected) {
    return new IllegalArgumentException(parameter + ": " + value + " (expected: " + expected + ")");
  }
}
