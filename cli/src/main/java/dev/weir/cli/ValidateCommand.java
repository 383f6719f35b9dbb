package dev.weir.cli;

import dev.weir.yaml.GatewayHeaders;
import dev.weir.yaml.GatewayHeaders.Gateway;
import dev.weir.yaml.Problem;
import dev.weir.yaml.Problem.Severity;
import dev.weir.yaml.RuleSet;
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

/** Says everything that is wrong or doubtful in rules files. */
@Command(
    name = "validate",
    description = {
      "Checks rules files and prints what is wrong or doubtful, as file:line:column: message.",
      "Exits with 0 if they can be used, 1 if not, 2 if one cannot be read."
    },
    customSynopsis = "weir validate FILE|DIR|-... [OPTION]...",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    footer = {
      "",
      "Examples:",
      "  weir validate rules.yaml",
      "  weir validate --strict --quiet staging/ production/   # in a pipeline",
      "  weir validate --json rules.yaml",
      "  weir validate rules.yaml --gateway-headers nginx",
      "  kubectl get configmap rules -o jsonpath='{.data.rules}' | weir validate -"
    })
final class ValidateCommand implements Callable<Integer> {
  private final Terminal out;
  private final Terminal err;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE|DIR",
      description =
          "A rules file, a directory whose .yaml and .yml files are read as one, or - for standard"
              + " input. Several arguments are checked each by itself.")
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
      names = "--gateway-headers",
      paramLabel = "GATEWAY",
      description = {
        "Print the lines that nginx, caddy, envoy or haproxy needs so that no client can forge the"
            + " trusted headers of these rules; all else goes to standard error."
      })
  private @Nullable String gateway;

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
    if (files.stream().map(Path::toString).filter(Input.STANDARD::equals).count() > 1) {
      throw Trouble.usage(spec, Flag.refused("FILE", "- twice", "standard input once"));
    }
    if (gateway != null) {
      return printHeaders(gateway(gateway));
    }
    List<Verdict> verdicts =
        files.stream().map(file -> Verdict.on(file, mergeDomains, environment)).toList();
    if (json) {
      out.json(verdicts.stream().map(verdict -> verdict.json(strict)).toList());
    }
    for (Verdict verdict : verdicts) {
      if (verdict.unreadable() != null) {
        err.line("weir: ", verdict.unreadable());
      } else if (!json) {
        tell(verdict, out);
      }
    }
    return verdicts.stream().mapToInt(verdict -> verdict.exitCode(strict)).max().orElse(Exit.OK);
  }

  private Gateway gateway(String name) {
    for (Gateway one : Gateway.values()) {
      if (Words.lower(one).equalsIgnoreCase(name)) {
        return one;
      }
    }
    throw refused("--gateway-headers: " + name + " (expected: nginx, caddy, envoy or haproxy)");
  }

  private ParameterException refused(String message) {
    return Trouble.usage(spec, new IllegalArgumentException(message));
  }

  /** Standard output can then be pasted, or written to a file that the gateway includes. */
  private int printHeaders(Gateway printed) {
    if (files.size() != 1 || json) {
      String with = json ? "--json" : files.size() + " arguments";
      throw refused("--gateway-headers: with " + with + " (expected: one file or directory alone)");
    }
    Verdict verdict = Verdict.on(files.get(0), mergeDomains, environment);
    if (verdict.unreadable() != null) {
      err.line("weir: ", verdict.unreadable());
      return Exit.USAGE;
    }
    tell(verdict, err);
    RuleSet rules = verdict.set();
    try {
      if (rules != null) {
        GatewayHeaders.of(rules).lines(printed).forEach(out::line);
      }
    } catch (IllegalArgumentException e) {
      err.line(verdict.file(), ": ", Style.RED.of(String.valueOf(e.getMessage())));
      return Exit.REFUSED;
    }
    return verdict.exitCode(strict);
  }

  private void tell(Verdict verdict, Terminal to) {
    for (Problem problem : verdict.problems()) {
      Style.Piece place = Style.BOLD.of(problem.place());
      if (problem.severity() == Severity.ERROR) {
        to.line(place, ": ", Style.RED.of(problem.message()));
      } else if (!quiet || strict) {
        Style.Piece code = Style.DIM.of(" [" + problem.code() + "]");
        to.line(place, ": ", Style.YELLOW.of("warning: "), problem.message(), code);
      }
    }
    if (!quiet) {
      to.line(verdict.file(), ": ", result(verdict), counts(verdict), version(verdict));
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

  /**
   * As a server that has these files tells it: in its log, at {@code /readyz} and {@code /rules}.
   */
  private static String version(Verdict verdict) {
    RuleSet rules = verdict.set();
    return rules == null ? "" : ", version " + rules.version();
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
