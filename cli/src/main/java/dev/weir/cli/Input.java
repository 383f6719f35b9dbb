package dev.weir.cli;

import dev.weir.yaml.RuleFiles;
import dev.weir.yaml.Source;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Reads the files that arguments name, and says in plain words if they cannot be read. */
final class Input {
  /** Stands for standard input, where a file or directory is expected. */
  static final String STANDARD = "-";

  private static final Path STANDARD_INPUT = Path.of(STANDARD);

  private Input() {}

  /** The rules in a file, in all files of a directory, or on standard input. */
  static List<Source> rules(Path path) throws Failure {
    try {
      if (path.equals(STANDARD_INPUT)) {
        byte[] bytes = System.in.readNBytes(Source.MAX_BYTES + 1);
        return List.of(new Source(name(path), Path.of("").toAbsolutePath(), bytes));
      }
      return RuleFiles.at(path).read();
    } catch (IOException e) {
      throw new Failure(Exit.USAGE, unreadable(path, e));
    }
  }

  /** How messages call it. */
  static String name(Path path) {
    return path.equals(STANDARD_INPUT) ? "stdin" : path.toString();
  }

  /**
   * A small file; of a larger one, enough to see that it is too large.
   *
   * @param flag that names it
   */
  static byte[] bytes(String flag, Path path, int most) throws Failure {
    try (var in = Files.newInputStream(path)) {
      return in.readNBytes(most + 1);
    } catch (IOException e) {
      throw new Failure(Exit.USAGE, flag + ": " + unreadable(path, e));
    }
  }

  /** Why a file or directory cannot be read. */
  static String unreadable(Path path, IOException e) {
    return path + ": " + reason(path, e);
  }

  private static String reason(Path path, IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    String message = String.valueOf(e.getMessage());
    String prefix = path + ": ";
    return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
  }
}
