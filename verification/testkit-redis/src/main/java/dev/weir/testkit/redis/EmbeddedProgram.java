package dev.weir.testkit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The {@code redis-server} of the Maven artifact {@code embedded-redis}. */
final class EmbeddedProgram {
  // The names in version 1.4.4. Its program for Windows is a Redis 5, which is too old.
  private static final Map<String, String> RESOURCES =
      new TreeMap<>(
          Map.of(
              "linux-amd64", "redis-server-6.2.6-v5-linux-amd64",
              "linux-arm64", "redis-server-6.2.7-linux-arm64",
              "linux-386", "redis-server-6.2.7-linux-386",
              "darwin-amd64", "redis-server-6.2.6-v5-darwin-amd64",
              "darwin-arm64", "redis-server-6.2.6-v5-darwin-arm64"));

  private static @Nullable Path unpacked;

  private EmbeddedProgram() {}

  /** The program for this machine, in a directory that is deleted when the JVM ends. */
  static synchronized Path unpacked() {
    if (unpacked == null) {
      unpacked = unpack(resource(System.getProperty("os.name"), System.getProperty("os.arch")));
    }
    return unpacked;
  }

  /** The resource with the program for an operating system and processor. */
  static String resource(String osName, String osArch) {
    String os = osName.startsWith("Mac") ? "darwin" : osName;
    String arch =
        switch (osArch) {
          case "x86_64" -> "amd64";
          case "aarch64" -> "arm64";
          case "x86", "i386", "i686" -> "386";
          default -> osArch;
        };
    String machine = (os + "-" + arch).toLowerCase(Locale.ROOT);
    String resource = RESOURCES.get(machine);
    if (resource == null) {
      throw new IllegalStateException(
          "no usable redis-server for %s in embedded-redis (expected: one of %s); install one"
              .formatted(machine, RESOURCES.keySet()));
    }
    return resource;
  }

  private static Path unpack(String resource) {
    try (InputStream in = EmbeddedProgram.class.getResourceAsStream("/" + resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + ": embedded-redis is not on the class path");
      }
      Path directory = Files.createTempDirectory("weir-redis-program");
      Path program = directory.resolve("redis-server");
      // Deleted in reverse order, after the hooks that end the processes.
      directory.toFile().deleteOnExit();
      program.toFile().deleteOnExit();
      Files.copy(in, program);
      if (!program.toFile().setExecutable(true)) {
        throw new IOException(program + ": cannot be made executable");
      }
      return program;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
