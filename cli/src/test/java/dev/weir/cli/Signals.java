package dev.weir.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The signals that this process ignores, which its child processes ignore as well. */
public final class Signals {
  public static final int INT = 2;

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String IGNORED = "SigIgn:";

  private Signals() {}

  /** Whether a signal is ignored; false where the system does not report it. */
  public static boolean isIgnored(int number) throws IOException {
    if (!Files.isReadable(STATUS)) {
      return false;
    }
    return Files.readAllLines(STATUS).stream()
        .filter(line -> line.startsWith(IGNORED))
        .map(line -> Long.parseUnsignedLong(line.substring(IGNORED.length()).strip(), 16))
        .anyMatch(bits -> (bits >> (number - 1) & 1) == 1);
  }
}
