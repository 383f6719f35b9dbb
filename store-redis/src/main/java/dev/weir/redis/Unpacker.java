package dev.weir.redis;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/** Reads whole numbers, and texts between them: a MessagePack array, or a sequence of its own. */
final class Unpacker {
  private final ByteBuffer bytes;
  private final boolean sequence;

  Unpacker(byte[] packed) {
    this.bytes = ByteBuffer.wrap(packed);
    int head = bytes.get(0) & 0xff;
    int header =
        switch (head) {
          case 0xdc -> 3;
          case 0xdd -> 5;
          default -> (head & 0xf0) == 0x90 ? 1 : 0;
        };
    this.sequence = header == 0;
    bytes.position(header);
  }

  /** Whether this is a sequence, not an array. */
  boolean isSequence() {
    return sequence;
  }

  /** Enters a text, and tells where it ends; -1 if there is none, but false. */
  int textEnd() {
    int head = bytes.get() & 0xff;
    int length =
        switch (head) {
          case 0xc2 -> -1;
          case 0xd9 -> bytes.get() & 0xff;
          case 0xda -> bytes.getShort() & 0xffff;
          case 0xdb -> bytes.getInt();
          default -> {
            if ((head & 0xe0) != 0xa0) {
              throw new IllegalArgumentException("answer: " + head + " (expected: a text)");
            }
            yield head & 0x1f;
          }
        };
    return length < 0 ? -1 : bytes.position() + length;
  }

  double littleDouble() {
    return Double.longBitsToDouble(Long.reverseBytes(bytes.getLong()));
  }

  void skipTo(int position) {
    bytes.position(position);
  }

  /**
   * @throws BufferUnderflowException if there is none left
   */
  long number() {
    int head = bytes.get() & 0xff;
    if (head < 0x80) {
      return head;
    }
    return switch (head) {
      case 0xcc -> bytes.get() & 0xff;
      case 0xcd -> bytes.getShort() & 0xffff;
      case 0xce -> bytes.getInt() & 0xffff_ffffL;
      case 0xcf, 0xd3 -> bytes.getLong();
      case 0xd0 -> bytes.get();
      case 0xd1 -> bytes.getShort();
      case 0xd2 -> bytes.getInt();
      case 0xca -> (long) bytes.getFloat();
      case 0xcb -> (long) bytes.getDouble();
      default -> {
        if (head < 0xe0) {
          throw new IllegalArgumentException("answer: " + head + " (expected: a number)");
        }
        yield (byte) head;
      }
    };
  }
}
