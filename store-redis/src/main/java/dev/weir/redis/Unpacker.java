package dev.weir.redis;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/** Reads a flat MessagePack array of whole numbers. */
final class Unpacker {
  private final ByteBuffer bytes;

  Unpacker(byte[] packed) {
    this.bytes = ByteBuffer.wrap(packed);
    int head = bytes.get() & 0xff;
    int header =
        switch (head) {
          case 0xdc -> 3;
          case 0xdd -> 5;
          default -> (head & 0xf0) == 0x90 ? 1 : -1;
        };
    if (header < 0) {
      throw new IllegalArgumentException("answer: " + head + " (expected: an array)");
    }
    bytes.position(header);
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
