package dev.weir.server;

import dev.weir.server.transport.ByteBudget;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What has come of a request of HTTP/1 whose headers are not whole. A field of three bytes takes a
 * hundred in memory, so lines count as well as bytes. Touched by one event loop only.
 */
final class UnfinishedHead {
  /** What a field takes beside its characters. */
  private static final int BYTES_PER_LINE = 96;

  /** A name of one letter, a colon, and the end of the line. */
  private static final int MIN_BYTES_PER_LINE = 3;

  /** The lines of a request at most, the first included. */
  private static final int MAX_LINES = HeaderWeight.MAX_FIELDS + 1;

  private final ByteBudget budget;
  private ByteBudget.@Nullable Share share;
  private int lines;
  private int bytes;
  private int charged;

  /** Whether nothing has come of the line that is arriving. */
  private boolean atLineStart = true;

  UnfinishedHead(ByteBudget budget) {
    this.budget = budget;
  }

  /** Looks at more that has come: what follows the last empty line is a head, or a body. */
  void look(ByteBuf from, int start, int end) {
    if (endsHead(from, start, end)) {
      clear();
      return;
    }
    for (int i = start; i < end; i++) {
      byte one = from.getByte(i);
      bytes++;
      if (one == '\n') {
        lines++;
        if (atLineStart) {
          clear();
        }
        atLineStart = true;
      } else if (one != '\r') {
        atLineStart = false;
      }
    }
  }

  /** Forgets what was a body, if nothing follows it. */
  void ignore(int bodyBytes) {
    if (bodyBytes > 0 && bytes <= bodyBytes) {
      clear();
    }
  }

  /** Whether an empty line is the last, as in every request without a body. */
  private static boolean endsHead(ByteBuf from, int start, int end) {
    return end - start >= 4
        && from.getByte(end - 1) == '\n'
        && from.getByte(end - 2) == '\r'
        && from.getByte(end - 3) == '\n'
        && from.getByte(end - 4) == '\r';
  }

  /** Whether nothing of a head has come yet. */
  boolean isEmpty() {
    return bytes == 0;
  }

  /** Whether with so many bytes more it may have more fields than there may be. */
  boolean mayHaveManyFields(int more) {
    return bytes + more > HeaderWeight.MAX_FIELDS * MIN_BYTES_PER_LINE;
  }

  boolean hasTooManyLines() {
    return lines > MAX_LINES;
  }

  /** Whether there is room for it. */
  boolean isCharged() {
    int weight = bytes + lines * BYTES_PER_LINE;
    if (share == null) {
      share = budget.share();
    }
    if (!share.grow(weight - charged)) {
      return false;
    }
    charged = weight;
    return true;
  }

  /** Nothing is kept. */
  void clear() {
    lines = 0;
    bytes = 0;
    charged = 0;
    atLineStart = true;
    if (share != null) {
      share.end();
      share = null;
    }
  }
}
