package dev.weir.cli;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The words that start a command of Weir in a separate JVM, with the class path of the tests. */
final class JavaCommand {
  private static final String WARM_UP = "--warm-up-seconds";

  /** Options of Java for a fast start. */
  private static final List<String> FAST_START =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private JavaCommand() {}

  /** A command with options for Java; flags may be added. */
  static List<Object> of(List<String> options, Class<?> main, String command) {
    List<Object> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java"));
    words.addAll(options);
    words.addAll(List.of("-cp", classPath(), main.getName(), command));
    return words;
  }

  /** A service that starts fast, and does not warm up unless a flag says so. */
  static List<Object> fast(Class<?> main, String command, Object... flags) {
    List<Object> words = of(FAST_START, main, command);
    words.addAll(List.of(flags));
    words.addAll(words.contains(WARM_UP) ? List.of() : List.of(WARM_UP, "0"));
    return words;
  }

  /** The class path of the tests without SLF4J, which the program does not have. */
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("slf4j-"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
