package dev.weir.redis.script;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes one flat MessagePack array of non-negative integers and short strings.
 *
 * <p>Written by hand because the scripts need no more of the format than that, which is not worth a
 * dependency; Redis reads it with its built-in {@code cmsgpack}. Not thread-safe.
 */
public final class Packer {
  private static final int HEADER_BYTES = 5;

  private byte[] bytes = new byte[256];
  private int size = HEADER_BYTES;
  private int count;

  /**
   * Appends an integer in its shortest form.
   *
   * @throws IllegalArgumentException if the value is negative
   */
  public void number(long value) {
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
      bigEndian(value, 2);
    } else if (value < 0x1_0000_0000L) {
      bytes[size++] = (byte) 0xce;
      bigEndian(value, 4);
    } else {
      bytes[size++] = (byte) 0xcf;
      bigEndian(value, 8);
    }
  }

  /** Appends all 64 bits as a string of 8 bytes, because a number in a script has only 53 bits. */
  public void bitString(long bits) {
    ensure(9);
    count++;
    bytes[size++] = (byte) (0xa0 | Long.BYTES);
    bigEndian(bits, 8);
  }

  private void bigEndian(long value, int length) {
    for (int shift = 8 * (length - 1); shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
  }

  private void ensure(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
  }

  /** Appends a string of at most 31 bytes. */
  public void string(byte[] string) {
    ensure(1 + string.length);
    count++;
    bytes[size++] = (byte) (0xa0 | string.length);
    System.arraycopy(string, 0, bytes, size, string.length);
    size += string.length;
  }

  /** The elements written so far, without the array header. */
  byte[] elements() {
    return Arrays.copyOfRange(bytes, HEADER_BYTES, size);
  }

  /** The complete array. */
  public byte[] toByteArray() {
    ByteBuffer.wrap(bytes).put((byte) 0xdd).putInt(count);
    return Arrays.copyOf(bytes, size);
  }
}
