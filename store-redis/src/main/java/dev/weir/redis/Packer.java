package dev.weir.redis;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Writes a flat MessagePack array of numbers that are not negative, and of short texts. */
final class Packer {
  private static final int HEADER = 5;

  private byte[] bytes = new byte[256];
  private int size = HEADER;
  private int count;

  void number(long value) {
    ensure(9);
    count++;
    if (value < 0) {
      throw new IllegalArgumentException("value: " + value + " (expected: not negative)");
    } else if (value < 0x80) {
      bytes[size++] = (byte) value;
    } else if (value < 0x100) {
      bytes[size++] = (byte) 0xcc;
      bytes[size++] = (byte) value;
    } else if (value < 0x1_0000) {
      bytes[size++] = (byte) 0xcd;
      big(value, 2);
    } else if (value < 0x1_0000_0000L) {
      bytes[size++] = (byte) 0xce;
      big(value, 4);
    } else {
      bytes[size++] = (byte) 0xcf;
      big(value, 8);
    }
  }

  /** All 64 bits, as a text: a number in a script has only 53. */
  void text(long bits) {
    ensure(9);
    count++;
    bytes[size++] = (byte) (0xa0 | Long.BYTES);
    big(bits, 8);
  }

  private void big(long value, int length) {
    for (int shift = 8 * (length - 1); shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
  }

  private void ensure(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
  }

  /** A text of at most 31 bytes. */
  void text(byte[] text) {
    ensure(1 + text.length);
    count++;
    bytes[size++] = (byte) (0xa0 | text.length);
    System.arraycopy(text, 0, bytes, size, text.length);
    size += text.length;
  }

  /** What was written, without the array around it. */
  byte[] sequence() {
    return Arrays.copyOfRange(bytes, HEADER, size);
  }

  byte[] done() {
    ByteBuffer.wrap(bytes).put((byte) 0xdd).putInt(count);
    return Arrays.copyOf(bytes, size);
  }
}
