package dev.weir.replay.log.line;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Undoes what logs do to bytes that could break a line.
 *
 * <p>One reader for all backslashes is enough, because no log uses one that means something else in
 * another: NGINX writes {@code \x22}, Apache {@code \"}, {@code \n} and {@code \x22}, JSON and Weir
 * also a {@code u} with four digits. With {@code 00e9} that is the byte E9, as Weir and NGINX write
 * it; what is beyond a byte becomes UTF-8. What is no escape stays as it is.
 */
public final class Escapes {
  private static final int[] HEX = new int[256];

  static {
    Arrays.fill(HEX, -1);
    for (int i = 0; i < 16; i++) {
      HEX[Character.forDigit(i, 16)] = i;
      HEX[Character.toUpperCase(Character.forDigit(i, 16))] = i;
    }
  }

  private Escapes() {}

  /**
   * Undoes backslashes.
   *
   * @param out has room for as many bytes as the range has
   * @param wide whether {@code \u00e9} becomes UTF-8 as well
   * @return how many bytes have been written
   */
  public static int undoBackslashes(byte[] in, int from, int to, byte[] out, boolean wide) {
    int length = 0;
    int at = from;
    while (at < to) {
      byte next = in[at++];
      if (next != '\\' || at == to) {
        out[length++] = next;
        continue;
      }
      byte kind = in[at];
      if (kind == 'x' && hex(in, at + 1, to, 2) >= 0) {
        out[length++] = (byte) hex(in, at + 1, to, 2);
        at += 3;
      } else if (kind == 'u' && hex(in, at + 1, to, 4) >= 0) {
        int character = hex(in, at + 1, to, 4);
        at += 5;
        if (Character.isHighSurrogate((char) character)
            && at + 1 < to
            && in[at] == '\\'
            && in[at + 1] == 'u'
            && Character.isLowSurrogate((char) Math.max(0, hex(in, at + 2, to, 4)))) {
          character = Character.toCodePoint((char) character, (char) hex(in, at + 2, to, 4));
          at += 6;
        }
        length = append(out, length, character, wide);
      } else {
        out[length++] = unescaped(kind);
        at++;
      }
    }
    return length;
  }

  private static int append(byte[] out, int length, int character, boolean wide) {
    if (character < 0x80 || (character <= 0xFF && !wide)) {
      out[length] = (byte) character;
      return length + 1;
    }
    byte[] encoded = Character.toString(character).getBytes(StandardCharsets.UTF_8);
    System.arraycopy(encoded, 0, out, length, encoded.length);
    return length + encoded.length;
  }

  private static byte unescaped(byte kind) {
    return switch (kind) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'v' -> 0x0B;
      default -> kind;
    };
  }

  /**
   * Undoes percent-encoding; {@code %2520} is a space as well, as CloudFront encodes what a client
   * has encoded already.
   *
   * @param plus whether a plus is a space, as in logs of IIS
   * @return how many bytes have been written
   */
  public static int undoPercents(byte[] in, int from, int to, byte[] out, boolean plus) {
    int length = 0;
    int at = from;
    while (at < to) {
      byte next = in[at++];
      if (next == '%' && !plus && hex(in, at, to, 2) >= 0) {
        int value = hex(in, at, to, 2);
        at += 2;
        if (value == '%' && hex(in, at, to, 2) >= 0) {
          value = hex(in, at, to, 2);
          at += 2;
        }
        out[length++] = (byte) value;
      } else {
        out[length++] = plus && next == '+' ? (byte) ' ' : next;
      }
    }
    return length;
  }

  private static int hex(byte[] in, int at, int to, int count) {
    if (to - at < count) {
      return -1;
    }
    int value = 0;
    for (int i = at; i < at + count; i++) {
      int digit = HEX[in[i] & 0xFF];
      if (digit < 0) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }
}
