package dev.weir.gateway;

import dev.weir.Decision;
import dev.weir.StoreFailure;
import dev.weir.gateway.GatewayStats.Outcome;
import dev.weir.gateway.log.AccessEntry;
import dev.weir.gateway.log.AccessLog;
import dev.weir.gateway.proxy.ClientRequest;
import dev.weir.gateway.upstream.Upstream;
import dev.weir.http.identity.RequestValues;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.server.telemetry.Decided;
import dev.weir.server.telemetry.RequestObserver;
import io.vertx.core.http.HttpServerResponse;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Collects what the access log and others say of a request. Confined to the event loop of the
 * request.
 */
final class AccessRecord {
  private static final long NANOS_PER_MICRO = 1_000;
  private static final int NO_RESPONSE = -1;

  private final ClientRequest client;
  private final RequestValues values;
  private final Instant arrived = Instant.now();
  private final long startNanos;
  private final RequestObserver seen;
  private @Nullable Match match;
  private @Nullable Decision decision;
  private long waitMillis;

  /**
   * @param seen notes what becomes of the request
   */
  AccessRecord(ClientRequest client, RequestValues values, long startNanos, RequestObserver seen) {
    this.client = client;
    this.values = values;
    this.startNanos = startNanos;
    this.seen = seen;
    seen.onRequest(client.method(), client.target());
  }

  /** The request is decided. */
  void onDecision(Match charges, Decision known) {
    match = charges;
    decision = known;
    seen.onDecision(charges, known);
  }

  /**
   * Nothing was decided.
   *
   * @param charges null if there were none yet
   */
  void onFailure(@Nullable Match charges, Throwable failure) {
    if (charges != null && StoreFailure.cause(failure) instanceof StoreFailure) {
      seen.onUnanswered(charges);
    } else {
      seen.onDecided(Decided.without(Decided.FAILED));
    }
  }

  /** The request is held back. */
  void onWait(long millis) {
    waitMillis = millis;
  }

  /**
   * Logs the request, now that it is over.
   *
   * @param upstream where it was routed; null if nowhere
   * @param forwarded null if it was not forwarded
   */
  void end(
      Optional<AccessLog> log,
      Outcome outcome,
      AccessEntry.Ids ids,
      @Nullable Upstream upstream,
      @Nullable ForwardedRequest forwarded) {
    if (outcome == Outcome.SHED) {
      seen.onDecided(Decided.SHED_REQUEST);
    }
    HttpServerResponse response = client.http().response();
    seen.end(response.headWritten() ? response.getStatusCode() : NO_RESPONSE);
    log.ifPresent(lines -> lines.add(entry(outcome, ids, upstream, forwarded)));
  }

  private AccessEntry entry(
      Outcome outcome,
      AccessEntry.Ids ids,
      @Nullable Upstream upstream,
      @Nullable ForwardedRequest forwarded) {
    HttpServerResponse response = client.http().response();
    return new AccessEntry(
        arrived,
        client.logged(values.clientAddress()),
        new AccessEntry.Response(
            response.headWritten() ? response.getStatusCode() : 0,
            forwarded == null ? 0 : forwarded.requestBytes(),
            forwarded == null ? 0 : forwarded.responseBytes(),
            (System.nanoTime() - startNanos) / NANOS_PER_MICRO,
            waitMillis),
        outcome.label,
        match == null || decision == null
            ? null
            : match.decisiveRule(decision).map(Rule::name).orElse(null),
        new AccessEntry.Upstream(
            upstream == null ? null : upstream.settings().name(),
            forwarded == null ? null : forwarded.serverAddress()),
        ids);
  }
}
