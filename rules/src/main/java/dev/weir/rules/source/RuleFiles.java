package dev.weir.rules.source;

import dev.weir.rules.yaml.RulesText;
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
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files that rules come from: one file, or all {@code .yaml} and {@code .yml} files of a
 * directory in the order of their names. Immutable; each call reads the file system anew.
 *
 * <p>Files whose names begin with a dot are skipped: among them are the ones that Kubernetes keeps
 * beside a mounted ConfigMap, which are read through their links.
 */
public class RuleFiles {
  private static final int MAX_FILES = 1_000;
  private static final int MAX_TOTAL_BYTES = 4 * RulesText.MAX_BYTES;

  private static final int MAX_LEVELS = 10;

  private final Path path;
  private final boolean recursive;

  RuleFiles(Path path) {
    this(path, false);
  }

  private RuleFiles(Path path, boolean all) {
    this.path = path;
    this.recursive = all;
  }

  /** One file, or the rules files directly in a directory. */
  public static RuleFiles at(Path path) {
    return new RuleFiles(path, false);
  }

  /**
   * All files below a directory, whatever their names, as envoyproxy/ratelimit reads them. As
   * there, the directory may be empty at the start.
   */
  public static RuleFiles allBelow(Path directory) {
    return new RuleFiles(directory, true);
  }

  /** Thrown for a directory without rules files. */
  static final class NoFiles extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean allowedAtStart;

    NoFiles(String message, boolean awaited) {
      super(message);
      this.allowedAtStart = awaited;
    }

    /** Whether a server may start without files. */
    boolean isAllowedAtStart() {
      return allowedAtStart;
    }
  }

  /**
   * The state of the files as far as it shows without reading them; a change of the files changes
   * it.
   *
   * @param problem why the files cannot be examined; null if they can
   */
  record Fingerprint(List<Stamp> stamps, @Nullable String problem) {}

  /** A file, or the target of a link, with its attributes in the file system. */
  record Stamp(Path file, Map<String, Object> attributes) {
    boolean hasFlag(String attribute) {
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

  /** Why files cannot be read, as a message for operators. */
  static String reason(Throwable e) {
    if (e instanceof NoSuchFileException) {
      return e.getMessage() + ": no such file or directory";
    }
    if (e instanceof AccessDeniedException) {
      return e.getMessage() + ": permission denied";
    }
    return e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
  }

  /**
   * The content of the files. A file that is too large is truncated to one byte more than allowed.
   *
   * @throws IOException if a file cannot be read, or there are none, too many or too large ones
   */
  public List<RulesText> read() throws IOException {
    List<RulesText> texts = new ArrayList<>();
    long total = 0;
    for (Stamp stamp : stamps()) {
      Path file = stamp.file();
      try (InputStream in = Files.newInputStream(file)) {
        byte[] bytes = in.readNBytes(RulesText.MAX_BYTES + 1);
        Path directory = file.toAbsolutePath().resolveSibling("");
        texts.add(new RulesText(file.toString(), directory, bytes));
        total += bytes.length;
      }
      if (total > MAX_TOTAL_BYTES) {
        String expected = "at most " + MAX_TOTAL_BYTES + " bytes in all files";
        throw new IOException(path + ": more (expected: " + expected + ")");
      }
    }
    return texts;
  }

  private List<Stamp> stamps() throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(stamp(path));
    }
    List<Path> entries = entries();
    if (entries.size() > MAX_FILES) {
      throw new IOException(countError("more"));
    }
    List<Stamp> stamps = new ArrayList<>();
    for (Path entry : entries) {
      Stamp stamp = requireFile(entry);
      if (!stamp.hasFlag("isDirectory")) {
        stamps.add(stamp);
      }
    }
    if (stamps.isEmpty()) {
      throw new NoFiles(countError("0"), recursive);
    }
    return stamps;
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> found =
        recursive ? Files.walk(path, MAX_LEVELS, FileVisitOption.FOLLOW_LINKS) : Files.list(path)) {
      return found
          .filter(recursive ? this::isVisible : RuleFiles::hasRulesName)
          .limit(MAX_FILES + 1)
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Whether it is a file, and no name on its path below the directory begins with a dot. */
  private boolean isVisible(Path file) {
    for (Path name : path.relativize(file)) {
      if (name.toString().startsWith(".")) {
        return false;
      }
    }
    return !Files.isDirectory(file);
  }

  private String countError(String found) {
    String files = recursive ? " files" : " files that end in .yaml or .yml";
    return path + ": " + found + " (expected: between 1 and " + MAX_FILES + files + ")";
  }

  private static boolean hasRulesName(Path entry) {
    String name = entry.getFileName().toString().toLowerCase(Locale.ROOT);
    return (name.endsWith(".yaml") || name.endsWith(".yml")) && !name.startsWith(".");
  }

  /**
   * Fails for dangling links, whose rules must not vanish silently, and for pipes, which may never
   * end.
   */
  private static Stamp requireFile(Path entry) throws IOException {
    try {
      Stamp stamp = stamp(entry);
      if (stamp.hasFlag("isRegularFile") || stamp.hasFlag("isDirectory")) {
        return stamp;
      }
    } catch (NoSuchFileException e) {
      // Reported below.
    }
    throw new IOException(entry + ": no file (expected: a file, or a link to one)");
  }

  private static Stamp stamp(Path file) throws IOException {
    // ctime reveals a change that keeps the size and resets the other times.
    boolean unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
    String basic = "size,lastModifiedTime,fileKey,isRegularFile,isDirectory";
    return new Stamp(file, Files.readAttributes(file, unix ? "unix:ctime," + basic : basic));
  }

  /** The path. */
  @Override
  public String toString() {
    return path.toString();
  }
}
