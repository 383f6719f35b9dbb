package dev.weir.gateway.proxy;

import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The body of a request on its way to the upstream. Confined to one event loop. */
final class Upload {
  private final HttpServerRequest request;
  private final boolean hasBody;
  private final BufferedBody buffered;
  private final ExchangeClock clock;
  private @Nullable Pump pump;
  private @Nullable BodyPace pace;

  /**
   * @param buffered what was read of the body
   */
  Upload(ClientRequest client, BufferedBody buffered, ExchangeClock clock) {
    this.request = client.http();
    this.hasBody = client.hasBody();
    this.buffered = buffered;
    this.clock = clock;
  }

  /**
   * Sends the body.
   *
   * @param period in which the minimum of its bytes must come; null if it may be slow
   */
  void begin(HttpClientRequest out, @Nullable Duration period) {
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
    } else if (request.headers().contains(HttpHeaders.EXPECT)) {
      var unused = request.response().writeContinue();
    }
    Pump created = new Pump(request, out, part -> clock.onBytes());
    pump = created;
    pace = period == null ? null : new BodyPace(period, ExchangeClock.nowNanos());
    clock.onSending();
    created.start(
        () -> {
          clock.onSent();
          var unused = out.end();
        });
  }

  /** Whether the client has sent too little lately, and the upstream waits for more. */
  boolean isTooSlow(long nowNanos) {
    return pace != null
        && pump != null
        && clock.isSending()
        && pace.isTooSlow(nowNanos, pump.bytes(), pump.isBlocked());
  }

  /** Whether the body has begun, and not ended. */
  boolean isUnfinished() {
    return pump != null && !pump.hasEnded();
  }

  /** Drops what still comes. */
  void stop() {
    if (pump != null) {
      pump.stop();
    }
  }

  /** The bytes that were sent to the upstream. */
  long bytes() {
    return buffered.bytes().length() + (pump == null ? 0 : pump.bytes());
  }
}
