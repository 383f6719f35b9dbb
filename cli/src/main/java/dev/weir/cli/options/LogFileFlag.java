package dev.weir.cli.options;

import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks flags that name the file of a log. */
public final class LogFileFlag {
  private static final String STANDARD_OUTPUT = "-";

  private LogFileFlag() {}

  /**
   * The file of a log, which can be written; empty if none is given.
   *
   * @param file a path; {@code -} for standard output
   * @throws IllegalArgumentException if it is no path
   * @throws Failure if it cannot be written
   */
  public static Optional<String> of(String flag, @Nullable String file) throws Failure {
    if (file == null || file.equals(STANDARD_OUTPUT)) {
      return Optional.ofNullable(file);
    }
    if (file.isEmpty()) {
      throw Flag.invalid(flag, file, "a file, or - for standard output");
    }
    try (FileChannel opened =
        FileChannel.open(Path.of(file), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      return opened.isOpen() ? Optional.of(file) : Optional.empty();
    } catch (InvalidPathException e) {
      throw Flag.invalid(flag, file, "a path");
    } catch (IOException e) {
      throw new Failure(ExitCode.USAGE, flag + ": " + file + ": cannot be written: " + reason(e));
    }
  }

  private static String reason(IOException e) {
    return e instanceof NoSuchFileException ? "no such directory" : String.valueOf(e.getMessage());
  }
}
