package dev.weir.architecture;

import dev.weir.testkit.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The sources of all modules, those of generated code excepted. */
final class Sources {
  private Sources() {}

  /** All files of main sources. */
  static List<Path> files() {
    return files("/src/main/java/");
  }

  /** All files of the sources of tests. */
  static List<Path> tests() {
    return files("/src/test/java/");
  }

  private static List<Path> files(String folder) {
    try (Stream<Path> all = Files.walk(Repository.path(""))) {
      return all.filter(file -> file.toString().endsWith(".java"))
          .filter(file -> file.toString().contains(folder))
          .filter(file -> !file.toString().contains("/target/"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The folder of a file, from the root of the repository. */
  static String folder(Path file) {
    String name = name(file);
    return name.substring(0, name.lastIndexOf('/'));
  }

  /** From the root of the repository. */
  static String name(Path file) {
    return Repository.path("").relativize(file).toString();
  }
}
