package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the library example of the README, exactly as it stands there. */
class ReadmeTest {
  private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void theLibraryExampleCompilesAndRuns(@TempDir Path folder) throws Exception {
    Matcher block = JAVA_BLOCK.matcher(Files.readString(Path.of("..", "README.md")));
    assertThat(block.find()).as("a java block in the README").isTrue();
    assertThat(block.group(1).lines().count()).isLessThanOrEqualTo(12);
    assertThat(run(block.group(1), folder)).isEqualTo("pass\n");
  }

  private static String run(String example, Path folder) throws Exception {
    String source =
        "import dev.weir.*; import dev.weir.key.*; import dev.weir.memory.*;"
            + "import java.time.*; import java.util.*;"
            + "class Example { public static void main(String[] args) {\n"
            + example
            + "}}";
    Path file = Files.writeString(folder.resolve("Example.java"), source);
    ByteArrayOutputStream complaints = new ByteArrayOutputStream();
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                complaints,
                complaints,
                "-Xlint:all",
                "-d",
                folder.toString(),
                file.toString());
    assertThat(failed).as(complaints.toString(StandardCharsets.UTF_8)).isZero();

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
