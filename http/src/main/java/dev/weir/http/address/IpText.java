package dev.weir.http.address;

import dev.weir.http.Ascii;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Parses addresses strictly and formats them canonically. */
final class IpText {
  /** The length of the longest text that is parsed, zone included. */
  private static final int MAX_CHARS = 128;

  private IpText() {}

  /** The address as written; null if the text is none. A zone ({@code %eth0}) is dropped. */
  static @Nullable Ip parse(String text, int from, int to) {
    if (to - from < 2 || to - from > MAX_CHARS) {
      return null;
    }
    int colon = text.indexOf(':', from);
    if (colon < 0 || colon >= to) {
      return parseQuad(text, from, to);
    }
    int zone = text.indexOf('%', from);
    if (zone < 0 || zone >= to) {
      return parseColons(text, from, to);
    }
    return isZone(text, zone + 1, to) ? parseColons(text, from, zone) : null;
  }

  private static boolean isZone(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (!Ascii.isLetterOrDigit(c) && "._~-".indexOf(c) < 0) {
        return false;
      }
    }
    return from < to;
  }

  /** Parses four decimal numbers without leading zeros, which some systems read as octal. */
  private static @Nullable Ip parseQuad(String text, int from, int to) {
    long bits = 0;
    int i = from;
    for (int part = 1; ; part++) {
      int start = i;
      int value = 0;
      while (i < to && i - start < 4 && Ascii.isDigit(text.charAt(i))) {
        value = value * 10 + text.charAt(i++) - '0';
      }
      int digits = i - start;
      if (digits == 0 || value > 255 || (digits > 1 && text.charAt(start) == '0')) {
        return null;
      }
      bits = bits << 8 | value;
      if (part == 4) {
        return i == to ? Ip.ofV4(bits) : null;
      }
      if (i == to || text.charAt(i++) != '.') {
        return null;
      }
    }
  }

  private static @Nullable Ip parseColons(String text, int from, int to) {
    int[] groups = new int[8];
    int count = 0;
    boolean hasGap = text.startsWith("::", from) && to - from >= 2;
    int gap = 0;
    int i = hasGap ? from + 2 : from;
    while (i < to) {
      int start = i;
      int value = 0;
      while (i < to && i - start < 5 && Ascii.isHex(text.charAt(i))) {
        value = value << 4 | Character.digit(text.charAt(i++), 16);
      }
      if (i < to && text.charAt(i) == '.' && count <= 6) {
        Ip quad = parseQuad(text, start, to);
        if (quad == null) {
          return null;
        }
        groups[count++] = (int) (quad.low() >>> 16);
        groups[count++] = (int) (quad.low() & 0xFFFF);
        break;
      }
      if (i == start || i - start > 4 || count == 8) {
        return null;
      }
      groups[count++] = value;
      if (i == to) {
        break;
      }
      if (text.charAt(i++) != ':' || i == to) {
        return null;
      }
      if (text.charAt(i) == ':') {
        if (hasGap) {
          return null;
        }
        hasGap = true;
        gap = count;
        i++;
      }
    }
    // A gap stands for at least one group of zeros.
    return hasGap == (count < 8) ? join(groups, hasGap ? gap : 8, count) : null;
  }

  /** Joins the groups before the gap, zeros, and the groups after it. */
  private static Ip join(int[] groups, int gap, int count) {
    long high = 0;
    long low = 0;
    for (int i = 0; i < count; i++) {
      int group = i < gap ? i : 8 - count + i;
      if (group < 4) {
        high |= (long) groups[i] << (48 - 16 * group);
      } else {
        low |= (long) groups[i] << (112 - 16 * group);
      }
    }
    return Ip.ofV6(high, low);
  }

  static String quad(long bits) {
    byte[] text = new byte[15];
    int at = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
      int value = (int) (bits >>> shift & 0xFF);
      if (value >= 100) {
        text[at++] = (byte) ('0' + value / 100);
      }
      if (value >= 10) {
        text[at++] = (byte) ('0' + value / 10 % 10);
      }
      text[at++] = (byte) ('0' + value % 10);
      if (shift > 0) {
        text[at++] = '.';
      }
    }
    return new String(text, 0, at, StandardCharsets.ISO_8859_1);
  }

  /** Formats as in RFC 5952: lower case, no leading zeros, the first longest zero run elided. */
  static String colons(long high, long low) {
    int runStart = 8;
    int runLength = 1; // RFC 5952 does not elide a single zero group
    for (int i = 0; i < 8; i++) {
      int end = i;
      while (end < 8 && group(high, low, end) == 0) {
        end++;
      }
      if (end - i > runLength) {
        runStart = i;
        runLength = end - i;
      }
      i = Math.max(i, end);
    }
    StringBuilder text = new StringBuilder(39);
    for (int i = 0; i < 8; i++) {
      if (i == runStart) {
        text.append("::");
        i += runLength - 1;
      } else {
        if (i > 0 && text.charAt(text.length() - 1) != ':') {
          text.append(':');
        }
        text.append(Integer.toHexString(group(high, low, i)));
      }
    }
    return text.toString();
  }

  private static int group(long high, long low, int index) {
    return (int) ((index < 4 ? high >>> (48 - 16 * index) : low >>> (112 - 16 * index)) & 0xFFFF);
  }
}
