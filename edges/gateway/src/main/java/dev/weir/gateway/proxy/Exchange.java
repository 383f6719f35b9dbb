package dev.weir.gateway.proxy;

import dev.weir.gateway.upstream.Upstream;
import dev.weir.gateway.upstream.UpstreamServer;
import dev.weir.server.log.Failures;
import io.vertx.core.AsyncResult;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way to an upstream and back. Confined to the event loop of the request.
 *
 * <p><b>Ends once.</b> Whatever happens first (the response is complete, the client or the upstream
 * is gone, a time limit passes), {@link #end} runs once: it stops both directions, and reports the
 * {@link ExchangeResult}. Permits are released by whoever gets the result.
 *
 * <p><b>Retries.</b> A request that no server has received is sent to another one. One that may
 * have been received is sent again only if it has no body and its method is idempotent, because a
 * server may close an idle connection just as a request is sent.
 */
public final class Exchange {
  private static final Logger LOG = System.getLogger(Exchange.class.getName());
  private static final int MAX_ATTEMPTS = 3;
  private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "OPTIONS", "PUT", "DELETE");
  private static final long INTERNAL_ERROR = 2;
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int OK = 200;

  private final ClientRequest client;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Upstream upstream;
  private final RequestHead head;
  private final ExchangeHandler handler;
  private final boolean hasBody;
  private final boolean upgrade;

  private final ExchangeClock clock;
  private final Upload upload;
  private final Download download;
  private final @Nullable Duration bodyPeriod;

  private @Nullable UpstreamServer server;
  private @Nullable HttpClientRequest outbound;
  private int attempts;
  private boolean ended;

  /**
   * @param buffered what was read of the body
   * @param bodyPeriod in which the minimum of a body's bytes must come
   */
  Exchange(
      ClientRequest client,
      Upstream upstream,
      RequestHead head,
      BufferedBody buffered,
      Duration bodyPeriod,
      ExchangeHandler handler) {
    this.client = client;
    this.request = client.http();
    this.response = request.response();
    this.upstream = upstream;
    this.head = head;
    this.clock = new ExchangeClock(upstream);
    this.upload = new Upload(client, buffered, clock);
    this.download = new Download(request, handler, clock);
    this.bodyPeriod = upstream.streams() ? null : bodyPeriod;
    this.handler = handler;
    this.upgrade = Tunnel.isRequestedBy(request) && !client.hasBody();
    this.hasBody = client.hasBody();
  }

  /** Sends the request to the upstream. */
  public void begin(long nowNanos) {
    response.closeHandler(closed -> onClientGone());
    response.exceptionHandler(failure -> onClientGone());
    request.exceptionHandler(failure -> onClientGone());
    connect(nowNanos);
  }

  private void connect(long nowNanos) {
    UpstreamServer next = upstream.pick(server, nowNanos);
    attempts++;
    server = next;
    clock.onConnect(nowNanos);
    upstream
        .connect(next, request.method(), client.forwardedTarget(), client.authority())
        .onComplete(this::onConnected);
  }

  private void onConnected(AsyncResult<HttpClientRequest> connected) {
    long now = ExchangeClock.nowNanos();
    if (ended) {
      if (connected.succeeded()) {
        var unused = connected.result().reset(OutboundRequests.CANCEL);
      }
      return;
    }
    if (connected.failed()) {
      onUnreachable(connected.cause(), now);
      return;
    }
    HttpClientRequest out = connected.result();
    outbound = out;
    out.exceptionHandler(failure -> {}); // the response fails too
    try {
      send(out, now);
    } catch (RuntimeException e) {
      Failures.log(LOG, "Failed to forward a request", e);
      end(ExchangeResult.FAILED);
    }
  }

  private void send(HttpClientRequest out, long now) {
    head.writeTo(out.headers());
    handler.onRequest(out, clock.onConnected(now));
    if (upgrade) {
      Tunnel.request(out);
      out.connect().onComplete(answer -> onAnswer(out, answer));
    } else {
      out.response().onComplete(answer -> onAnswer(out, answer));
      upload.begin(out, bodyPeriod);
    }
  }

  private void onUnreachable(Throwable cause, long now) {
    if (cause instanceof ConnectionPoolTooBusyException || cause instanceof TimeoutException) {
      end(ExchangeResult.UPSTREAM_BUSY);
      return;
    }
    upstream.onUnreachable(server(), cause, now);
    if (attempts < MAX_ATTEMPTS && attempts < upstream.size() + 1) {
      connect(now);
    } else {
      end(ExchangeResult.UNREACHABLE);
    }
  }

  private void onAnswer(HttpClientRequest from, AsyncResult<HttpClientResponse> answer) {
    if (ended || from != outbound) {
      if (answer.succeeded()) {
        answer.result().exceptionHandler(reset -> {}); // nobody waits for it
      }
      return;
    }
    long now = ExchangeClock.nowNanos();
    if (answer.failed()) {
      onFailure(now);
      return;
    }
    HttpClientResponse in = answer.result();
    if (!isFinal(in)) {
      OutboundRequests.leave(from); // the final response would be taken for that to another request
      onFailure(now);
      return;
    }
    clock.onAnswer(now);
    upstream.onResponse(server(), in.statusCode(), now);
    in.exceptionHandler(failure -> end(ExchangeResult.CUT_OFF));
    if (!download.prepare(in)) {
      end(ExchangeResult.FAILED);
      return;
    }
    if (in.statusCode() == SWITCHING_PROTOCOLS) {
      download.upgrade(in, this);
      return;
    }
    if (ResponseHead.isMisframed(in)) {
      OutboundRequests.leave(from);
    }
    download.begin(in, this);
  }

  /** Whether a response is the last to a request: that of HTTP, or a switch that was asked for. */
  private boolean isFinal(HttpClientResponse in) {
    return in.statusCode() >= OK
        || (upgrade && in.statusCode() == SWITCHING_PROTOCOLS && Tunnel.isAccepted(in, request));
  }

  private void onFailure(long now) {
    upstream.onFailure(server(), now);
    boolean again = !hasBody && IDEMPOTENT.contains(client.method()) && attempts < MAX_ATTEMPTS;
    if (again && !upgrade) {
      connect(now);
    } else {
      end(ExchangeResult.FAILED);
    }
  }

  private void onClientGone() {
    end(ExchangeResult.CLIENT_GONE);
  }

  /** The response was sent, or could not be. */
  void onSent(AsyncResult<Void> sent) {
    end(sent.succeeded() ? ExchangeResult.COMPLETE : ExchangeResult.CLIENT_GONE);
  }

  /** Both directions of an upgraded connection were closed. */
  void onTunnelClosed() {
    end(ExchangeResult.COMPLETE);
  }

  /** Bytes passed an upgraded connection. */
  void onTunnelBytes() {
    clock.onBytes();
  }

  /** Ends the exchange if one of its time limits has passed. Call it now and then. */
  public void checkTime(long nowNanos) {
    if (ended) {
      return;
    }
    if (upload.isTooSlow(nowNanos)) {
      end(ExchangeResult.SLOW_CLIENT);
      return;
    }
    ExchangeResult expired = clock.expired(nowNanos);
    if (expired == ExchangeResult.TIMED_OUT && !clock.isSending()) {
      upstream.onFailure(server(), nowNanos);
    }
    if (expired != null) {
      end(expired);
    }
  }

  private void end(ExchangeResult result) {
    if (ended) {
      return;
    }
    ended = true;
    upload.stop();
    download.stop();
    if (outbound != null && isUnfinished()) {
      OutboundRequests.abandon(
          outbound); // a reset would leave the connection to others once it was answered
    } else if (outbound != null && result != ExchangeResult.COMPLETE) {
      var unused = outbound.reset(OutboundRequests.CANCEL);
    }
    if (result == ExchangeResult.CUT_OFF) {
      var unused = response.reset(INTERNAL_ERROR);
    }
    handler.onEnd(result);
  }

  /** Whether the upstream still waits for a part of the request. */
  private boolean isUnfinished() {
    return upload.isUnfinished() || (upgrade && !download.isUpgraded());
  }

  private UpstreamServer server() {
    if (server == null) {
      throw new IllegalStateException("no server was chosen");
    }
    return server;
  }

  /**
   * The time until the response began, since another time; until now if it has not.
   *
   * @param sinceNanos by {@link System#nanoTime}
   */
  public long responseNanos(long sinceNanos) {
    return clock.responseNanos(sinceNanos);
  }

  /** The address of the server that got the request last; null before that. */
  public @Nullable String serverAddress() {
    return server == null ? null : server.toString();
  }

  /** The bytes of the request's body that were sent to the upstream. */
  public long requestBytes() {
    return upload.bytes();
  }

  /** The bytes of the response's body that were sent to the client. */
  public long responseBytes() {
    return download.bytes();
  }
}
