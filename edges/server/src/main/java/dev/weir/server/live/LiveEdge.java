package dev.weir.server.live;

import dev.weir.server.callers.CallerStats;
import dev.weir.server.callers.FleetCallers;
import dev.weir.server.reply.Replies;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * {@code GET /live}: server-sent events, one with the history and then one each second.
 *
 * <p>At most {@value #MAX_STREAMS} pages are served at a time. A second is skipped for a page that
 * has not read the ones before it, so that nothing piles up.
 *
 * <p>Thread-safe.
 */
public final class LiveEdge {
  static final int MAX_STREAMS = 20;

  private final LiveFeed feed;
  private final Sampler sampler;
  private final Queue<Stream> streams = new ConcurrentLinkedQueue<>();
  private final AtomicInteger open = new AtomicInteger();
  private long knownEvents;

  /** An open page, which is one of {@link #MAX_STREAMS} until its response ends in any way. */
  private final class Stream {
    private final Context context;
    private final HttpServerResponse response;
    private final BooleanSupplier admitted;
    private boolean over;

    /**
     * @param admitted whether it may go on reading
     */
    Stream(Context context, HttpServerResponse response, BooleanSupplier admitted) {
      this.context = context;
      this.response = response;
      this.admitted = admitted;
      // Of HTTP/1.1, one tells of responses that end, and the other of clients that leave before.
      response.bodyEndHandler(ended -> leave());
      response.closeHandler(gone -> leave());
    }

    private void leave() {
      if (!over) {
        over = true;
        streams.remove(this);
        open.decrementAndGet();
      }
    }

    void end() {
      context.runOnContext(
          now -> {
            if (!response.closed() && !response.ended()) {
              var unused = response.end();
            }
          });
    }

    void send(Buffer event) {
      context.runOnContext(now -> sendNow(event));
    }

    private void sendNow(Buffer event) {
      if (response.closed() || response.ended()) {
        return;
      }
      if (!admitted.getAsBoolean()) {
        var unused = response.end();
      } else if (!response.writeQueueFull()) {
        var unused = response.write(event);
      }
    }
  }

  /**
   * An edge that sends what a sampler reads.
   *
   * @param status of the server, as {@code /readyz} has it
   */
  public LiveEdge(
      Sampler sampler, CallerStats stats, FleetCallers fleet, Supplier<JsonObject> status) {
    this.feed = new LiveFeed(sampler, stats, fleet, status);
    this.sampler = sampler;
    sampler.onSecond(this::sendSecond);
  }

  /**
   * Answers with events until the client leaves, or may no longer read them.
   *
   * @param admitted whether it may; asked each second
   */
  public void handle(HttpServerRequest request, BooleanSupplier admitted) {
    if (open.incrementAndGet() > MAX_STREAMS) {
      open.decrementAndGet();
      Replies.error(request, 503, "/live: too many pages are open (expected: " + MAX_STREAMS + ")");
      return;
    }
    Context context = Vertx.currentContext();
    HttpServerResponse response = request.response();
    response
        .putHeader("Content-Type", "text/event-stream")
        .putHeader("Cache-Control", "no-store")
        .putHeader("X-Accel-Buffering", "no")
        .setChunked(true);
    Stream stream = new Stream(context, response, admitted);
    Replies.when(
        request,
        context
            .executeBlocking(() -> event("snapshot", feed.snapshot()), false)
            .toCompletionStage(),
        snapshot -> {
          var unused = response.write(snapshot);
          streams.add(stream);
        });
  }

  /** Ends all streams, so that nothing waits for pages that are open; begins no more. */
  public void close() {
    open.addAndGet(MAX_STREAMS);
    streams.forEach(Stream::end);
  }

  private void sendSecond() {
    if (streams.isEmpty()) {
      knownEvents = sampler.events().added(); // a new page gets them with its snapshot
      return;
    }
    JsonObject second = feed.second(knownEvents);
    knownEvents = second.getLong(LiveFeed.EVENT_COUNT);
    Buffer event = event("second", second);
    streams.forEach(stream -> stream.send(event));
  }

  private static Buffer event(String name, JsonObject data) {
    return Buffer.buffer("event: " + name + "\ndata: " + data.encode() + "\n\n");
  }
}
