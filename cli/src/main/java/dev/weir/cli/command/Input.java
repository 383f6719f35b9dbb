package dev.weir.cli.command;

import dev.weir.rules.source.RuleFiles;
import dev.weir.rules.yaml.RulesText;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Reads the files that arguments name; failures state the reason in plain words. */
public final class Input {
  /** The argument that stands for standard input instead of a file or directory. */
  public static final String STANDARD = "-";

  private static final Path STANDARD_INPUT = Path.of(STANDARD);

  private Input() {}

  /**
   * Reads the rules in a file, in all files of a directory, or on standard input.
   *
   * @throws Failure if they cannot be read
   */
  public static List<RulesText> rules(Path path) throws Failure {
    try {
      if (path.equals(STANDARD_INPUT)) {
        byte[] bytes = System.in.readNBytes(RulesText.MAX_BYTES + 1);
        return List.of(new RulesText(name(path), Path.of("").toAbsolutePath(), bytes));
      }
      return RuleFiles.at(path).read();
    } catch (IOException e) {
      throw new Failure(ExitCode.USAGE, unreadable(path, e));
    }
  }

  /** The name of a path in messages; {@code stdin} for standard input. */
  public static String name(Path path) {
    return path.equals(STANDARD_INPUT) ? "stdin" : path.toString();
  }

  /**
   * Reads at most {@code max + 1} bytes of a file, enough to see whether it is too large.
   *
   * @param flag the flag that names the file, for the error message
   * @throws Failure if it cannot be read
   */
  public static byte[] bytes(String flag, Path path, int max) throws Failure {
    try (var in = Files.newInputStream(path)) {
      return in.readNBytes(max + 1);
    } catch (IOException e) {
      throw new Failure(ExitCode.USAGE, flag + ": " + unreadable(path, e));
    }
  }

  /** The message for a file or directory that cannot be read: its path and the reason. */
  public static String unreadable(Path path, IOException e) {
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
