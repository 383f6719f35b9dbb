package dev.weir.gateway;

import dev.weir.Decision;
import dev.weir.gateway.GatewayStats.Outcome;
import dev.weir.gateway.log.AccessEntry;
import dev.weir.gateway.proxy.ClientRequest;
import dev.weir.gateway.upstream.Upstream;
import dev.weir.http.identity.RequestValues;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import io.vertx.core.http.HttpServerResponse;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Collects what the access log says of a request. Confined to the event loop of the request. */
final class AccessRecord {
  private static final long NANOS_PER_MICRO = 1_000;

  private final ClientRequest client;
  private final RequestValues values;
  private final Instant arrived = Instant.now();
  private final long startNanos;
  private @Nullable Match match;
  private @Nullable Decision decision;
  private long waitMillis;

  AccessRecord(ClientRequest client, RequestValues values, long startNanos) {
    this.client = client;
    this.values = values;
    this.startNanos = startNanos;
  }

  /** The request is decided. */
  void onDecision(Match charges, Decision known) {
    match = charges;
    decision = known;
  }

  /** The request is held back. */
  void onWait(long millis) {
    waitMillis = millis;
  }

  /**
   * The entry, now that the request is over.
   *
   * @param upstream where it was routed; null if nowhere
   * @param forwarded null if it was not forwarded
   */
  AccessEntry entry(
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
