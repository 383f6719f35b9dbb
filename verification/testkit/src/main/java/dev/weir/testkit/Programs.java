package dev.weir.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** Finds installed programs that some tests need, on the PATH only. */
public final class Programs {
  private Programs() {}

  /** The file of the program, if it is on the PATH of this process. */
  public static Optional<Path> find(String name) {
    return find(name, System.getenv("PATH"));
  }

  /** The file of the program, if a directory of {@code path} has it. */
  public static Optional<Path> find(String name, @Nullable String path) {
    return Stream.of((path == null ? "" : path).split(Pattern.quote(File.pathSeparator), -1))
        .map(folder -> Path.of(folder, name))
        .filter(file -> file.isAbsolute() && Files.isExecutable(file))
        .findFirst();
  }

  /**
   * The file of the program; aborts the test if it is missing. Every build ends with a summary of
   * such tests, which it recognizes by the message {@code needs} and the missing program.
   */
  public static Path require(String name) {
    return find(name).orElseGet(() -> Assumptions.abort("needs " + name));
  }
}
