package dev.weir.cli;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where counters are to be kept.
 *
 * @param from who said so: a flag, a file or a variable
 * @param url {@link #EMBEDDED}, or a URL, which may hold a password
 */
record StoreChoice(String from, String url) {
  static final String EMBEDDED = "embedded";

  /** The environment variable that is asked where no flag is given. */
  static final String VARIABLE = "WEIR_STORE";

  /** In this process. */
  static final StoreChoice HERE = new StoreChoice("", EMBEDDED);

  private static final int MAX_BYTES = 8 << 10;
  private static final String EXPECTED =
      EMBEDDED + ", or a URL such as redis://127.0.0.1:6379 or redis-cluster://10.0.0.1,10.0.0.2";

  /**
   * @param usual where nobody says anything
   */
  static StoreChoice of(
      @Nullable String flag,
      @Nullable Path file,
      Map<String, String> environment,
      StoreChoice usual)
      throws Failure {
    if (flag != null && file != null) {
      throw new Failure(Exit.USAGE, "--store, --store-file: both (expected: one)");
    }
    StoreChoice choice =
        file != null
            ? new StoreChoice("--store-file: " + file, firstLine(file))
            : flag != null
                ? new StoreChoice("--store", flag)
                : new StoreChoice(VARIABLE, environment.getOrDefault(VARIABLE, "").strip());
    if (choice.url.isEmpty() && flag == null && file == null) {
      return usual;
    }
    if (!choice.isEmbedded() && !choice.url.contains("://")) {
      // A word is shown; anything else may be a password in the wrong place.
      String shown = choice.url.matches("[a-z-]{1,20}") ? choice.url : "no URL";
      throw choice.refused(shown + " (expected: " + EXPECTED + ")");
    }
    return choice;
  }

  private static String firstLine(Path file) throws Failure {
    String text = new String(Input.bytes("--store-file", file, MAX_BYTES), StandardCharsets.UTF_8);
    return text.lines().findFirst().orElse("").strip();
  }

  boolean isEmbedded() {
    return url.equals(EMBEDDED);
  }

  Failure refused(String why) {
    return new Failure(Exit.USAGE, from + ": " + why);
  }

  /** Without the URL. */
  @Override
  public String toString() {
    return from;
  }
}
