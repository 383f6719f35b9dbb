package dev.weir.gateway.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JsonScannerTest {
  private final List<String> seen = new ArrayList<>();
  private final JsonScanner scanner =
      new JsonScanner(
          new JsonScanner.Listener() {
            @Override
            public void onNumber(String path, long value) {
              seen.add(path + "=" + value);
            }

            @Override
            public void onText(String path, long bytes, CharSequence start) {
              seen.add(path + "#" + bytes);
            }
          });

  private List<String> scan(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    seen.clear();
    scanner.reset();
    scanner.scan(bytes, 0, bytes.length);
    return List.copyOf(seen);
  }

  @Test
  void valuesAreReportedByTheirPaths() {
    assertThat(
            scan("{\"a\": {\"b\": 12, \"c\": [1, {\"d\": \"xyz\"}, []]}, \"e\": true, \"f\": 2}"))
        .containsExactly("a.b=12", "a.c[]=1", "a.c[].d#3", "f=2");
    assertThat(scanner.isOver()).isTrue();
  }

  @Test
  void numbersAreRoundedUpAndNegativeOnesIgnored() {
    assertThat(scan("[1.0, 1.2, -3, 1e9, 0, 99999999999999999999999999]"))
        .containsExactly("[]=1", "[]=2", "[]=0", "[]=1000000000000");
  }

  @Test
  void lengthOfTextIsThatOfItsUtf8() {
    assertThat(scan("[\"a\\n\\\"b\", \"\\u4e2d\", \"中\", \"\"]"))
        .containsExactly("[]#4", "[]#3", "[]#3", "[]#0");
  }

  @Test
  void nameThatLooksLikeAPathIsNone() {
    assertThat(scan("{\"usage.total\": 5, \"a[]\": 6, \"us\\u0061ge\": 7}"))
        .containsExactly("?=5", "?=6", "?=7");
    assertThat(scan("{\"" + "n".repeat(65) + "\": 5}")).containsExactly("?=5");
  }

  @Test
  void deepValuesAreSkippedAndThoseBehindThemAreNot() {
    String deep = "[".repeat(900) + "1" + "]".repeat(900);
    assertThat(scan("{\"a\": " + deep + ", \"b\": 2}")).containsExactly("b=2");
    assertThat(scan("[".repeat(5_000) + "1")).isEmpty();
    assertThat(scanner.isOver()).isTrue();
  }

  @Test
  void garbageEndsTheTextWithoutAnError() {
    for (String text :
        List.of("]", "{]", "[}", "{\"a\" 1}", "{1: 2}", "[1 2]", "<html>", "{\"a\":}")) {
      scan(text);
      assertThat(scanner.isOver()).as(text).isTrue();
    }
  }

  @Test
  void randomTextsAreReadAlikeInAnyChunks() {
    Seeds.run(
        random -> {
          for (int i = 0; i < 500; i++) {
            List<String> expected = new ArrayList<>();
            String text = value(random, "", 0, expected);
            seen.clear();
            scanner.reset();
            Chunks.feed(text, random, 1 + random.nextInt(9), scanner::scan);
            assertThat(seen).as(text).isEqualTo(expected);
          }
        });
  }

  @Test
  void randomBytesDoNoHarm() {
    Seeds.run(
        random -> {
          byte[] alphabet = "{}[]\",:\\u019.eE-tfn \n\u00e9".getBytes(StandardCharsets.UTF_8);
          for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[random.nextInt(200)];
            for (int j = 0; j < bytes.length; j++) {
              bytes[j] = alphabet[random.nextInt(alphabet.length)];
            }
            scanner.reset();
            scanner.scan(bytes, 0, bytes.length);
          }
          assertThat(scan("{\"a\":1}")).containsExactly("a=1");
        });
  }

  /** A random value; what a scanner must report is added to {@code expected}. */
  private static String value(
      SplittableRandom random, String path, int depth, List<String> expected) {
    String blank = " \n\t".substring(0, random.nextInt(3));
    int kind = depth == 0 ? random.nextInt(2) : random.nextInt(6);
    StringBuilder text = new StringBuilder(blank);
    if (kind == 0 && depth < 6) {
      text.append('{');
      int members = random.nextInt(4);
      for (int i = 0; i < members; i++) {
        String name = "n" + random.nextInt(5);
        text.append(i == 0 ? "" : ",").append(blank).append('"').append(name).append('"');
        text.append(blank).append(':');
        text.append(value(random, path.isEmpty() ? name : path + "." + name, depth + 1, expected));
      }
      text.append(blank).append('}');
    } else if (kind == 1 && depth < 6) {
      text.append('[');
      int elements = random.nextInt(4);
      for (int i = 0; i < elements; i++) {
        text.append(i == 0 ? "" : ",");
        text.append(value(random, path + "[]", depth + 1, expected));
      }
      text.append(blank).append(']');
    } else if (kind <= 3) {
      long number = random.nextInt(100_000);
      text.append(number);
      expected.add(path + "=" + number);
    } else if (kind == 4) {
      int length = random.nextInt(10);
      text.append('"').append("\\t".repeat(length)).append("ü\"");
      expected.add(path + "#" + (length + 2));
    } else {
      text.append(List.of("true", "false", "null").get(random.nextInt(3)));
    }
    return text.append(blank).toString();
  }
}
