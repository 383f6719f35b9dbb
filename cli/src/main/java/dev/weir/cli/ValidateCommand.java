package dev.weir.cli;

import dev.weir.yaml.Problem;
import dev.weir.yaml.Problem.Severity;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says everything that is wrong or doubtful in rules files. */
@Command(
    name = "validate",
    description = {
      "Checks rules files and prints what is wrong or doubtful, as file:line:column: message.",
      "Exits with 0 if they can be used, 1 if not, 2 if one cannot be read."
    },
    customSynopsis = "weir validate FILE|DIR... [OPTION]...",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    footer = {
      "",
      "Examples:",
      "  weir validate rules.yaml",
      "  weir validate --strict --quiet staging/ production/   # in a pipeline",
      "  weir validate --json rules.yaml"
    })
final class ValidateCommand implements Callable<Integer> {
  private final Terminal out;
  private final Terminal err;
  private final Map<String, String> environment;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE|DIR",
      description =
          "A rules file, or a directory whose .yaml and .yml files are read as one. Several"
              + " arguments are checked each by itself.")
  private List<Path> files = List.of();

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  @Option(names = "--strict", description = "Warnings count as errors.")
  private boolean strict;

  @Option(
      names = "--merge-domains",
      description = "Several files of a directory may be about one domain.")
  private boolean mergeDomains;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print only what makes the exit code differ from 0.")
  private boolean quiet;

  ValidateCommand(Terminal out, Terminal err, Map<String, String> environment) {
    this.out = out;
    this.err = err;
    this.environment = environment;
  }

  @Override
  public Integer call() {
    List<Verdict> verdicts =
        files.stream().map(file -> Verdict.on(file, mergeDomains, environment)).toList();
    if (json) {
      out.json(verdicts.stream().map(verdict -> verdict.json(strict)).toList());
    }
    for (Verdict verdict : verdicts) {
      if (verdict.unreadable() != null) {
        err.line("weir: ", verdict.unreadable());
      } else if (!json) {
        tell(verdict);
      }
    }
    return verdicts.stream().mapToInt(verdict -> verdict.exitCode(strict)).max().orElse(Exit.OK);
  }

  private void tell(Verdict verdict) {
    for (Problem problem : verdict.problems()) {
      Style.Piece place = Style.BOLD.of(problem.place());
      if (problem.severity() == Severity.ERROR) {
        out.line(place, ": ", Style.RED.of(problem.message()));
      } else if (!quiet || strict) {
        Style.Piece code = Style.DIM.of(" [" + problem.code() + "]");
        out.line(place, ": ", Style.YELLOW.of("warning: "), problem.message(), code);
      }
    }
    if (!quiet) {
      out.line(verdict.file(), ": ", result(verdict), counts(verdict));
    }
  }

  private Style.Piece result(Verdict verdict) {
    if (verdict.rules() == null) {
      return Style.RED.of("refused");
    }
    return verdict.exitCode(strict) == Exit.OK
        ? Style.GREEN.of("ok")
        : Style.RED.of("refused by --strict");
  }

  private static String counts(Verdict verdict) {
    Integer rules = verdict.rules();
    boolean domains = verdict.domains() > 0;
    return (rules == null || (rules == 0 && domains) ? "" : ", " + Words.count(rules, "rule"))
        + (domains ? ", " + Words.count(verdict.domains(), "domain") : "")
        + (domains ? ", " + Words.count(verdict.descriptors(), "descriptor") : "")
        + (rules != null ? "" : ", " + Words.count(verdict.count(Severity.ERROR), "error"))
        + ", "
        + Words.count(verdict.count(Severity.WARNING), "warning");
  }
}
