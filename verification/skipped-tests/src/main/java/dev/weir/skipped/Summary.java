package dev.weir.skipped;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reports at the end of a build which programs are missing on this machine, and how many tests need
 * them.
 *
 * <p>A test without its program aborts itself with the message {@code needs} and the program. A
 * test that is skipped for any other reason fails the build, so that no test is skipped silently.
 */
public final class Summary {
  private static final String ABORTED = "Assumption failed: ";
  private static final String NEEDS = "needs ";
  private static final int MAX_SHOWN = 20;

  private Summary() {}

  /**
   * Exits with 1 if a skipped test does not say what it needs.
   *
   * @param args the root of the project, and the start of the build, such as 2026-01-31T12:00:00Z
   */
  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]).toAbsolutePath().normalize();
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    if (!print(Reports.of(root, Instant.parse(args[1])), out)) {
      System.exit(1);
    }
  }

  /** Prints the summary; returns false if the build must fail. */
  static boolean print(Reports reports, PrintWriter out) {
    Map<String, Integer> needs = new TreeMap<>();
    List<Skipped> unexplained = new ArrayList<>();
    for (Skipped skipped : reports.skipped()) {
      String reason = skipped.reason().replaceFirst("^" + ABORTED, "");
      if (reason.startsWith(NEEDS)) {
        needs.merge(reason.substring(NEEDS.length()), 1, Integer::sum);
      } else {
        unexplained.add(skipped);
      }
    }
    if (!needs.isEmpty()) {
      out.println("Not tried on this machine: " + sentence(needs) + ".");
    } else if (unexplained.isEmpty()) {
      out.printf("All %,d tests were tried.%n", reports.tests());
    }
    for (Skipped skipped : unexplained.subList(0, Math.min(MAX_SHOWN, unexplained.size()))) {
      out.printf(
          "%s was skipped: \"%s\" (expected: \"needs …\", naming what is missing)%n",
          skipped.test(), skipped.reason());
    }
    if (unexplained.size() > MAX_SHOWN) {
      out.printf("and %,d more%n", unexplained.size() - MAX_SHOWN);
    }
    return unexplained.isEmpty();
  }

  /** Formats the needs, such as "7 tests need nginx, 1 needs envoy". */
  private static String sentence(Map<String, Integer> needs) {
    StringBuilder text = new StringBuilder();
    needs.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .forEach(
            each -> {
              boolean one = each.getValue() == 1;
              text.append(text.isEmpty() ? "" : ", ").append(each.getValue());
              text.append(text.indexOf("test") >= 0 ? "" : one ? " test" : " tests");
              text.append(one ? " needs " : " need ").append(each.getKey());
            });
    return text.toString();
  }
}
