package dev.weir.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TextWidthTest {
  @Test
  void textIsCutAndPaddedByColumns() {
    assertThat(TextWidth.fit("login", 8)).isEqualTo("login   ");
    assertThat(TextWidth.fit("whole-site", 8)).isEqualTo("whole-s…");
    assertThat(TextWidth.fit("日本語", 8)).isEqualTo("日本語  ");
    assertThat(TextWidth.fit("日本語の規則", 8)).isEqualTo("日本語… ");
    assertThat(TextWidth.cut("\u001b[2J", 5)).isEqualTo("\\u00…");
    assertThat(TextWidth.cut("abc", 0)).isEmpty();
    assertThat(TextWidth.of("e\u0301😀")).isEqualTo(3);
  }

  @Test
  void marksWithoutAColumnDoNotPileUp() {
    String cut = TextWidth.cut("e" + "\u0301".repeat(5_000) + "f", 10);
    assertThat(cut).isEqualTo("e\u0301\u0301…");
  }

  @Test
  void randomTextNeverTakesMoreColumns() {
    long seed = Long.getLong("weir.seed", 11);
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      String text =
          random
              .ints(random.nextInt(60), 0, i % 2 == 0 ? 0x500 : 0x30000)
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString();
      int width = random.nextInt(40);
      assertThat(TextWidth.of(TextWidth.fit(text, width))).as("seed " + seed).isEqualTo(width);
      assertThat(TextWidth.wrap(text, width + 1, 3))
          .as("seed " + seed)
          .hasSizeLessThanOrEqualTo(3)
          .allMatch(line -> TextWidth.of(line) <= width + 1);
    }
  }

  @Test
  void wordsAreWrapped() {
    assertThat(TextWidth.wrap("one two three four", 9, 3))
        .containsExactly("one two", "three", "four");
    assertThat(TextWidth.wrap("one two three four", 9, 2)).containsExactly("one two", "three fo…");
    assertThat(TextWidth.wrap("incomprehensible", 9, 2)).containsExactly("incompre…");
  }

  @Test
  void piecesOfALineKeepTheirStyle() {
    List<Object> cut = TextWidth.cut(List.of("ab", Style.RED.of("cdef"), "gh"), 5);
    assertThat(cut).containsExactly("ab", Style.RED.of("cd…"));
    assertThat(TextWidth.cut(List.of("ab", Style.RED.of("cd"), "e"), 5))
        .containsExactly("ab", Style.RED.of("cd"), "e");
  }
}
