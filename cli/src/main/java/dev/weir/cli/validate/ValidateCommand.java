package dev.weir.cli.validate;

import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Input;
import dev.weir.cli.command.Version;
import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Terminal;
import dev.weir.cli.terminal.Wording;
import dev.weir.rules.GatewayHeaders;
import dev.weir.rules.GatewayHeaders.Gateway;
import dev.weir.rules.RuleSet;
import dev.weir.rules.yaml.Problem;
import dev.weir.rules.yaml.Problem.Severity;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir validate} command: prints all errors and warnings of rules files. */
@Command(
    name = "validate",
    description = {
      "Checks rules files and prints errors and warnings, as file:line:column: message.",
      "Exits with 0 if they are valid, 1 if not, 2 if one cannot be read."
    },
    customSynopsis = "weir validate FILE|DIR|-... [OPTION]...",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir validate rules.yaml",
      "  weir validate --strict --quiet staging/ production/   # in a pipeline",
      "  weir validate --json rules.yaml",
      "  weir validate rules.yaml --gateway-headers nginx",
      "  kubectl get configmap rules -o jsonpath='{.data.rules}' | weir validate -"
    })
public final class ValidateCommand implements Callable<Integer> {
  private final Terminal out;
  private final Terminal err;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE|DIR",
      description =
          "A rules file, a directory whose .yaml and .yml files are read as one, or - for standard"
              + " input. Several arguments are checked separately.")
  private List<Path> files = List.of();

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  @Option(names = "--strict", description = "Warnings count as errors.")
  private boolean strict;

  @Option(
      names = "--merge-domains",
      description = "Several files of a directory may define one domain.")
  private boolean mergeDomains;

  @Option(
      names = "--gateway-headers",
      paramLabel = "GATEWAY",
      description = {
        "Print the configuration of nginx, caddy, envoy or haproxy that keeps clients from forging"
            + " the trusted headers of these rules; all else goes to standard error."
      })
  private @Nullable String gateway;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print only what makes the exit code differ from 0.")
  private boolean quiet;

  /** Creates the command. */
  public ValidateCommand(Terminal out, Terminal err, Map<String, String> environment) {
    this.out = out;
    this.err = err;
    this.environment = environment;
  }

  @Override
  public Integer call() {
    if (files.stream().map(Path::toString).filter(Input.STANDARD::equals).count() > 1) {
      throw ErrorReporter.usageError(spec, Flag.invalid("FILE", "- twice", "standard input once"));
    }
    if (gateway != null) {
      return printHeaders(gateway(gateway));
    }
    List<FileReport> reports =
        files.stream().map(file -> FileReport.on(file, mergeDomains, environment)).toList();
    if (json) {
      out.json(reports.stream().map(report -> report.json(strict)).toList());
    }
    for (FileReport report : reports) {
      if (report.unreadable() != null) {
        err.line("weir: ", report.unreadable());
      } else if (!json) {
        print(report, out);
      }
    }
    return reports.stream().mapToInt(report -> report.exitCode(strict)).max().orElse(ExitCode.OK);
  }

  private Gateway gateway(String name) {
    for (Gateway one : Gateway.values()) {
      if (Wording.lower(one).equalsIgnoreCase(name)) {
        return one;
      }
    }
    throw usageError("--gateway-headers: " + name + " (expected: nginx, caddy, envoy or haproxy)");
  }

  private ParameterException usageError(String message) {
    return ErrorReporter.usageError(spec, new IllegalArgumentException(message));
  }

  /** Prints nothing else to standard output, so that it can go into a file for the gateway. */
  private int printHeaders(Gateway target) {
    if (files.size() != 1 || json) {
      String with = json ? "--json" : files.size() + " arguments";
      throw usageError(
          "--gateway-headers: with " + with + " (expected: one file or directory alone)");
    }
    FileReport report = FileReport.on(files.get(0), mergeDomains, environment);
    if (report.unreadable() != null) {
      err.line("weir: ", report.unreadable());
      return ExitCode.USAGE;
    }
    print(report, err);
    RuleSet rules = report.set();
    try {
      if (rules != null) {
        GatewayHeaders.of(rules).lines(target).forEach(out::line);
      }
    } catch (IllegalArgumentException e) {
      err.line(report.file(), ": ", Style.RED.of(String.valueOf(e.getMessage())));
      return ExitCode.REFUSED;
    }
    return report.exitCode(strict);
  }

  private void print(FileReport report, Terminal to) {
    for (Problem problem : report.problems()) {
      Style.Piece location = Style.BOLD.of(problem.location());
      if (problem.severity() == Severity.ERROR) {
        to.line(location, ": ", Style.RED.of(problem.message()));
      } else if (!quiet || strict) {
        Style.Piece code = Style.DIM.of(" [" + problem.code() + "]");
        to.line(location, ": ", Style.YELLOW.of("warning: "), problem.message(), code);
      }
    }
    if (!quiet) {
      to.line(report.file(), ": ", result(report), counts(report), version(report));
    }
  }

  private Style.Piece result(FileReport report) {
    if (report.rules() == null) {
      return Style.RED.of("refused");
    }
    return report.exitCode(strict) == ExitCode.OK
        ? Style.GREEN.of("ok")
        : Style.RED.of("refused by --strict");
  }

  /** The version that a server with these files reports in its log and at {@code /readyz}. */
  private static String version(FileReport report) {
    RuleSet rules = report.set();
    return rules == null ? "" : ", version " + rules.version();
  }

  private static String counts(FileReport report) {
    Integer rules = report.rules();
    boolean domains = report.domains() > 0;
    RuleSet set = report.set();
    int calls = set == null ? 0 : set.calls().size();
    return (rules == null || (rules == 0 && domains) ? "" : ", " + Wording.count(rules, "rule"))
        + (calls > 0 ? ", " + Wording.count(calls, "call") : "")
        + (domains ? ", " + Wording.count(report.domains(), "domain") : "")
        + (domains ? ", " + Wording.count(report.descriptors(), "descriptor") : "")
        + (rules != null ? "" : ", " + Wording.count(report.count(Severity.ERROR), "error"))
        + ", "
        + Wording.count(report.count(Severity.WARNING), "warning");
  }
}
