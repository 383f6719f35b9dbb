package dev.weir.gateway.proxy;

import dev.weir.gateway.log.AccessEntry;
import dev.weir.gateway.upstream.Upstream;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** How a request is forwarded: under which names, and with which headers. */
public final class Forwarding {
  private final ClientRequest client;
  private final TraceIds ids;
  private final RequestHead head;

  private Forwarding(ClientRequest client, TraceIds ids, RequestHead head) {
    this.client = client;
    this.ids = ids;
    this.head = head;
  }

  /**
   * Prepares a request.
   *
   * @param trusted whether its peer is a trusted proxy
   * @param trustedHeaders the headers, in lower case, that rules believe from trusted proxies alone
   */
  public static Forwarding of(ClientRequest client, boolean trusted, Set<String> trustedHeaders) {
    TraceIds ids =
        TraceIds.of(
            client.http().getHeader("X-Request-Id"),
            client.http().getHeader("traceparent"),
            trusted,
            () -> ThreadLocalRandom.current().nextLong());
    return new Forwarding(client, ids, new RequestHead(client, trusted, trustedHeaders, ids));
  }

  /** The value of {@code X-Request-Id}. */
  public String requestId() {
    return ids.requestId();
  }

  /** Its names in the access log. */
  public AccessEntry.Ids ids() {
    return new AccessEntry.Ids(ids.requestId(), ids.traceId());
  }

  /**
   * An exchange with an upstream, which has not begun.
   *
   * @param buffered what was read of the body
   */
  public Exchange exchange(Upstream upstream, BufferedBody buffered, ExchangeHandler handler) {
    return new Exchange(client, upstream, head, buffered, handler);
  }
}
