package dev.weir.gateway.proxy;

import dev.weir.gateway.log.AccessEntry;
import dev.weir.gateway.upstream.Upstream;
import dev.weir.server.telemetry.TraceContext;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** How a request is forwarded: under which names, and with which headers. */
public final class Forwarding {
  private final ClientRequest client;
  private final TraceIds ids;
  private final RequestHead head;
  private final Duration bodyPeriod;

  private Forwarding(ClientRequest client, TraceIds ids, RequestHead head, Duration bodyPeriod) {
    this.client = client;
    this.ids = ids;
    this.head = head;
    this.bodyPeriod = bodyPeriod;
  }

  /**
   * Prepares a request.
   *
   * @param trusted whether its peer is a trusted proxy
   * @param trustedHeaders the headers, in lower case, that rules believe from trusted proxies alone
   * @param bodyPeriod in which the minimum of a body's bytes must come
   * @param trace that the request belongs to
   */
  public static Forwarding of(
      ClientRequest client,
      boolean trusted,
      Set<String> trustedHeaders,
      Duration bodyPeriod,
      TraceContext trace) {
    TraceIds ids =
        TraceIds.of(
            client.http().getHeader("X-Request-Id"),
            trusted,
            trace,
            () -> ThreadLocalRandom.current().nextLong());
    RequestHead head = new RequestHead(client, trusted, trustedHeaders, ids);
    return new Forwarding(client, ids, head, bodyPeriod);
  }

  /** The value of {@code X-Request-Id}. */
  public String requestId() {
    return ids.requestId();
  }

  /** Its names in the access log. */
  public AccessEntry.Ids ids() {
    return new AccessEntry.Ids(ids.requestId(), ids.trace().traceId());
  }

  /**
   * An exchange with an upstream, which has not begun.
   *
   * @param buffered what was read of the body
   */
  public Exchange exchange(Upstream upstream, BufferedBody buffered, ExchangeHandler handler) {
    return new Exchange(client, upstream, head, buffered, bodyPeriod, handler);
  }
}
