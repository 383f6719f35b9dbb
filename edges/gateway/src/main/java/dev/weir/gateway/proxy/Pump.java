package dev.weir.gateway.proxy;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import java.util.function.Consumer;

/**
 * Moves bytes from one stream to another, no faster than the other takes them. Confined to one
 * event loop.
 */
final class Pump {
  private static final long UNKNOWN = -1;

  private final ReadStream<Buffer> from;
  private final WriteStream<Buffer> to;
  private final Watch watch;
  private long bytes;
  private boolean stopped;
  private boolean blocked;
  private boolean ended;
  private long length = UNKNOWN;
  private Consumer<Buffer> onLast = part -> {};

  /** Sees the bytes that are moved. */
  interface Watch {
    /** A part was read, and is about to be written. */
    void onBytes(Buffer part);
  }

  Pump(ReadStream<Buffer> from, WriteStream<Buffer> to, Watch watch) {
    this.from = from;
    this.to = to;
    this.watch = watch;
  }

  /**
   * Hands over the part that is the last by the length of the whole, instead of moving it: so it
   * can be sent together with the end.
   */
  void endAt(long total, Consumer<Buffer> last) {
    length = total;
    onLast = last;
  }

  /** Starts to move bytes; {@code onEnd} runs after the last of them. */
  void start(Runnable onEnd) {
    from.handler(this::move);
    from.endHandler(
        end -> {
          ended = true;
          if (!stopped) {
            stopped = true;
            onEnd.run();
          }
        });
    from.resume();
  }

  private void move(Buffer part) {
    if (stopped) {
      return;
    }
    bytes += part.length();
    watch.onBytes(part);
    if (bytes == length) {
      stopped = true;
      ended = true;
      onLast.accept(part);
      return;
    }
    var unused = to.write(part);
    if (to.writeQueueFull()) {
      blocked = true;
      from.pause();
      to.drainHandler(
          drained -> {
            blocked = false;
            from.resume();
          });
    }
  }

  /** Drops whatever still comes. */
  void stop() {
    stopped = true;
  }

  /** Whether the other side takes no bytes now. */
  boolean isBlocked() {
    return blocked;
  }

  /** Whether the last byte was read. */
  boolean hasEnded() {
    return ended;
  }

  /** How many bytes were moved so far. */
  long bytes() {
    return bytes;
  }
}
