package dev.weir.cli;

import dev.weir.key.KeySpace;
import dev.weir.yaml.DomainDefaults;
import dev.weir.yaml.GatewayHeaders;
import dev.weir.yaml.Problem;
import dev.weir.yaml.Problem.Severity;
import dev.weir.yaml.RuleSet;
import dev.weir.yaml.RulesLoader;
import dev.weir.yaml.RulesRefused;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be said about the rules in one file or directory.
 *
 * @param rules how many there are; null if they are refused
 * @param domains how many there are, in files for Envoy
 * @param descriptors how many there are in all domains
 * @param set the rules themselves, of which a server with the same files tells the same version;
 *     null if they are refused
 * @param unreadable why nothing can be said; null if something can
 */
record Verdict(
    String file,
    @Nullable Integer rules,
    int domains,
    int descriptors,
    List<Problem> problems,
    @Nullable RuleSet set,
    @Nullable String unreadable) {

  /**
   * @param merge whether several files may be about one domain
   */
  static Verdict on(Path file, boolean merge, Map<String, String> environment) {
    KeySpace anyKeys = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);
    try {
      RulesLoader loader =
          new RulesLoader(anyKeys, environment).with(new DomainDefaults(merge, false));
      RuleSet set = loader.load(Input.rules(file));
      return new Verdict(
          Input.name(file),
          set.book().rules().size(),
          set.domains().names().size(),
          set.domains().size(),
          set.warnings(),
          set,
          null);
    } catch (RulesRefused e) {
      return new Verdict(Input.name(file), null, 0, 0, e.problems(), null, null);
    } catch (Failure e) {
      return new Verdict(Input.name(file), null, 0, 0, List.of(), null, e.getMessage());
    }
  }

  int count(Severity severity) {
    return (int) problems.stream().filter(one -> one.severity() == severity).count();
  }

  int exitCode(boolean strict) {
    if (unreadable != null) {
      return Exit.USAGE;
    }
    return rules == null || (strict && !problems.isEmpty()) ? Exit.REFUSED : Exit.OK;
  }

  Map<String, @Nullable Object> json(boolean strict) {
    return Json.object(
        "file",
        file,
        "ok",
        exitCode(strict) == Exit.OK,
        "version",
        set == null ? null : set.version(),
        "rules",
        rules,
        "domains",
        rules == null ? null : domains,
        "descriptors",
        rules == null ? null : descriptors,
        "trustedHeaders",
        set == null ? null : GatewayHeaders.of(set).trusted(),
        "problems",
        unreadable == null
            ? problems.stream().map(Verdict::json).toList()
            : List.of(problem(file, null, null, "error", "unreadable", unreadable)));
  }

  private static Map<String, @Nullable Object> json(Problem problem) {
    return problem(
        problem.place().file(),
        problem.place().line(),
        problem.place().column(),
        problem.severity() == Severity.ERROR ? "error" : "warning",
        problem.code(),
        problem.message());
  }

  private static Map<String, @Nullable Object> problem(
      String file,
      @Nullable Integer line,
      @Nullable Integer column,
      String severity,
      String code,
      String message) {
    return Json.object(
        "file",
        file,
        "line",
        line,
        "column",
        column,
        "severity",
        severity,
        "code",
        code,
        "message",
        message);
  }
}
