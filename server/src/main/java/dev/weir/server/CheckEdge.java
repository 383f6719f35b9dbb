package dev.weir.server;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.StoreFailure;
import dev.weir.http.DenialBody;
import dev.weir.http.LimitFields;
import dev.weir.http.Reading;
import dev.weir.rule.Limiter;
import dev.weir.rule.Match;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.server.stats.Ways;
import dev.weir.yaml.LiveRules;
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

/** {@code /v1/check}: may this request pass? Answers with a status and headers. */
final class CheckEdge {
  static final String PATH = "/v1/check";

  /** Names in the form that Netty writes fastest. */
  private static final Map<LimitFields.Field, CharSequence> NAMES =
      new EnumMap<>(
          Stream.of(LimitFields.Field.values())
              .collect(
                  Collectors.toMap(
                      Function.identity(), field -> HttpHeaders.createOptimized(field.header()))));

  private final Supplier<LiveRules> rules;
  private final Limiter limiter;
  private final Ways ways;
  private final ServerSettings.Traffic settings;
  private final LongSupplier nowMicros;

  CheckEdge(
      Supplier<LiveRules> rules,
      Limiter limiter,
      Ways ways,
      ServerSettings.Traffic settings,
      LongSupplier nowMicros) {
    this.rules = rules;
    this.limiter = limiter;
    this.ways = ways;
    this.settings = settings;
    this.nowMicros = nowMicros;
  }

  /** Whether a target is for this edge. */
  static boolean owns(String uri) {
    return uri.startsWith(PATH)
        && (uri.length() == PATH.length() || "/?;".indexOf(uri.charAt(PATH.length())) >= 0);
  }

  void handle(HttpServerRequest request) {
    ProxiedRequest asked;
    try {
      asked = ProxiedRequest.of(request, CheckParameters.in(request.uri(), PATH.length()));
    } catch (IllegalArgumentException e) {
      Replies.error(request, 400, String.valueOf(e.getMessage()));
      return;
    }
    LiveRules live = rules.get();
    Reading reading = live.read(asked);
    if (live.needsVerification(reading)) {
      // Dear, and anybody can ask for it: not on the thread that answers everybody else.
      Replies.when(
          request, reading.verifyLater(), values -> decide(request, live.book().match(values, 0)));
    } else {
      decide(request, live.book().match(reading.values(), 0));
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
          failure -> turnAway(request, failure));
    }
  }

  /**
   * A gateway that passes on nothing but 403 might take any other error for its own to handle, and
   * let pass what a rule wants turned away.
   */
  private void turnAway(HttpServerRequest request, StoreFailure failure) {
    ways.add(WhenStoreFails.DENY);
    Degraded.deny(request, denial(request, Replies.UNAVAILABLE), failure.effect());
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
    Degraded.way(decision)
        .ifPresent(
            way -> {
              ways.add(way);
              Degraded.mark(response, way);
            });
    if (decision.allowed()) {
      delay(response, decision);
      var unused = response.end();
      return;
    }
    int status = denial(request, DenialBody.status(match));
    boolean plain = asks(request, "body=plain");
    response.setStatusCode(status).putHeader("Cache-Control", "no-store");
    response.putHeader("Content-Type", plain ? "application/json" : DenialBody.PROBLEM_TYPE);
    var unused =
        response.end(
            plain
                ? DenialBody.plain(match, decision)
                : DenialBody.problem(match, decision, status));
  }

  /**
   * The status of this answer. For a gateway that passes on nothing but 403 that is 403, and a
   * header has the status that is meant for the client.
   */
  private static int denial(HttpServerRequest request, int meant) {
    if (!asks(request, "deny=403")) {
      return meant;
    }
    request.response().putHeader("Weir-Status", Integer.toString(meant));
    return 403;
  }

  /**
   * Whether the gateway asks for something. Behind a trailing path the query is the client's, who
   * has no say in this. Looks at the query as it is: one that cannot be decoded must not get a
   * denied request past.
   */
  private static boolean asks(HttpServerRequest request, String parameter) {
    int end = CheckParameters.in(request.uri(), PATH.length()).end();
    boolean ofTheGateway = !request.uri().startsWith("/", end);
    String query = ofTheGateway ? request.query() : null;
    return query != null && ("&" + query + "&").contains("&" + parameter + "&");
  }

  /**
   * A gateway that asks cannot be made to wait, but can be told how long to hold a request back.
   */
  private static void delay(HttpServerResponse response, Decision decision) {
    long millis = decision.delay().toMillis();
    if (millis > 0) {
      response.putHeader("Weir-Delay-Ms", Long.toString(millis));
    }
  }

  private long jitterSeconds(Decision decision) {
    long seconds = decision.retryAfter().map(java.time.Duration::toSeconds).orElse(0L);
    long most = seconds * settings.jitter() / 100;
    return most == 0 ? 0 : ThreadLocalRandom.current().nextLong(most + 1);
  }
}
