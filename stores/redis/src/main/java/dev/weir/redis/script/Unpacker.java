package dev.weir.redis.script;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Reads one flat MessagePack array of integers, as a script returns it from {@code cmsgpack}.
 *
 * <p>Written by hand for the reason given at {@link Packer}. Not thread-safe.
 */
public final class Unpacker {
  private final ByteBuffer bytes;

  /**
   * Begins at the first element.
   *
   * @throws IllegalArgumentException if the bytes are not an array
   */
  public Unpacker(byte[] packed) {
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
   * Reads the next number; a floating-point number loses its fraction.
   *
   * @throws BufferUnderflowException if there is none left
   * @throws IllegalArgumentException if the next element is not a number
   */
  public long number() {
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
