package dev.weir.yaml;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files that rules come from: one, or all {@code .yaml} and {@code .yml} files of a directory
 * in the order of their names.
 *
 * <p>Files whose names begin with a dot are left alone: among them are the ones that Kubernetes
 * keeps beside a mounted ConfigMap, which are reached through their links.
 */
public class RuleFiles {
  private static final int MAX_FILES = 1_000;
  private static final int MAX_TOTAL_BYTES = 4 * Source.MAX_BYTES;

  private static final int MAX_LEVELS = 10;

  private final Path path;
  private final boolean all;

  RuleFiles(Path path) {
    this(path, false);
  }

  private RuleFiles(Path path, boolean all) {
    this.path = path;
    this.all = all;
  }

  public static RuleFiles at(Path path) {
    return new RuleFiles(path, false);
  }

  /**
   * All files below a directory, whatever their names, as envoyproxy/ratelimit reads them. As
   * there, the directory may be empty at first.
   */
  public static RuleFiles allBelow(Path directory) {
    return new RuleFiles(directory, true);
  }

  /** A directory has none. */
  static final class NoFiles extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean awaited;

    NoFiles(String message, boolean awaited) {
      super(message);
      this.awaited = awaited;
    }

    /** Whether rules may begin without them. */
    boolean isAwaited() {
      return awaited;
    }
  }

  /**
   * What tells one state of the files from another, without reading them.
   *
   * @param problem why they cannot even be looked at; null if they can
   */
  record Fingerprint(List<Stamp> stamps, @Nullable String problem) {}

  /** A file, or where a link leads, and what the file system tells of it. */
  record Stamp(Path file, Map<String, Object> attributes) {
    boolean isTrue(String attribute) {
      return Boolean.TRUE.equals(attributes.get(attribute));
    }
  }

  Fingerprint fingerprint() {
    try {
      return new Fingerprint(stamps(), null);
    } catch (IOException e) {
      return new Fingerprint(List.of(), reason(e));
    }
  }

  /** Why files cannot be read, in plain words. */
  static String reason(Throwable e) {
    if (e instanceof NoSuchFileException) {
      return e.getMessage() + ": no such file or directory";
    }
    if (e instanceof AccessDeniedException) {
      return e.getMessage() + ": permission denied";
    }
    return e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
  }

  /** The text of the files; of a file that is too large, as much as shows that it is. */
  public List<Source> read() throws IOException {
    List<Source> sources = new ArrayList<>();
    long total = 0;
    for (Stamp stamp : stamps()) {
      Path file = stamp.file();
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

  private List<Stamp> stamps() throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(stamp(path));
    }
    List<Path> entries = entries();
    if (entries.size() > MAX_FILES) {
      throw new IOException(wrongNumber("more"));
    }
    List<Stamp> stamps = new ArrayList<>();
    for (Path entry : entries) {
      Stamp stamp = entry(entry);
      if (!stamp.isTrue("isDirectory")) {
        stamps.add(stamp);
      }
    }
    if (stamps.isEmpty()) {
      throw new NoFiles(wrongNumber("0"), all);
    }
    return stamps;
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> found =
        all ? Files.walk(path, MAX_LEVELS, FileVisitOption.FOLLOW_LINKS) : Files.list(path)) {
      return found
          .filter(all ? this::isInSight : RuleFiles::isNamedAsRules)
          .limit(MAX_FILES + 1)
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Neither the file nor a directory on the way to it begins with a dot. */
  private boolean isInSight(Path file) {
    for (Path name : path.relativize(file)) {
      if (name.toString().startsWith(".")) {
        return false;
      }
    }
    return !Files.isDirectory(file);
  }

  private String wrongNumber(String found) {
    String files = all ? " files" : " files that end in .yaml or .yml";
    return path + ": " + found + " (expected: between 1 and " + MAX_FILES + files + ")";
  }

  private static boolean isNamedAsRules(Path entry) {
    String name = Identities.lower(entry.getFileName().toString());
    return (name.endsWith(".yaml") || name.endsWith(".yml")) && !name.startsWith(".");
  }

  /** Rules behind a link that leads nowhere must not vanish, and a pipe may never end. */
  private static Stamp entry(Path entry) throws IOException {
    try {
      Stamp stamp = stamp(entry);
      if (stamp.isTrue("isRegularFile") || stamp.isTrue("isDirectory")) {
        return stamp;
      }
    } catch (NoSuchFileException e) {
      // Told below.
    }
    throw new IOException(entry + ": no file (expected: a file, or a link to one)");
  }

  private static Stamp stamp(Path file) throws IOException {
    // A change shows in ctime even if it leaves the size and sets the other times back.
    boolean unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
    String basic = "size,lastModifiedTime,fileKey,isRegularFile,isDirectory";
    return new Stamp(file, Files.readAttributes(file, unix ? "unix:ctime," + basic : basic));
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
