package dev.weir.server.check;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.StoreFailure;
import dev.weir.http.identity.RequestValues;
import dev.weir.http.response.DenialBody;
import dev.weir.limiter.Limiter;
import dev.weir.rule.FailureMode;
import dev.weir.rule.book.Match;
import dev.weir.rules.RulesSnapshot;
import dev.weir.server.reply.DecisionHeaders;
import dev.weir.server.reply.DegradedCounters;
import dev.weir.server.reply.DegradedDecision;
import dev.weir.server.reply.Replies;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.telemetry.RequestObserver;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * {@code /v1/check}: decides a request of a gateway, and answers with a status and headers. Safe
 * for use by any number of threads.
 */
public final class CheckEdge {
  static final String PATH = "/v1/check";

  private final Supplier<RulesSnapshot> rules;
  private final Limiter limiter;
  private final DegradedCounters degraded;
  private final DecisionHeaders headers;

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
    this.headers = new DecisionHeaders(settings.fields(), settings.jitter(), degraded, nowMicros);
  }

  /** Whether a target is for this edge. */
  public static boolean owns(String uri) {
    return uri.startsWith(PATH)
        && (uri.length() == PATH.length() || "/?;".indexOf(uri.charAt(PATH.length())) >= 0);
  }

  /**
   * Answers a request.
   *
   * @param seen notes what becomes of it
   */
  public void handle(HttpServerRequest request, RequestObserver seen) {
    ProxiedRequest original;
    try {
      original = ProxiedRequest.of(request, CheckParameters.in(request.uri(), PATH.length()));
    } catch (IllegalArgumentException e) {
      Replies.error(request, 400, String.valueOf(e.getMessage()));
      return;
    }
    seen.onRequest(original.method(), original.target());
    RulesSnapshot live = rules.get();
    RequestValues values = live.read(original);
    if (live.needsVerification(values)) {
      // Expensive, and any client can cause it: not on the event loop, which others wait for.
      Replies.when(
          request,
          values.verifyAsync(),
          verified -> decide(request, seen, live.book().match(verified, 0)));
    } else {
      decide(request, seen, live.book().match(values.values(), 0));
    }
  }

  private void decide(HttpServerRequest request, RequestObserver seen, Match match) {
    Answer answer = limiter.take(match);
    if (answer instanceof Decision decision) {
      reply(request, seen, match, decision);
    } else {
      Replies.when(
          request,
          answer.stage(),
          decision -> reply(request, seen, match, decision),
          failure -> {
            seen.onUnanswered(match);
            denyWithoutStore(request, failure);
          });
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

  /** The gateway is not kept waiting, but learns by a header how long to delay the request. */
  private void reply(
      HttpServerRequest request, RequestObserver seen, Match match, Decision decision) {
    seen.onDecision(match, decision);
    HttpServerResponse response = request.response();
    headers.write(response, match, decision);
    if (decision.allowed()) {
      var unused = response.end();
      return;
    }
    int status = denial(request, DenialBody.status(match));
    DecisionHeaders.deny(response, match, decision, status, hasParameter(request, "body=plain"));
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
}
