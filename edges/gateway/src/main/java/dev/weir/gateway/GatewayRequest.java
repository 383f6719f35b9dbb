package dev.weir.gateway;

import dev.weir.Algorithm;
import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Descriptor;
import dev.weir.Operation;
import dev.weir.StoreFailure;
import dev.weir.gateway.GatewayStats.Outcome;
import dev.weir.gateway.log.AccessEntry;
import dev.weir.gateway.proxy.ClientRequest;
import dev.weir.gateway.proxy.Exchange;
import dev.weir.gateway.proxy.Forwarding;
import dev.weir.gateway.upstream.Upstream;
import dev.weir.http.identity.RequestValues;
import dev.weir.http.response.DenialBody;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.server.reply.DecisionHeaders;
import dev.weir.server.reply.DegradedDecision;
import dev.weir.server.reply.Replies;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One request through the gateway: it is routed, decided about, perhaps held back, and proxied.
 * Confined to the event loop of the request.
 *
 * <p>Ends once, by {@link #end}: permits are released there, whatever happened.
 */
final class GatewayRequest implements Exchange.Handler {
  private static final int BAD_GATEWAY = 502;
  private static final int GATEWAY_TIMEOUT = 504;

  /** A permit is renewed after this part of its expiry. */
  private static final int RENEWALS = 3;

  private static final long NANOS_PER_MICRO = 1_000;

  private final GatewayEdge edge;
  private final Plan plan;
  private final ClientRequest client;
  private final HttpServerRequest http;
  private final RequestValues values;
  private final Forwarding forwarding;
  private final Context context = Vertx.currentContext();
  private final Instant arrived = Instant.now();
  private final long startNanos = System.nanoTime();

  private @Nullable Upstream upstream;
  private @Nullable Match match;
  private @Nullable Decision decision;
  private @Nullable Exchange exchange;
  private List<Claim> held = List.of();
  private long renewAfterNanos;
  private long renewedNanos;
  private long waitMillis;
  private long timer = -1;
  private boolean ended;

  GatewayRequest(GatewayEdge edge, Plan plan, ClientRequest client, RequestValues values) {
    this.edge = edge;
    this.plan = plan;
    this.client = client;
    this.http = client.http();
    this.values = values;
    this.forwarding = Forwarding.of(client, values.isPeerTrusted(), plan.trustedHeaders());
  }

  /** Decides about the request, and proxies it if it passes. */
  void begin(Descriptor descriptor) {
    edge.requests().add(this);
    http.response().putHeader("X-Request-Id", forwarding.requestId());
    http.response().closeHandler(closed -> onClientGone());
    http.response().exceptionHandler(failure -> onClientGone());
    upstream = plan.route(descriptor);
    if (upstream == null) {
      refuse(Outcome.NO_ROUTE, 404, "no route (expected: a host and a path that the gateway has)");
      return;
    }
    Match charges = plan.rules().book().match(descriptor, holder());
    match = charges;
    Answer answer = edge.limiter().take(charges);
    if (answer instanceof Decision known) {
      onDecision(known);
    } else {
      var unused =
          answer
              .stage()
              .whenComplete(
                  (known, failure) ->
                      context.runOnContext(
                          now -> {
                            if (failure == null) {
                              onDecision(known);
                            } else {
                              onFailure(failure);
                            }
                          }));
    }
  }

  /** Names the request among the holders of permits; scripts count in doubles. */
  private static long holder() {
    return ThreadLocalRandom.current().nextLong(1, 1L << 53);
  }

  private Match match() {
    if (match == null) {
      throw new IllegalStateException("the rules were not matched");
    }
    return match;
  }

  private void onFailure(Throwable failure) {
    if (ended) {
      return;
    }
    if (StoreFailure.cause(failure) instanceof StoreFailure known) {
      edge.degraded().add(FailureMode.DENY);
      DegradedDecision.deny(http, Replies.UNAVAILABLE, known.effect());
    } else {
      Replies.failed(http, StoreFailure.cause(failure));
    }
    UnreadBody.discard(http);
    end(Outcome.UNANSWERED);
  }

  private void onDecision(Decision known) {
    if (ended) {
      edge.limiter().giveBack(match(), known); // the client did not wait
      return;
    }
    decision = known;
    if (!known.allowed()) {
      edge.headers().write(http.response(), match(), known);
      DecisionHeaders.deny(http.response(), match(), known, DenialBody.status(match()), false);
      UnreadBody.discard(http);
      end(Outcome.DENIED);
      return;
    }
    hold();
    long millis = known.delay().toMillis();
    if (millis > 0) {
      waitMillis = millis;
      timer = context.owner().setTimer(millis, now -> forward());
    } else {
      forward();
    }
  }

  /** Remembers the concurrency permits, which are renewed while the request is in flight. */
  private void hold() {
    List<Claim> permits = new ArrayList<>(2);
    long expiryMicros = Long.MAX_VALUE;
    for (Claim claim : match().claims()) {
      if (claim.limit().algorithm() == Algorithm.CONCURRENCY) {
        permits.add(claim);
        expiryMicros = Math.min(expiryMicros, claim.limit().windowMicros());
      }
    }
    if (!permits.isEmpty()) {
      held = permits;
      renewAfterNanos = expiryMicros / RENEWALS * NANOS_PER_MICRO;
      renewedNanos = startNanos;
    }
  }

  private void forward() {
    timer = -1;
    if (ended || upstream == null) {
      return;
    }
    exchange = forwarding.exchange(upstream, this);
    exchange.begin(System.nanoTime());
  }

  private void onClientGone() {
    if (ended || exchange != null) {
      return; // the exchange learns of it itself
    }
    if (timer != -1) {
      context.owner().cancelTimer(timer);
    }
    if (decision != null && decision.allowed()) {
      held = List.of(); // given back with the rest
      edge.limiter().giveBack(match(), decision);
    }
    end(Outcome.CLIENT_GONE);
  }

  @Override
  public void onResponse(HttpClientResponse from, HttpServerResponse response) {
    response.putHeader("X-Request-Id", forwarding.requestId());
    if (decision != null) {
      edge.headers().write(response, match(), decision);
    }
  }

  @Override
  public void onResponseBytes(Buffer part) {}

  @Override
  public void onEnd(Exchange.Result result) {
    switch (result) {
      case UNREACHABLE, FAILED ->
          fail(BAD_GATEWAY, "the service behind this gateway did not answer properly");
      case TIMED_OUT -> fail(GATEWAY_TIMEOUT, "the service behind this gateway did not answer");
      default -> {}
    }
    end(Outcome.valueOf(result.name()));
  }

  private void fail(int status, String detail) {
    if (!http.response().headWritten()) {
      if (decision != null) {
        edge.headers().write(http.response(), match(), decision);
      }
      Replies.error(http, status, detail);
      UnreadBody.discard(http);
    }
  }

  private void refuse(Outcome outcome, int status, String detail) {
    Replies.error(http, status, detail);
    UnreadBody.discard(http);
    end(outcome);
  }

  /** Checks time limits, and renews permits. */
  void checkTime(long nowNanos) {
    if (!held.isEmpty() && nowNanos - renewedNanos > renewAfterNanos) {
      renewedNanos = nowNanos;
      var unused = edge.limiter().store().apply(Operation.TAKE, held);
    }
    if (exchange != null) {
      exchange.checkTime(nowNanos);
    }
  }

  private void end(Outcome outcome) {
    if (ended) {
      return;
    }
    ended = true;
    edge.requests().remove(this);
    if (!held.isEmpty()) {
      var unused = edge.limiter().release(held);
    }
    edge.stats().count(outcome);
    edge.log().ifPresent(log -> log.add(entry(outcome)));
  }

  private AccessEntry entry(Outcome outcome) {
    boolean answered = http.response().headWritten();
    return new AccessEntry(
        arrived,
        new AccessEntry.Request(
            values.clientAddress(),
            client.method(),
            client.target(),
            http.version().alpnName(),
            client.authority(),
            http.getHeader("Referer"),
            http.getHeader("User-Agent")),
        answered ? http.response().getStatusCode() : 0,
        exchange == null ? 0 : exchange.requestBytes(),
        exchange == null ? 0 : exchange.responseBytes(),
        (System.nanoTime() - startNanos) / NANOS_PER_MICRO,
        waitMillis,
        outcome.label,
        decision == null ? null : match().decisiveRule(decision).map(Rule::name).orElse(null),
        upstream == null ? null : upstream.settings().name(),
        exchange == null ? null : exchange.serverAddress(),
        forwarding.requestId(),
        forwarding.traceId());
  }
}
