package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Repository;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs scripts as separate processes. */
public final class Script {
  /** The {@code weir} script of this repository. */
  public static final Path REAL = Repository.path("weir");

  private Script() {}

  /** A running script; {@link #awaitExit} waits for its end. */
  public record Started(Process process, Path out, Path err) {
    /** Waits for the end of the script, and returns its result. */
    public CommandRun awaitExit() throws IOException, InterruptedException {
      assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
      return new CommandRun(process.exitValue(), Files.readString(out), Files.readString(err));
    }
  }

  /**
   * Starts a script without input.
   *
   * @param environment the whole environment of the process
   */
  public static Started start(Path directory, Map<String, String> environment, Object... words)
      throws IOException {
    return start(directory, environment, Redirect.from(new File("/dev/null")), words);
  }

  /** Starts a script with a standard input that this process writes. */
  public static Started startPiped(Path directory, Map<String, String> environment, Object... words)
      throws IOException {
    return start(directory, environment, Redirect.PIPE, words);
  }

  private static Started start(
      Path directory, Map<String, String> environment, Redirect input, Object... words)
      throws IOException {
    List<String> command = Stream.of(words).map(Object::toString).toList();
    Path out = Files.createTempFile("weir", ".out");
    Path err = Files.createTempFile("weir", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectInput(input)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return new Started(builder.start(), out, err);
  }
}
