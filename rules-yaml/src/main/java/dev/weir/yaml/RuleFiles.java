package dev.weir.yaml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files that rules come from: one, or all {@code .yaml} and {@code .yml} files of a directory
 * in the order of their names.
 *
 * <p>Files whose names begin with a dot are left alone: among them are the ones that Kubernetes
 * keeps beside a mounted ConfigMap, which are reached through their links.
 */
public final class RuleFiles {
  private static final int MOST_FILES = 1_000;
  private static final int MAX_TOTAL_BYTES = 4 * Source.MAX_BYTES;

  private final Path path;

  private RuleFiles(Path path) {
    this.path = path;
  }

  public static RuleFiles at(Path path) {
    return new RuleFiles(path);
  }

  /** What tells one state of the files from another, without reading them. */
  record Fingerprint(List<Stamp> stamps) {}

  private record Stamp(Path file, Path real, Object key, long size, long modified) {}

  Fingerprint fingerprint() throws IOException {
    List<Stamp> stamps = new ArrayList<>();
    for (Path file : files()) {
      Path real = file.toRealPath();
      BasicFileAttributes seen = Files.readAttributes(real, BasicFileAttributes.class);
      long modified = seen.lastModifiedTime().to(java.util.concurrent.TimeUnit.NANOSECONDS);
      stamps.add(new Stamp(file, real, String.valueOf(seen.fileKey()), seen.size(), modified));
    }
    return new Fingerprint(stamps);
  }

  /** The text of the files; of a file that is too large, as much as shows that it is. */
  public List<Source> read() throws IOException {
    List<Source> sources = new ArrayList<>();
    long total = 0;
    for (Path file : files()) {
      try (InputStream in = Files.newInputStream(file)) {
        byte[] bytes = in.readNBytes(Source.MAX_BYTES + 1);
        Path directory = file.toAbsolutePath().resolveSibling("");
        sources.add(new Source(file.toString(), directory, bytes));
        total += bytes.length;
      }
      if (total > MAX_TOTAL_BYTES) {
        String expected = "at most " + MAX_TOTAL_BYTES + " bytes in all files";
        throw new IOException(path + ": more (expected: " + expected + ")");
      }
    }
    return sources;
  }

  private List<Path> files() throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> entries = Files.list(path)) {
      List<Path> files =
          entries.filter(RuleFiles::isRulesFile).limit(MOST_FILES + 1).sorted().toList();
      if (files.isEmpty() || files.size() > MOST_FILES) {
        String expected = "between 1 and " + MOST_FILES + " files that end in .yaml or .yml";
        throw new IOException(path + ": " + files.size() + " (expected: " + expected + ")");
      }
      return files;
    }
  }

  private static boolean isRulesFile(Path file) {
    String name = file.getFileName().toString();
    boolean yaml = name.endsWith(".yaml") || name.endsWith(".yml");
    return yaml && !name.startsWith(".") && Files.isRegularFile(file);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
