package dev.weir.gateway;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.Descriptor;
import dev.weir.gateway.GatewayStats.Outcome;
import dev.weir.gateway.proxy.ClientRequest;
import dev.weir.gateway.proxy.Forwarding;
import dev.weir.gateway.upstream.Upstream;
import dev.weir.http.identity.RequestValues;
import dev.weir.http.response.DenialBody;
import dev.weir.rule.ResponseCost;
import dev.weir.rule.book.Match;
import dev.weir.server.reply.DecisionHeaders;
import dev.weir.server.reply.Replies;
import dev.weir.server.shed.LoadShedder;
import dev.weir.server.shed.Verdict;
import dev.weir.server.telemetry.RequestObserver;
import dev.weir.server.telemetry.TraceContext;
import dev.weir.server.transport.ByteBudget;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request through the gateway: it is routed, decided about, perhaps held back, and proxied.
 * Confined to the event loop of the request.
 *
 * <p>Ends once, by {@link #end}: permits are released there, whatever happened.
 */
final class GatewayRequest {
  /** The maximum time for a body that must be read before the request is decided. */
  private static final long MAX_BODY_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final GatewayEdge edge;
  private final Plan plan;
  private final HttpServerRequest http;
  private final RequestValues values;
  private final Forwarding forwarding;
  private final Context context = Vertx.currentContext();
  private final AccessRecord record;
  private final long startNanos = System.nanoTime();

  private @Nullable Upstream upstream;
  private @Nullable Match match;
  private @Nullable Decision decision;
  private @Nullable ForwardedRequest forwarded;
  private HeldPermits permits;
  private Optional<LoadShedder> shedder = Optional.empty();
  private final RequestCost cost;
  private final ByteBudget.Share share;
  private boolean readingBody;
  private int priority;
  private long timer = -1;
  private boolean ended;

  GatewayRequest(GatewayEdge edge, Plan plan, ClientRequest client, RequestValues values) {
    this.edge = edge;
    this.plan = plan;
    this.http = client.http();
    this.values = values;
    this.cost = new RequestCost(edge.costs());
    this.share = edge.bodies().share();
    TraceContext trace = edge.telemetry().trace(http.headers(), values.isPeerTrusted());
    RequestObserver seen = edge.telemetry().beginOpen(http, "proxy", trace);
    this.record = new AccessRecord(client, values, startNanos, seen);
    this.permits = HeldPermits.none(edge.limiter());
    this.forwarding =
        Forwarding.of(
            client, values.isPeerTrusted(), plan.trustedHeaders(), edge.bodyPeriod(), trace);
  }

  /** Decides about the request, and proxies it if it passes. */
  void begin() {
    edge.requests().add(this);
    http.response().putHeader("X-Request-Id", forwarding.requestId());
    http.response().closeHandler(closed -> onClientGone());
    http.response().exceptionHandler(failure -> onClientGone());
    if (plan.rules().needsVerification(values)) {
      // Expensive, and any client can cause it: not on the event loop, which others wait for.
      when(values.verifyAsync(), this::route);
    } else {
      attempt(this::route, values.values());
    }
  }

  /** Continues on the event loop of the request when a result is there. */
  private <T> void when(CompletionStage<T> result, Consumer<T> then) {
    var unused =
        result.whenComplete(
            (value, failure) ->
                context.runOnContext(
                    now -> {
                      if (failure == null) {
                        attempt(then, value);
                      } else {
                        onFailure(failure);
                      }
                    }));
  }

  private <T> void attempt(Consumer<T> step, T value) {
    try {
      step.accept(value);
    } catch (RuntimeException e) {
      onFailure(e);
    }
  }

  private void route(Descriptor descriptor) {
    if (ended) {
      return;
    }
    upstream = plan.route(descriptor);
    if (upstream == null) {
      refuse(Outcome.NO_ROUTE, 404, "no route (expected: a host and a path that the gateway has)");
      return;
    }
    upstream.retain();
    priority = plan.priority(descriptor);
    if (plan.rules().needsModel(descriptor)) {
      readBody(descriptor);
    } else {
      decide(descriptor);
    }
  }

  /** Reads the body first, since the rules depend on it. */
  private void readBody(Descriptor descriptor) {
    readingBody = true;
    cost.readBody(
        http,
        share,
        model -> {
          readingBody = false;
          if (!ended) {
            attempt(this::decide, descriptor.with(ResponseCost.MODEL, model));
          }
        });
  }

  private void decide(Descriptor descriptor) {
    match = cost.estimate(plan.rules().book().match(descriptor, HeldPermits.newHolder()));
    Answer answer = edge.limiter().take(match());
    if (answer instanceof Decision known) {
      onDecision(known);
    } else {
      when(answer.stage(), this::onDecision);
    }
  }

  /**
   * Whether the request gives way to others; if so, it has been answered. Asked at the last moment:
   * requests that are still being decided about, or held back, do not load the upstream.
   */
  private boolean isShed() {
    shedder = edge.shedder().of(plan.rules());
    if (shedder.isEmpty()) {
      return false;
    }
    int others = edge.requests().forwarded();
    Verdict verdict = shedder.get().admit(priority, others, System.nanoTime());
    if (verdict instanceof Verdict.Shed shed) {
      refuse(Outcome.SHED, shed.retryAfterSeconds());
      return true;
    }
    return false;
  }

  private Match match() {
    return Objects.requireNonNull(match, "matched before it is decided");
  }

  private void onFailure(Throwable failure) {
    if (!ended) {
      record.onFailure(match, failure);
      end(Unanswered.refuse(http, failure, edge.degraded()));
    }
  }

  private void onDecision(Decision known) {
    if (ended) {
      if (known.allowed()) {
        edge.limiter().giveBack(match(), known); // the client did not wait
        HeldPermits.of(match(), edge.limiter(), startNanos).releaseShadows();
      }
      return;
    }
    decision = known;
    record.onDecision(match(), known);
    if (!known.allowed()) {
      edge.headers().write(http.response(), match(), known);
      DecisionHeaders.deny(http.response(), match(), known, DenialBody.status(match()), false);
      UnreadBody.discard(http);
      end(Outcome.DENIED);
      return;
    }
    permits = HeldPermits.of(match(), edge.limiter(), startNanos);
    cost.onGranted(match(), known);
    long millis = known.delay().toMillis();
    if (millis > 0) {
      record.onWait(millis);
      timer = context.owner().setTimer(millis, now -> attempt(late -> forward(), now));
    } else {
      forward();
    }
  }

  private void forward() {
    timer = -1;
    if (ended || upstream == null || isShed()) {
      return;
    }
    if (!upstream.tryEnterGate()) {
      refuse(Outcome.UPSTREAM_BUSY, 1);
      return;
    }
    Decision known = Objects.requireNonNull(decision);
    var granted = new ForwardedRequest.Granted(match(), known, edge.headers(), cost, shedder);
    edge.requests().addForwarded();
    forwarded = new ForwardedRequest(http, upstream, forwarding, granted, this::end);
    forwarded.begin();
  }

  private void onClientGone() {
    if (ended || forwarded != null) {
      return; // the exchange learns of it itself
    }
    if (timer != -1) {
      context.owner().cancelTimer(timer);
    }
    giveBack();
    end(Outcome.CLIENT_GONE);
  }

  /** Gives back what was granted to a request that was not forwarded. */
  private void giveBack() {
    if (decision != null && decision.allowed()) {
      permits.releaseShadows(); // the others are given back with the rest
      edge.limiter().giveBack(match(), decision);
    }
  }

  /**
   * Refuses a request for which there is no capacity. The rules have counted it, as they count one
   * that a busy upstream refuses: otherwise a limit for everybody would let through many more, only
   * to be refused. What it would have cost is given back.
   */
  private void refuse(Outcome outcome, int retryAfterSeconds) {
    Capacity.refuse(http, retryAfterSeconds);
    cost.onNotSent();
    UnreadBody.discard(http);
    end(outcome);
  }

  private void refuse(Outcome outcome, int status, String detail) {
    Replies.error(http, status, detail);
    UnreadBody.discard(http);
    end(outcome);
  }

  /** Checks time limits, and renews permits. */
  void checkTime(long nowNanos) {
    if (readingBody && nowNanos - startNanos > MAX_BODY_NANOS) {
      refuse(Outcome.REFUSED, 408, "the request took too long to arrive");
      return;
    }
    permits.renewIfDue(nowNanos);
    if (forwarded != null) {
      forwarded.checkTime(nowNanos);
    }
  }

  private void end(Outcome outcome) {
    if (ended) {
      return;
    }
    ended = true;
    edge.requests().remove(this);
    share.end();
    if (forwarded != null) {
      edge.requests().removeForwarded();
    }
    permits.release();
    if (upstream != null) {
      upstream.release();
    }
    edge.stats().count(outcome);
    record.end(edge.log(), outcome, forwarding.ids(), upstream, forwarded);
  }
}
