package dev.weir.gateway.proxy;

import dev.weir.gateway.upstream.Upstream;
import dev.weir.gateway.upstream.UpstreamServer;
import io.vertx.core.AsyncResult;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Set;
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
  private static final int MAX_ATTEMPTS = 3;
  private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "OPTIONS", "PUT", "DELETE");
  private static final long CANCEL = 8;
  private static final long INTERNAL_ERROR = 2;
  private static final int SWITCHING_PROTOCOLS = 101;

  private final ClientRequest client;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Upstream upstream;
  private final RequestHead head;
  private final ExchangeHandler handler;
  private final BufferedBody buffered;
  private final boolean hasBody;
  private final boolean upgrade;

  private @Nullable UpstreamServer server;
  private @Nullable HttpClientRequest outbound;
  private @Nullable Pump toUpstream;
  private @Nullable Pump toClient;
  private @Nullable Tunnel tunnel;
  private int attempts;
  private boolean answered;
  private boolean ended;
  private long waitingSinceNanos;
  private long answeredNanos;
  private long activeNanos;

  /**
   * @param buffered what was read of the body
   */
  Exchange(
      ClientRequest client,
      Upstream upstream,
      RequestHead head,
      BufferedBody buffered,
      ExchangeHandler handler) {
    this.client = client;
    this.request = client.http();
    this.response = request.response();
    this.upstream = upstream;
    this.head = head;
    this.buffered = buffered;
    this.handler = handler;
    this.upgrade = Tunnel.isRequestedBy(request) && !client.hasBody();
    this.hasBody = client.hasBody();
  }

  /** Sends the request to the upstream. */
  public void begin(long nowNanos) {
    activeNanos = nowNanos;
    response.closeHandler(closed -> onClientGone());
    response.exceptionHandler(failure -> onClientGone());
    request.exceptionHandler(failure -> onClientGone());
    connect(nowNanos);
  }

  private void connect(long nowNanos) {
    UpstreamServer next = upstream.pick(server, nowNanos);
    attempts++;
    server = next;
    waitingSinceNanos = nowNanos;
    upstream
        .connect(next, request.method(), client.forwardedTarget(), client.authority())
        .onComplete(this::onConnected);
  }

  private void onConnected(AsyncResult<HttpClientRequest> connected) {
    long now = System.nanoTime();
    if (ended) {
      if (connected.succeeded()) {
        var unused = connected.result().reset(CANCEL);
      }
      return;
    }
    if (connected.failed()) {
      onUnreachable(now);
      return;
    }
    HttpClientRequest out = connected.result();
    outbound = out;
    out.exceptionHandler(failure -> {}); // the response fails too
    head.writeTo(out.headers());
    handler.onRequest(out, now - waitingSinceNanos);
    waitingSinceNanos = now;
    activeNanos = now;
    if (upgrade) {
      Tunnel.request(out, request);
      out.connect().onComplete(answer -> onAnswer(out, answer));
    } else {
      out.response().onComplete(answer -> onAnswer(out, answer));
      sendBody(out);
    }
  }

  private void onUnreachable(long now) {
    upstream.onFailure(server(), now);
    if (attempts < MAX_ATTEMPTS && attempts < upstream.size() + 1) {
      connect(now);
    } else {
      end(ExchangeResult.UNREACHABLE);
    }
  }

  private void sendBody(HttpClientRequest out) {
    if (!hasBody) {
      var unused = out.end();
      request.resume();
      return;
    }
    if (buffered.isWhole()) {
      out.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(buffered.bytes().length()));
      var unused = out.end(buffered.bytes());
      return;
    }
    if (!out.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
      out.setChunked(true);
    }
    if (buffered.bytes().length() > 0) {
      var unused = out.write(buffered.bytes());
    } else if (toUpstream == null && request.headers().contains(HttpHeaders.EXPECT)) {
      var unused = response.writeContinue();
    }
    Pump pump = new Pump(request, out, part -> activeNanos = System.nanoTime());
    toUpstream = pump;
    pump.start(
        () -> {
          waitingSinceNanos = System.nanoTime();
          var unused = out.end();
        });
  }

  private void onAnswer(HttpClientRequest from, AsyncResult<HttpClientResponse> answer) {
    if (ended || from != outbound) {
      return;
    }
    long now = System.nanoTime();
    activeNanos = now;
    if (answer.failed()) {
      onFailure(now);
      return;
    }
    HttpClientResponse in = answer.result();
    if ((in.statusCode() == SWITCHING_PROTOCOLS) != upgrade && in.statusCode() < 200) {
      onFailure(now); // it switches protocols though nobody asked for it
      return;
    }
    answered = true;
    answeredNanos = now;
    upstream.onResponse(server(), in.statusCode(), now);
    in.exceptionHandler(failure -> end(ExchangeResult.CUT_OFF));
    if (upgrade && in.statusCode() == SWITCHING_PROTOCOLS) {
      in.pause();
      tunnel = Tunnel.open(in, request, this);
      return;
    }
    ResponseHead.copy(in, request);
    handler.onResponse(in, response);
    Pump pump =
        new Pump(
            in,
            response,
            part -> {
              activeNanos = System.nanoTime();
              handler.onResponseBytes(part);
            });
    toClient = pump;
    pump.start(
        () -> {
          ResponseHead.copyTrailers(in, request);
          response
              .end()
              .onComplete(
                  sent ->
                      end(sent.succeeded() ? ExchangeResult.COMPLETE : ExchangeResult.CLIENT_GONE));
        });
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

  /** Both directions of an upgraded connection were closed. */
  void onTunnelClosed() {
    end(ExchangeResult.COMPLETE);
  }

  /** Bytes passed an upgraded connection. */
  void onTunnelBytes() {
    activeNanos = System.nanoTime();
  }

  /** Ends the exchange if one of its time limits has passed. Call it now and then. */
  public void checkTime(long nowNanos) {
    if (ended) {
      return;
    }
    boolean sending = toUpstream != null && !answered && waitingSinceNanos < activeNanos;
    if (nowNanos - activeNanos > upstream.idleNanos()) {
      end(answered ? ExchangeResult.CUT_OFF : ExchangeResult.TIMED_OUT);
    } else if (!answered && !sending && nowNanos - waitingSinceNanos > upstream.responseNanos()) {
      upstream.onFailure(server(), nowNanos);
      end(ExchangeResult.TIMED_OUT);
    }
  }

  private void end(ExchangeResult result) {
    if (ended) {
      return;
    }
    ended = true;
    if (toUpstream != null) {
      toUpstream.stop();
    }
    if (toClient != null) {
      toClient.stop();
    }
    if (tunnel != null) {
      tunnel.close();
    }
    if (outbound != null && result != ExchangeResult.COMPLETE) {
      var unused = outbound.reset(CANCEL);
    }
    if (result == ExchangeResult.CUT_OFF) {
      var unused = response.reset(INTERNAL_ERROR);
    }
    handler.onEnd(result);
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
    return (answered ? answeredNanos : System.nanoTime()) - sinceNanos;
  }

  /** The address of the server that got the request last; null before that. */
  public @Nullable String serverAddress() {
    return server == null ? null : server.toString();
  }

  /** The bytes of the request's body that were sent to the upstream. */
  public long requestBytes() {
    return buffered.bytes().length() + (toUpstream == null ? 0 : toUpstream.bytes());
  }

  /** The bytes of the response's body that were sent to the client. */
  public long responseBytes() {
    return toClient == null ? tunnel == null ? 0 : tunnel.bytes() : toClient.bytes();
  }
}
