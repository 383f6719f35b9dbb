package dev.weir.cli.store;

import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Input;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configured location of counters.
 *
 * @param source the flag, file or variable that configures it
 * @param url {@link #EMBEDDED}, or a URL, which may contain a password
 */
record StoreChoice(String source, String url) {
  /** The value for counters in this process. */
  static final String EMBEDDED = "embedded";

  /** The environment variable that applies if no flag is given. */
  static final String VARIABLE = "WEIR_STORE";

  /** Counters in this process, by default. */
  static final StoreChoice IN_PROCESS = new StoreChoice("", EMBEDDED);

  private static final int MAX_BYTES = 8 << 10;
  private static final String EXPECTED =
      EMBEDDED + ", or a URL such as redis://127.0.0.1:6379 or redis-cluster://10.0.0.1,10.0.0.2";

  /**
   * The choice of the flags, else of the environment variable, else the default.
   *
   * @throws Failure if both flags are given, if the file cannot be read, or if the value is no URL
   */
  static StoreChoice of(
      @Nullable String flag,
      @Nullable Path file,
      Map<String, String> environment,
      StoreChoice defaultChoice)
      throws Failure {
    if (flag != null && file != null) {
      throw new Failure(ExitCode.USAGE, "--store, --store-file: both (expected: one)");
    }
    StoreChoice choice =
        file != null
            ? new StoreChoice("--store-file: " + file, firstLine(file))
            : flag != null
                ? new StoreChoice("--store", flag)
                : new StoreChoice(VARIABLE, environment.getOrDefault(VARIABLE, "").strip());
    if (choice.url.isEmpty() && flag == null && file == null) {
      return defaultChoice;
    }
    if (!choice.isEmbedded() && !choice.url.contains("://")) {
      // The message shows a single word only; anything else may be a password.
      String shown = choice.url.matches("[a-z-]{1,20}") ? choice.url : "no URL";
      throw choice.invalid(shown + " (expected: " + EXPECTED + ")");
    }
    return choice;
  }

  private static String firstLine(Path file) throws Failure {
    String text = new String(Input.bytes("--store-file", file, MAX_BYTES), StandardCharsets.UTF_8);
    return text.lines().findFirst().orElse("").strip();
  }

  /** Whether counters live in this process. */
  boolean isEmbedded() {
    return url.equals(EMBEDDED);
  }

  /** The failure for an invalid choice, by the name of its source. */
  Failure invalid(String why) {
    return new Failure(ExitCode.USAGE, source + ": " + why);
  }

  /** The source only, since the URL may contain a password. */
  @Override
  public String toString() {
    return source;
  }
}
