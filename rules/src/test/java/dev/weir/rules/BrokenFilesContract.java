package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.yaml.Problem;
import dev.weir.rules.yaml.RulesText;
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
  private final int minFiles;

  /**
   * A contract for the files of a folder.
   *
   * @param minFiles the minimum of files that the folder has
   */
  BrokenFilesContract(Path folder, int minFiles) {
    this.folder = folder;
    this.minFiles = minFiles;
  }

  @TestFactory
  List<DynamicTest> eachFileIsRefusedWithAllItsErrors() throws IOException {
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
  void everyFileHasExpectedErrors() throws IOException {
    TreeSet<String> named = new TreeSet<>();
    Files.readAllLines(folder.resolve("expected.txt"))
        .forEach(line -> named.add(line.replaceFirst(":.*", "")));
    assertThat(broken().stream().map(file -> file.getFileName().toString()))
        .hasSizeGreaterThanOrEqualTo(minFiles)
        .containsExactlyElementsOf(named);
  }

  @Test
  void everyMessageNamesLocationValueAndExpectation() throws IOException {
    // The YAML parser's message about an open bracket states the expectation in its own words.
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
      TestRules.loader().load(List.of(new RulesText(name, Path.of(""), bytes)));
      return List.of();
    } catch (RulesRejected e) {
      return e.problems().stream()
          .filter(one -> one.severity() == Problem.Severity.ERROR)
          .map(Problem::toString)
          .toList();
    }
  }
}
