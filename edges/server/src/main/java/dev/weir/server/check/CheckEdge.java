package dev.weir.server.check;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.StoreFailure;
import dev.weir.http.identity.RequestValues;
import dev.weir.http.response.DenialBody;
import dev.weir.http.response.RateLimitHeaders;
import dev.weir.limiter.Degradation;
import dev.weir.limiter.Limiter;
import dev.weir.rule.FailureMode;
import dev.weir.rule.book.Match;
import dev.weir.rules.RulesSnapshot;
import dev.weir.server.reply.DegradedCounters;
import dev.weir.server.reply.DegradedDecision;
import dev.weir.server.reply.Replies;
import dev.weir.server.settings.ServerSettings;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code /v1/check}: decides a request of a gateway, and answers with a status and headers. Safe
 * for use by any number of threads.
 */
public final class CheckEdge {
  static final String PATH = "/v1/check";

  /** Header names in the form that Netty writes fastest. */
  private static final Map<RateLimitHeaders.Field, CharSequence> NAMES =
      new EnumMap<>(
          Stream.of(RateLimitHeaders.Field.values())
              .collect(
                  Collectors.toMap(
                      Function.identity(), field -> HttpHeaders.createOptimized(field.header()))));

  private final Supplier<RulesSnapshot> rules;
  private final Limiter limiter;
  private final DegradedCounters degraded;
  private final ServerSettings.Traffic settings;
  private final LongSupplier nowMicros;

  /**
   * An edge on the active rules and the limiter.
   *
   * @param degraded counts requests that are decided without the store
   * @param nowMicros the clock for header values
   */
  public CheckEdge(
      Supplier<RulesSnapshot> rules,
      Limiter limiter,
      DegradedCounters degraded,
      ServerSettings.Traffic settings,
      LongSupplier nowMicros) {
    this.rules = rules;
    this.limiter = limiter;
    this.degraded = degraded;
    this.settings = settings;
    this.nowMicros = nowMicros;
  }

  /** Whether a target is for this edge. */
  public static boolean owns(String uri) {
    return uri.startsWith(PATH)
        && (uri.length() == PATH.length() || "/?;".indexOf(uri.charAt(PATH.length())) >= 0);
  }

  /** Answers a request. */
  public void handle(HttpServerRequest request) {
    ProxiedRequest original;
    try {
      original = ProxiedRequest.of(request, CheckParameters.in(request.uri(), PATH.length()));
    } catch (IllegalArgumentException e) {
      Replies.error(request, 400, String.valueOf(e.getMessage()));
      return;
    }
    RulesSnapshot live = rules.get();
    RequestValues values = live.read(original);
    if (live.needsVerification(values)) {
      // Expensive, and any client can cause it: not on the event loop, which others wait for.
      Replies.when(
          request,
          values.verifyAsync(),
          verified -> decide(request, live.book().match(verified, 0)));
    } else {
      decide(request, live.book().match(values.values(), 0));
    }
  }

  private void decide(HttpServerRequest request, Match match) {
    Answer answer = limiter.take(match);
    if (answer instanceof Decision decision) {
      reply(request, match, decision);
    } else {
      Replies.when(
          request,
          answer.stage(),
          decision -> reply(request, match, decision),
          failure -> denyWithoutStore(request, failure));
    }
  }

  /**
   * Denies because the store did not answer. A gateway that passes on nothing but 403 might handle
   * any other error itself, and let pass what a rule denies.
   */
  private void denyWithoutStore(HttpServerRequest request, StoreFailure failure) {
    degraded.add(FailureMode.DENY);
    DegradedDecision.deny(request, denial(request, Replies.UNAVAILABLE), failure.effect());
  }

  private void reply(HttpServerRequest request, Match match, Decision decision) {
    HttpServerResponse response = request.response();
    long jitter = decision.allowed() ? 0 : jitterSeconds(decision);
    settings
        .fields()
        .write(
            match,
            decision,
            nowMicros.getAsLong(),
            jitter,
            (field, value) -> response.putHeader(NAMES.get(field), (CharSequence) value));
    Degradation.failureMode(decision)
        .ifPresent(
            mode -> {
              degraded.add(mode);
              DegradedDecision.mark(response, mode);
            });
    if (decision.allowed()) {
      delay(response, decision);
      var unused = response.end();
      return;
    }
    int status = denial(request, DenialBody.status(match));
    boolean plain = hasParameter(request, "body=plain");
    response.setStatusCode(status).putHeader("Cache-Control", "no-store");
    response.putHeader("Content-Type", plain ? "application/json" : DenialBody.PROBLEM_TYPE);
    var unused =
        response.end(
            plain
                ? DenialBody.plain(match, decision)
                : DenialBody.problem(match, decision, status));
  }

  /**
   * The status of a denial. For a gateway that passes on nothing but 403 it is 403, and a header
   * has the status for the client.
   */
  private static int denial(HttpServerRequest request, int status) {
    if (!hasParameter(request, "deny=403")) {
      return status;
    }
    request.response().putHeader("Weir-Status", Integer.toString(status));
    return 403;
  }

  /**
   * Whether the gateway sets a parameter in the query. After a trailing path the query is the
   * client's, which must not set any. The query is not decoded: a malformed one must not let a
   * denied request pass.
   */
  private static boolean hasParameter(HttpServerRequest request, String parameter) {
    int end = CheckParameters.in(request.uri(), PATH.length()).end();
    boolean ofGateway = !request.uri().startsWith("/", end);
    String query = ofGateway ? request.query() : null;
    return query != null && ("&" + query + "&").contains("&" + parameter + "&");
  }

  /** The gateway is not kept waiting, but learns by a header how long to delay the request. */
  private static void delay(HttpServerResponse response, Decision decision) {
    long millis = decision.delay().toMillis();
    if (millis > 0) {
      response.putHeader("Weir-Delay-Ms", Long.toString(millis));
    }
  }

  private long jitterSeconds(Decision decision) {
    long seconds = decision.retryAfter().map(java.time.Duration::toSeconds).orElse(0L);
    long max = seconds * settings.jitter() / 100;
    return max == 0 ? 0 : ThreadLocalRandom.current().nextLong(max + 1);
  }
}
