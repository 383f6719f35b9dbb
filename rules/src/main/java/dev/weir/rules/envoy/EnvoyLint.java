package dev.weir.rules.envoy;

import dev.weir.rules.domain.Branch;
import dev.weir.rules.domain.Domain;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.SourceLocation;
import dev.weir.rules.yaml.Spelling;
import java.util.Set;

/** Warns of what Envoy's rate limit service accepts silently, but which is hardly intended. */
final class EnvoyLint {
  private final Problems problems;

  EnvoyLint(Problems problems) {
    this.problems = problems;
  }

  void check(Domain domain, EnvoyDescriptors written) {
    for (Branch branch : domain.unreachable()) {
      SourceLocation location = written.location(branch);
      if (location != null) {
        problems.warning(location, LintCodes.NEVER_MATCHES, describe(branch));
      }
    }
    written.replaced().forEach((location, name) -> checkReplaces(location, name, written.names()));
  }

  private static String describe(Branch branch) {
    boolean value = !branch.value().isEmpty();
    String shown = Problems.shown(value ? branch.value() : branch.key());
    return value || branch.key().contains("*")
        ? (value ? "value: " : "key: ") + shown + " never matches, since a pattern before it does"
        : "key: " + shown + " never matches alone, since a pattern takes every value";
  }

  private void checkReplaces(SourceLocation location, String name, Set<String> names) {
    if (!names.contains(name)) {
      String hint =
          Spelling.nearest(name, names)
              .map(near -> " (did you mean " + Problems.shown(near) + "?)")
              .orElse("");
      String message = "replaces: " + Problems.shown(name) + " is the name of no limit here";
      problems.warning(location, LintCodes.DANGLING_REPLACES, message + hint);
    }
  }
}
