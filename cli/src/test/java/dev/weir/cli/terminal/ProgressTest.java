package dev.weir.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private Progress progress(boolean live) {
    PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    return new Progress(new Terminal(stream, false, live));
  }

  private String written() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void lineIsRewrittenWhereSomebodyWatches() {
    Progress progress = progress(true);
    progress.begin("a");
    progress.show("b\u001b");
    progress.clear();
    assertThat(written()).isEqualTo("\r\u001b[Ka\r\u001b[Kb\\u001b\r\u001b[K");
  }

  @Test
  void otherwiseOneLineInFiveIsWritten() {
    Progress progress = progress(false);
    progress.begin("begin");
    for (int i = 1; i <= 11; i++) {
      progress.show("second " + i);
    }
    progress.clear();
    assertThat(written()).isEqualTo("weir: begin\nweir: second 5\nweir: second 10\n");
  }

  @Test
  void barIsNeverLongerThanItsWidth() {
    assertThat(Progress.bar(0, 10, 4)).isEqualTo("[....]");
    assertThat(Progress.bar(5, 10, 4)).isEqualTo("[##..]");
    assertThat(Progress.bar(12, 10, 4)).isEqualTo("[####]");
    assertThat(Progress.bar(0, 0, 4)).isEqualTo("[....]");
  }
}
