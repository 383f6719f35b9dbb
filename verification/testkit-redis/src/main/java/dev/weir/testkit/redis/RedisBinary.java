package dev.weir.testkit.redis;

import dev.weir.testkit.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The Redis program that tests start.
 *
 * <p>The system property {@code weir.redis} selects it: {@code path} for the {@code redis-server}
 * on the PATH, {@code embedded} for the one inside the Maven artifact {@code embedded-redis}, or a
 * file, such as a Valkey's. Without it: the one on the PATH if there is one, else the embedded one.
 */
public record RedisBinary(Path program) {
  static final String NAME = "redis-server";
  private static final String PROPERTY = "weir.redis";
  private static final Pattern VERSION = Pattern.compile("\\bv=([0-9.]+)");

  /** The program that the system property {@code weir.redis} selects. */
  public static RedisBinary chosen() {
    return choose(System.getProperty(PROPERTY), System.getenv("PATH"));
  }

  /** The {@code redis-server} on the PATH, if there is one. */
  public static Optional<RedisBinary> onPath() {
    return on(System.getenv("PATH"));
  }

  /**
   * The program of the Maven artifact, unpacked once for this JVM and deleted when it ends.
   *
   * @throws IllegalStateException if there is none for this operating system and processor
   */
  public static RedisBinary embedded() {
    return new RedisBinary(EmbeddedProgram.unpacked());
  }

  static RedisBinary choose(@Nullable String wanted, @Nullable String path) {
    if (wanted == null) {
      return on(path).orElseGet(RedisBinary::embedded);
    }
    if (wanted.equals("path")) {
      return on(path)
          .orElseThrow(() -> rejection(wanted, "no redis-server on the PATH", "embedded"));
    }
    if (wanted.equals("embedded")) {
      return embedded();
    }
    Path file = Path.of(wanted);
    if (!file.isAbsolute() || !Files.isExecutable(file)) {
      throw rejection(wanted, "no program", "path, embedded or the absolute path of a program");
    }
    return new RedisBinary(file);
  }

  private static IllegalArgumentException rejection(String value, String why, String expected) {
    return new IllegalArgumentException(
        "-D%s=%s: %s (expected: %s)".formatted(PROPERTY, value, why, expected));
  }

  private static Optional<RedisBinary> on(@Nullable String path) {
    return Programs.find(NAME, path).map(RedisBinary::new);
  }

  /**
   * The version that the program reports, such as {@code 7.0.15}.
   *
   * @throws IllegalStateException if the program reports none
   * @throws UncheckedIOException if it cannot be started
   */
  public String version() {
    ProcessBuilder builder = new ProcessBuilder(program.toString(), "--version");
    try (InputStream out = builder.redirectErrorStream(true).start().getInputStream()) {
      String output = new String(out.readNBytes(4096), StandardCharsets.UTF_8).strip();
      Matcher version = VERSION.matcher(output);
      if (!version.find()) {
        throw new IllegalStateException(
            program + " --version: " + output + " (expected: … v=N.N.N)");
      }
      return version.group(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
