package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Snippet;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of docs/servlet.md compile as printed. */
class DocsTest {
  private static final String IMPORTS =
      "import dev.weir.library.*; import dev.weir.library.web.*; import dev.weir.servlet.*;"
          + "import jakarta.servlet.*; import java.nio.file.*; import java.util.function.*;";

  @TempDir private Path folder = Path.of("");

  @Test
  void examplesCompile() throws Exception {
    List<Snippet> snippets = Snippet.in(Path.of("docs/servlet.md"));
    assertThat(snippets).hasSize(2);
    String end = "}; System.out.println(\"compiled\");";
    String register = "Consumer<ServletContext> application = context -> {";
    assertThat(snippets.get(0).run(folder, IMPORTS, register, end, "")).isEqualTo("compiled\n");
    String build = "Consumer<RulesLimiter> application = limiter -> {";
    assertThat(snippets.get(1).run(folder, IMPORTS, build, end, "")).isEqualTo("compiled\n");
  }
}
