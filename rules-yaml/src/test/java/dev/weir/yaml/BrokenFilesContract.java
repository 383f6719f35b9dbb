package dev.weir.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every file of a folder is refused with exactly what its {@code expected.txt} says. */
abstract class BrokenFilesContract {
  private final Path folder;
  private final int least;

  /**
   * @param least how many there are, at least
   */
  BrokenFilesContract(Path folder, int least) {
    this.folder = folder;
    this.least = least;
  }

  @TestFactory
  List<DynamicTest> eachIsRefusedWithAllItsErrors() throws IOException {
    List<String> expected = Files.readAllLines(folder.resolve("expected.txt"));
    List<DynamicTest> tests = new ArrayList<>();
    for (Path file : broken()) {
      String name = file.getFileName().toString();
      List<String> wanted = expected.stream().filter(line -> line.startsWith(name + ":")).toList();
      tests.add(
          DynamicTest.dynamicTest(
              name,
              () ->
                  assertThat(String.join("\n", errors(name, Files.readAllBytes(file))))
                      .isEqualTo(String.join("\n", wanted))
                      .isNotEmpty()));
    }
    return tests;
  }

  @Test
  void thereAreManyAndEachIsExpected() throws IOException {
    TreeSet<String> named = new TreeSet<>();
    Files.readAllLines(folder.resolve("expected.txt"))
        .forEach(line -> named.add(line.replaceFirst(":.*", "")));
    assertThat(broken().stream().map(file -> file.getFileName().toString()))
        .hasSizeGreaterThanOrEqualTo(least)
        .containsExactlyElementsOf(named);
  }

  @Test
  void everyMessageNamesPlaceValueAndExpectation() throws IOException {
    // What the YAML parser says about a bracket that is open has the expectation in its own words.
    assertThat(Files.readAllLines(folder.resolve("expected.txt")))
        .allMatch(line -> line.matches("[a-z0-9-]+\\.yaml:\\d+:\\d+: .+: .+"))
        .allMatch(line -> line.contains("expected"));
  }

  private List<Path> broken() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  static List<String> errors(String name, byte[] bytes) {
    try {
      TestRules.loader().load(List.of(new Source(name, Path.of(""), bytes)));
      return List.of();
    } catch (RulesRefused e) {
      return e.problems().stream()
          .filter(one -> one.severity() == Problem.Severity.ERROR)
          .map(Problem::toString)
          .toList();
    }
  }
}
