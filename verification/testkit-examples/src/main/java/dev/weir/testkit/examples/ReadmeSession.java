package dev.weir.testkit.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Programs;
import dev.weir.testkit.Repository;
import dev.weir.testkit.redis.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The session that the README of the examples shows under a heading, run again line by line with
 * the packaged example. Numbers may differ. For one thread.
 */
public final class ReadmeSession {
  private static final Duration SOON = Duration.ofMinutes(4);
  private static final String PROMPT = "$ ";
  private static final Pattern PORT =
      Pattern.compile("(?:started on port |listening on http://127\\.0\\.0\\.1:)(\\d+)");

  private final String heading;
  private final String example;

  private ReadmeSession(String heading, String example) {
    this.heading = heading;
    this.example = example;
  }

  /** A command, and the lines that the README shows as its output. */
  private record Step(String command, List<String> output) {}

  /** Runs the session under a heading with an example, which the README may show for another. */
  public static void replay(String heading, String example) throws Exception {
    new ReadmeSession(heading, example).replay();
  }

  private void replay() throws Exception {
    Programs.require("curl");
    List<Step> steps = steps();
    assertThat(steps).hasSizeGreaterThan(3);
    assertThat(steps.get(0).command()).matches("examples/run [a-z-]+");
    Path log = Files.createTempFile(example, ".log");
    Process served =
        bash("exec examples/run " + example + " --port 0").redirectOutput(log.toFile()).start();
    try {
      Matcher port = PORT.matcher("");
      Await.until(
          "started",
          SOON,
          () -> {
            assertThat(served.isAlive()).as(read(log)).isTrue();
            return port.reset(read(log)).find();
          });
      assertShown(steps.get(0), read(log));
      for (Step step : steps.subList(1, steps.size())) {
        String here = step.command().replace("127.0.0.1:8080", "127.0.0.1:" + port.group(1));
        assertEventuallyShown(step, here);
      }
    } finally {
      served.destroy();
      assertThat(served.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  private List<Step> steps() throws IOException {
    String readme = Files.readString(Repository.path("examples/README.md"));
    Matcher block = Pattern.compile("(?s)## " + heading + "\n\n```\n(.*?)```").matcher(readme);
    assertThat(block.find()).as(heading).isTrue();
    List<Step> steps = new ArrayList<>();
    for (String line : block.group(1).lines().toList()) {
      if (line.startsWith(PROMPT)) {
        steps.add(new Step(line.substring(PROMPT.length()), new ArrayList<>()));
      } else {
        steps.get(steps.size() - 1).output().add(line);
      }
    }
    return steps;
  }

  /** On a slow machine a bucket refills while it is emptied, or a window ends: then again. */
  private static void assertEventuallyShown(Step step, String command) throws Exception {
    assertThat(step.output()).as(step.command()).isNotEmpty();
    String printed = "";
    for (int i = 0; i < 20; i++) {
      printed = run(command);
      if (shows(step, printed)) {
        return;
      }
    }
    assertShown(step, printed);
  }

  private static String run(String command) throws Exception {
    Process process = bash(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).as(command).isTrue();
    return printed;
  }

  private static ProcessBuilder bash(String command) {
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", command)
            .directory(Repository.path("").toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("WEIR_BUILD", "never"); // no build within a build
    return builder;
  }

  private static boolean shows(Step step, String printed) {
    List<String> lines = normalized(printed);
    return normalized(String.join("\n", step.output())).stream()
        .allMatch(shown -> lines.stream().anyMatch(line -> line.endsWith(shown)));
  }

  private static void assertShown(Step step, String printed) {
    if (!shows(step, printed)) {
      assertThat(normalized(printed))
          .as(step.command())
          .containsAll(normalized(String.join("\n", step.output())));
    }
  }

  /**
   * Without numbers other than statuses, their repetitions, and their names, which Tomcat omits.
   */
  private static List<String> normalized(String text) {
    return text.lines()
        .map(line -> (line + " ").replaceAll("\\b([245]\\d\\d )\\1+", "$1"))
        .map(line -> line.replaceFirst("^(HTTP/\\S+ \\d+) .*", "$1"))
        .map(line -> line.replaceAll("\\b(?![245]\\d\\d\\b)\\d+", "N"))
        .map(line -> line.replaceFirst("^\\.\\.\\. ", "").strip())
        .filter(line -> !line.isEmpty())
        .toList();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
