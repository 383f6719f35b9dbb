package dev.weir.yaml;

import dev.weir.domain.Branch;
import dev.weir.domain.Domain;
import java.util.Set;

/** Looks for what Envoy's rate limit service takes without a word, though hardly as meant. */
final class EnvoyLint {
  static final String IGNORED = "ignored-field";
  static final String BLOCKS = "blocks-everything";
  static final String NO_LIMIT = "no-limit";
  static final String EMPTY_VALUE = "empty-value";
  static final String DANGLING = "dangling-replaces";
  static final String KEY_TWICE = "key-twice";
  static final String OCTAL = "octal-number";
  static final Set<String> CODES =
      Set.of(
          IGNORED, BLOCKS, NO_LIMIT, EMPTY_VALUE, DANGLING, KEY_TWICE, OCTAL, Lint.NEVER_MATCHES);

  private final Problems problems;

  EnvoyLint(Problems problems) {
    this.problems = problems;
  }

  void check(Domain domain, EnvoyDescriptors written) {
    for (Branch branch : domain.hidden()) {
      Place place = written.place(branch);
      if (place != null) {
        problems.warning(place, Lint.NEVER_MATCHES, hidden(branch));
      }
    }
    written.replaced().forEach((place, name) -> replaced(place, name, written.names()));
  }

  private static String hidden(Branch branch) {
    boolean value = !branch.value().isEmpty();
    String shown = Problems.shown(value ? branch.value() : branch.key());
    return value || branch.key().contains("*")
        ? (value ? "value: " : "key: ") + shown + " never matches, since a pattern before it does"
        : "key: " + shown + " never matches alone, since a pattern takes every value";
  }

  private void replaced(Place place, String name, Set<String> names) {
    if (!names.contains(name)) {
      String hint =
          Words.nearest(name, names)
              .map(near -> " (did you mean " + Problems.shown(near) + "?)")
              .orElse("");
      String message = "replaces: " + Problems.shown(name) + " is the name of no limit here";
      problems.warning(place, DANGLING, message + hint);
    }
  }
}
