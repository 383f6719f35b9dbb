package dev.weir.redis.script;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Values under the key of a counter that no script has written. */
final class ForeignValues {
  /** MessagePack values where a number is expected. */
  private static final List<String> ODD_VALUES =
      List.of(
          bytes(0), // a number, but not a valid one everywhere
          bytes(0xc0), // nil
          bytes(0xc3), // true
          bytes(0x90), // an empty array
          bytes(0x80), // an empty map
          bytes(0xa1, 'x'), // a text
          bytes(0xff), // -1
          bytes(0xca, 0x3f, 0, 0, 0), // a half
          bytes(0xcb, 0x7f, 0xf0, 0, 0, 0, 0, 0, 0), // infinity
          bytes(0xcb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0), // not a number
          bytes(0xcf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)); // 2^64 - 1

  /** Unusual doubles. */
  private static final List<Double> ODD_NUMBERS =
      List.of(-1.0, 0.5, 0x1p53, 0x1p54, 1e300, Double.NaN, Double.POSITIVE_INFINITY, -0.0, 1e15);

  /** A number in the form that it has in a counter. */
  static String packed(double value) {
    ByteBuffer buffer = ByteBuffer.allocate(Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return new String(buffer.putDouble(value).array(), StandardCharsets.ISO_8859_1);
  }

  private ForeignValues() {}

  private static String bytes(int... values) {
    return IntStream.of(values)
        .mapToObj(value -> String.valueOf((char) value))
        .collect(Collectors.joining());
  }

  /** Values that no store has written, or that were truncated. */
  static Stream<String> of(SplittableRandom random, List<String> states) {
    List<String> values = new ArrayList<>(List.of("", "x", "12345", "AAAAAAA", "AAAAAAAA"));
    for (int algorithm = 0; algorithm < 8; algorithm++) {
      String number = bytes(1 + random.nextInt(100));
      String numbers = IntStream.range(0, 3).mapToObj(i -> packed(5)).collect(Collectors.joining());
      for (String value : ODD_VALUES) {
        for (int position = 0; position < 3; position++) {
          String head = number.repeat(position) + value + number.repeat(2 - position);
          values.add(bytes(algorithm) + head + numbers);
        }
      }
      for (double value : ODD_NUMBERS) {
        for (int position = 0; position < 3; position++) {
          String before = bytes(algorithm) + number.repeat(3) + numbers.substring(0, 8 * position);
          values.add(before + packed(value));
          values.add(before + packed(value) + numbers.substring(8 * position, 16));
        }
      }
    }
    for (String state : states) {
      for (double value : ODD_NUMBERS) {
        values.add(state.substring(0, state.length() - 8) + packed(value));
        values.add(
            state.substring(0, state.length() - 16)
                + packed(value)
                + state.substring(state.length() - 8));
      }
    }
    for (String state : states) {
      for (int length = 0; length < state.length(); length++) {
        values.add(state.substring(0, length));
      }
      for (int at = 0; at < state.length(); at++) {
        char changed = (char) (state.charAt(at) ^ (1 << random.nextInt(8)));
        values.add(state.substring(0, at) + changed + state.substring(at + 1));
      }
      values.add(state + state);
    }
    for (int i = 0; i < 3_000; i++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      values.add(new String(bytes, StandardCharsets.ISO_8859_1));
    }
    return values.stream();
  }
}
