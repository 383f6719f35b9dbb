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

/** Every file in {@code envoy/broken} is refused with exactly what {@code expected.txt} says. */
class EnvoyBrokenTest {
  private static final Path BROKEN = TestEnvoy.RESOURCES.resolve("broken");

  @TestFactory
  List<DynamicTest> eachIsRefusedWithAllItsErrors() throws IOException {
    List<String> expected = Files.readAllLines(BROKEN.resolve("expected.txt"));
    List<DynamicTest> tests = new ArrayList<>();
    for (Path file : broken()) {
      String name = file.getFileName().toString();
      List<String> wanted = expected.stream().filter(line -> line.startsWith(name + ":")).toList();
      tests.add(
          DynamicTest.dynamicTest(
              name,
              () ->
                  assertThat(String.join("\n", TestEnvoy.errors(name, Files.readString(file))))
                      .isEqualTo(String.join("\n", wanted))
                      .isNotEmpty()));
    }
    return tests;
  }

  @Test
  void thereAreManyAndEachIsExpected() throws IOException {
    TreeSet<String> named = new TreeSet<>();
    Files.readAllLines(BROKEN.resolve("expected.txt"))
        .forEach(line -> named.add(line.replaceFirst(":.*", "")));
    assertThat(broken().stream().map(file -> file.getFileName().toString()))
        .hasSizeGreaterThan(20)
        .containsExactlyElementsOf(named);
  }

  @Test
  void everyMessageNamesPlaceValueAndExpectation() throws IOException {
    assertThat(Files.readAllLines(BROKEN.resolve("expected.txt")))
        .allMatch(line -> line.matches("[a-z0-9-]+\\.yaml:\\d+:\\d+: .+: .+"))
        .allMatch(line -> line.contains("expected"));
  }

  private static List<Path> broken() throws IOException {
    try (Stream<Path> files = Files.list(BROKEN)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }
}
