package dev.weir.server.listen;

import dev.weir.server.transport.ByteBudget;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Measures the incomplete head of an HTTP/1 request. A field of three bytes takes a hundred in
 * memory, so lines count as well as bytes. Confined to one event loop.
 */
final class PartialHead {
  /** The memory overhead of a field, beside its characters. */
  private static final int BYTES_PER_LINE = 96;

  /** A name of one letter, a colon, and the end of the line. */
  private static final int MIN_BYTES_PER_LINE = 3;

  /** The maximum number of lines in a head, the request line included. */
  private static final int MAX_LINES = HeaderSize.MAX_FIELDS + 1;

  private final ByteBudget budget;
  private ByteBudget.@Nullable Share share;
  private int lines;
  private int bytes;
  private int charged;

  /** Whether the current line is empty so far. */
  private boolean atLineStart = true;

  PartialHead(ByteBudget budget) {
    this.budget = budget;
  }

  /** Adds received bytes: what follows the last empty line is a head, or a body. */
  void add(ByteBuf from, int start, int end) {
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

  /** Drops bytes that turned out to be a body, if nothing follows it. */
  void dropBody(int bodyBytes) {
    if (bodyBytes > 0 && bytes <= bodyBytes) {
      clear();
    }
  }

  /** Whether the bytes end with an empty line, as every request without a body does. */
  private static boolean endsHead(ByteBuf from, int start, int end) {
    return end - start >= 4
        && from.getByte(end - 1) == '\n'
        && from.getByte(end - 2) == '\r'
        && from.getByte(end - 3) == '\n'
        && from.getByte(end - 4) == '\r';
  }

  /** Whether no byte of a head has arrived. */
  boolean isEmpty() {
    return bytes == 0;
  }

  /** Whether the head may have too many fields, once {@code more} bytes are added. */
  boolean mayHaveManyFields(int more) {
    return bytes + more > HeaderSize.MAX_FIELDS * MIN_BYTES_PER_LINE;
  }

  boolean hasTooManyLines() {
    return lines > MAX_LINES;
  }

  /** Charges the head to the budget; false if the budget is exhausted. */
  boolean charge() {
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

  /** Drops everything and releases the budget. */
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
