package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs a {@code weir} script as a process of its own. */
final class Script {
  static final Path REAL = Path.of("../weir").toAbsolutePath().normalize();

  private Script() {}

  /** A script that was started; {@link #ran} waits for it. */
  record Started(Process process, Path out, Path err) {
    Ran ran() throws IOException, InterruptedException {
      assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
      return new Ran(process.exitValue(), Files.readString(out), Files.readString(err));
    }
  }

  /**
   * @param environment all there is of it
   */
  static Started start(Path directory, Map<String, String> environment, Object... words)
      throws IOException {
    return start(directory, environment, Redirect.from(new File("/dev/null")), words);
  }

  /** The same with a standard input that this process writes. */
  static Started startPiped(Path directory, Map<String, String> environment, Object... words)
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
