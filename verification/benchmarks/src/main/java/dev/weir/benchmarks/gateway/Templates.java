package dev.weir.benchmarks.gateway;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/** Configuration files of servers, written from resources into a directory. */
public record Templates(Path directory) implements AutoCloseable {
  /** In a directory that is deleted at the end. */
  public static Templates inTemporaryDirectory(String prefix) throws IOException {
    return new Templates(Files.createTempDirectory(prefix));
  }

  /** Writes a resource under its own name. */
  Path write(String resource) throws IOException {
    return write(resource, resource, Map.of());
  }

  /** Writes a resource, with each <code>@name@</code> replaced by its value. */
  Path write(String resource, String file, Map<String, Object> values) throws IOException {
    String text;
    try (InputStream in = Templates.class.getResourceAsStream(resource)) {
      text = new String(requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
    }
    text = text.replace("@directory@", directory.toString()).replace("@name@", file);
    for (Map.Entry<String, Object> value : values.entrySet()) {
      text = text.replace("@" + value.getKey() + "@", value.getValue().toString());
    }
    Path target = directory.resolve(file);
    Files.createDirectories(requireNonNull(target.getParent()));
    return Files.writeString(target, text);
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
