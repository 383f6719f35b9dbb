package dev.weir.cli;

import dev.weir.key.KeySpace;
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
 * @param unreadable why nothing can be said; null if something can
 */
record Verdict(
    String file, @Nullable Integer rules, List<Problem> problems, @Nullable String unreadable) {

  static Verdict on(Path file, Map<String, String> environment) {
    KeySpace anyKeys = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);
    try {
      RuleSet set = new RulesLoader(anyKeys, environment).load(Input.rules(file));
      return new Verdict(file.toString(), set.book().rules().size(), set.warnings(), null);
    } catch (RulesRefused e) {
      return new Verdict(file.toString(), null, e.problems(), null);
    } catch (Failure e) {
      return new Verdict(file.toString(), null, List.of(), e.getMessage());
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
        "rules",
        rules,
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
