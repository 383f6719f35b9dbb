package dev.weir.cli.validate;

import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Input;
import dev.weir.cli.terminal.Json;
import dev.weir.key.KeySpace;
import dev.weir.rules.GatewayHeaders;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.envoy.DomainDefaults;
import dev.weir.rules.yaml.Problem;
import dev.weir.rules.yaml.Problem.Severity;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of validating one file or directory.
 *
 * @param rules the number of rules; null if they are refused
 * @param domains the number of domains, in files for Envoy
 * @param descriptors the number of descriptors in all domains
 * @param set the rules, with the version that a server with the same files reports; null if they
 *     are refused
 * @param unreadable why the file cannot be read; null if it can
 */
record FileReport(
    String file,
    @Nullable Integer rules,
    int domains,
    int descriptors,
    List<Problem> problems,
    @Nullable RuleSet set,
    @Nullable String unreadable) {

  /**
   * Validates a file or directory.
   *
   * @param merge whether several files may define one domain
   */
  static FileReport on(Path file, boolean merge, Map<String, String> environment) {
    KeySpace anyKeys = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);
    try {
      RulesLoader loader =
          new RulesLoader(anyKeys, environment)
              .with(new DomainDefaults(merge, false))
              .forAnyService();
      RuleSet set = loader.load(Input.rules(file));
      return new FileReport(
          Input.name(file),
          set.book().rules().size(),
          set.domains().names().size(),
          set.domains().size(),
          set.warnings(),
          set,
          null);
    } catch (RulesRejected e) {
      return new FileReport(Input.name(file), null, 0, 0, e.problems(), null, null);
    } catch (Failure e) {
      return new FileReport(Input.name(file), null, 0, 0, List.of(), null, e.getMessage());
    }
  }

  /** The number of problems of a severity. */
  int count(Severity severity) {
    return (int) problems.stream().filter(one -> one.severity() == severity).count();
  }

  /** The exit code; warnings count as errors if {@code strict}. */
  int exitCode(boolean strict) {
    if (unreadable != null) {
      return ExitCode.USAGE;
    }
    return rules == null || (strict && !problems.isEmpty()) ? ExitCode.REFUSED : ExitCode.OK;
  }

  /** The result as JSON. */
  Map<String, @Nullable Object> json(boolean strict) {
    return Json.object(
        "file",
        file,
        "ok",
        exitCode(strict) == ExitCode.OK,
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
            ? problems.stream().map(FileReport::json).toList()
            : List.of(problem(file, null, null, "error", "unreadable", unreadable)));
  }

  private static Map<String, @Nullable Object> json(Problem problem) {
    return problem(
        problem.location().file(),
        problem.location().line(),
        problem.location().column(),
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
