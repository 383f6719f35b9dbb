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
  private Input() {}

  /** The rules in a file, or in all files of a directory. */
  static List<Source> rules(Path path) throws Failure {
    try {
      return RuleFiles.at(path).read();
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  /** A small file; of a larger one, enough to see that it is too large. */
  static byte[] bytes(Path path, int most) throws Failure {
    try (var in = Files.newInputStream(path)) {
      return in.readNBytes(most + 1);
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  private static Failure unreadable(Path path, IOException e) {
    return new Failure(Exit.USAGE, path + ": " + reason(path, e));
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
