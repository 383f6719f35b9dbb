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

/** A piece of Java from the documentation, exactly as it stands there. */
public record Snippet(String code) {
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /**
   * All of a page, in their order.
   *
   * @param page from the root of the repository, seen from one of its modules
   */
  public static List<Snippet> in(Path page) throws IOException {
    String text = Files.readString(Path.of("..").resolve(page));
    return BLOCK.matcher(text).results().map(found -> new Snippet(found.group(1))).toList();
  }

  /**
   * Compiles and runs it, and returns what it prints.
   *
   * @param imports beside those of the core
   * @param before what it takes for granted
   * @param after what is to be done then
   * @param methods that it calls
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
    ByteArrayOutputStream complaints = new ByteArrayOutputStream();
    String to = folder.toString();
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, complaints, complaints, "-Xlint:all", "-d", to, file.toString());
    assertThat(failed).as(complaints.toString(StandardCharsets.UTF_8)).isZero();
    return printed(folder);
  }

  private static String printed(Path folder) throws Exception {
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
