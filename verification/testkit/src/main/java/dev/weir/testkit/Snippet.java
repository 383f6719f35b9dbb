package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** A Java code block of the documentation, exactly as printed there. */
public record Snippet(String code) {
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /**
   * All Java code blocks of a page, in order.
   *
   * @param page the path from the root of the repository
   * @throws IOException if there is no such page
   */
  public static List<Snippet> in(Path page) throws IOException {
    String text = Files.readString(Repository.path(page.toString()));
    return BLOCK.matcher(text).results().map(found -> new Snippet(found.group(1))).toList();
  }

  /**
   * Compiles and runs the snippet, and returns its output.
   *
   * @param imports import statements in addition to those of the core
   * @param before code that runs before the snippet, such as declarations it uses
   * @param after code that runs after the snippet
   * @param methods methods that the snippet calls
   * @throws Exception if the snippet does not compile, or throws it
   */
  public String run(Path folder, String imports, String before, String after, String methods)
      throws Exception {
    String source =
        "import dev.weir.*; import dev.weir.key.*; import dev.weir.memory.*;"
            + "import java.time.*; import java.util.*;"
            + imports
            + "class Example {"
            + methods
            + "public static void main(String[] args) {\n"
            + before
            + code
            + after
            + "}}";
    Path file = Files.writeString(folder.resolve("Example.java"), source);
    ByteArrayOutputStream diagnostics = new ByteArrayOutputStream();
    String to = folder.toString();
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                diagnostics,
                diagnostics,
                "-Xlint:all",
                "-parameters",
                "-d",
                to,
                file.toString());
    assertThat(failed).as(diagnostics.toString(StandardCharsets.UTF_8)).isZero();
    return output(folder);
  }

  private static String output(Path folder) throws Exception {
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      var main = loader.loadClass("Example").getDeclaredMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(out);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }
}
