package dev.weir.rules.lint;

import dev.weir.http.identity.HttpReader;
import dev.weir.http.request.CanonicalPath;
import dev.weir.rule.ResponseCost;
import dev.weir.rule.condition.Condition;
import dev.weir.rules.syntax.MatchSyntax;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.SourceLocation;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Reports values that no request can have, and paths that none matches. Not thread-safe. */
public final class ConditionLint {
  private static final String TRUSTED_HEADER = "trusted-header ";

  /** The spelling that other routers have for {@code /users/{id}}. */
  private static final Pattern COLON_NAME = Pattern.compile("/:([A-Za-z0-9_-]+)(?=/|$)");

  private final Set<String> trustedHeaders = new TreeSet<>();
  private final boolean jwtConfigured;
  private final boolean proxiesConfigured;
  private final Problems problems;

  /**
   * A lint for all conditions of one version.
   *
   * @param jwtConfigured whether the files have a {@code jwt} section, be it invalid
   * @param proxiesConfigured whether the files name trusted proxies, be it invalid
   */
  public ConditionLint(boolean jwtConfigured, boolean proxiesConfigured, Problems problems) {
    this.jwtConfigured = jwtConfigured;
    this.proxiesConfigured = proxiesConfigured;
    this.problems = problems;
  }

  /** The headers among the checked values that count only if a trusted proxy sends them. */
  public Set<String> trustedHeaders() {
    return trustedHeaders;
  }

  /**
   * Reports values that no request can have: jwt without keys, trusted headers without proxies.
   *
   * @param owner what a message says reads them
   */
  public void checkValues(SourceLocation location, String owner, Set<String> names) {
    for (String name : names) {
      if (name.startsWith(TRUSTED_HEADER)) {
        trustedHeaders.add(name.substring(TRUSTED_HEADER.length()));
      }
      String shown = Problems.shown(name);
      if (name.startsWith("jwt ") && !jwtConfigured) {
        String expected = "a jwt section with the keys to verify it";
        problems.error(location, owner, name, expected);
      } else if (name.startsWith(TRUSTED_HEADER) && !proxiesConfigured) {
        problems.warning(
            location,
            LintCodes.NEVER_MATCHES,
            owner + ": " + shown + " is always absent without trusted-proxies");
      } else if (!isOfOtherEdges(name) && HttpReader.problem(name) != null) {
        problems.error(location, String.valueOf(HttpReader.problem(name)));
      }
    }
  }

  /**
   * Whether the value is in no head of an HTTP request: clients of Envoy's rate limit service send
   * it, or a gateway reads it from the body.
   */
  private static boolean isOfOtherEdges(String name) {
    return name.equals("domain") || name.startsWith("entry ") || name.equals(ResponseCost.MODEL);
  }

  /** Warns of patterns that no path matches: paths are compared in canonical form. */
  public void checkPaths(SourceLocation location, List<Condition> conditions) {
    for (Condition condition : conditions) {
      if (condition instanceof Condition.Path path) {
        path.patterns().forEach(pattern -> checkPath(location, pattern.toString()));
      }
    }
  }

  private void checkPath(SourceLocation location, String pattern) {
    CanonicalPath canonical = CanonicalPath.of(pattern, true);
    if (!canonical.hasReading(pattern)) {
      problems.warning(
          location,
          LintCodes.NEVER_MATCHES,
          "path: "
              + Problems.shown(pattern)
              + " never matches, since paths are decoded before they are compared (write "
              + MatchSyntax.spelling(canonical)
              + ")");
    }
    String braces = COLON_NAME.matcher(pattern).replaceAll("/{$1}");
    if (!braces.equals(pattern)) {
      problems.warning(
          location,
          LintCodes.NEVER_MATCHES,
          "path: "
              + Problems.shown(pattern)
              + " matches only a path with that colon (did you mean "
              + Problems.shown(braces)
              + "?)");
    }
  }
}
