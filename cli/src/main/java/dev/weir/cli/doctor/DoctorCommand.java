package dev.weir.cli.doctor;

import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Input;
import dev.weir.cli.command.Version;
import dev.weir.cli.doctor.check.Examination;
import dev.weir.cli.doctor.check.Server;
import dev.weir.cli.doctor.plan.Callers;
import dev.weir.cli.doctor.plan.Expectations;
import dev.weir.cli.doctor.plan.Plan;
import dev.weir.cli.doctor.plan.Planner;
import dev.weir.cli.doctor.plan.RequestTemplate;
import dev.weir.cli.doctor.probe.HttpGateway;
import dev.weir.cli.doctor.report.Check;
import dev.weir.cli.doctor.report.DoctorJson;
import dev.weir.cli.doctor.report.DoctorText;
import dev.weir.cli.doctor.report.Findings;
import dev.weir.cli.doctor.report.Verdict;
import dev.weir.cli.doctor.store.StoreExamination;
import dev.weir.cli.store.KeySecretSource;
import dev.weir.cli.store.OpenedStore;
import dev.weir.cli.terminal.Progress;
import dev.weir.cli.terminal.Terminal;
import dev.weir.load.Target;
import dev.weir.rule.Rule;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.yaml.Problem;
import dev.weir.time.Ticker;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir doctor} command: proves that rules are enforced behind a gateway. */
@Command(
    name = "doctor",
    description = {
      "Sends requests of synthetic callers through a gateway, and proves for each rule that it"
          + " admits its limit, denies the next, and cannot be evaded by forged headers. It says"
          + " how many requests it will send, and asks first. The requests reach your application.",
      "Exits with 0 if nothing is wrong, 1 if it finds a fault, 5 if it could prove nothing."
    },
    customSynopsis = {
      "weir doctor URL --rules FILE|DIR [--server URL]... [OPTION]...",
      "       weir doctor --store URL [OPTION]..."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir doctor http://127.0.0.1:80 --rules rules.yaml",
      "  weir doctor http://127.0.0.1:80 --rules rules.yaml \\",
      "    --server http://127.0.0.1:6070 --server http://127.0.0.1:6071",
      "  weir doctor --store redis://127.0.0.1:6379"
    })
public final class DoctorCommand implements Callable<Integer> {
  private final Terminal out;
  private final Terminal err;
  private final Map<String, String> environment;
  private final Confirmation confirmation;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "URL",
      description = "Where clients reach the gateway, such as http://127.0.0.1:80.")
  private @Nullable String gatewayUrl;

  @Option(
      names = "--rules",
      paramLabel = "FILE|DIR",
      description = "The rules that the servers behind the gateway should enforce.")
  private @Nullable Path rules;

  @Option(
      names = "--store",
      paramLabel = "URL",
      description = "Examine this store instead of a gateway, with keys that nobody else uses.")
  private @Nullable String store;

  @Option(
      names = "--store-file",
      paramLabel = "FILE",
      description = "File with the value of --store in its first line, for a URL with a password.")
  private @Nullable Path storeFile;

  @Mixin private final DoctorOptions options = new DoctorOptions();

  @Option(names = "--yes", description = "Send the requests without asking.")
  private boolean yes;

  @Option(
      names = "--allow-remote",
      description = "Allow a URL of another machine. Do so only if it is yours to test.")
  private boolean allowRemote;

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  /** Creates the command. */
  public DoctorCommand(
      Terminal out, Terminal err, Map<String, String> environment, Confirmation confirmation) {
    this.out = out;
    this.err = err;
    this.environment = environment;
    this.confirmation = confirmation;
  }

  @Override
  public Integer call() throws Failure, InterruptedException {
    try {
      if (store != null || storeFile != null) {
        return examineStore();
      }
      if (gatewayUrl == null || rules == null) {
        String missing = gatewayUrl == null ? "URL" : "--rules";
        throw Flag.invalid(missing, "", "URL and --rules; or --store");
      }
      String url = gatewayUrl;
      Target target = target(url);
      // Checks all flags before the rules are read.
      RequestTemplate template = options.template(target);
      List<Server> servers = options.servers(environment);
      var unused = options.outage();
      RuleSet set =
          new RulesLoader(KeySecretSource.keys(null), environment).load(Input.rules(rules));
      try (Expectations expectations = new Expectations(set)) {
        return examine(url, target, template, servers, expectations);
      }
    } catch (IllegalArgumentException e) {
      throw ErrorReporter.usageError(spec, e);
    } catch (RulesRejected e) {
      e.problems().stream().map(Problem::toString).forEach(err::line);
      return ExitCode.USAGE;
    }
  }

  private int examineStore() throws Failure {
    if (gatewayUrl != null) {
      throw Flag.invalid("URL", gatewayUrl, "none beside --store");
    }
    Findings findings = new Findings(options.skipped());
    try (OpenedStore opened = OpenedStore.open(store, storeFile, environment)) {
      new StoreExamination(opened, findings, Ticker.system()).run();
      if (json) {
        out.json(DoctorJson.of(opened.name(), findings, 0, 0));
      } else {
        new DoctorText(out).findings(findings, 0);
      }
    }
    return exitCode(findings);
  }

  private Target target(String url) {
    Target target = Target.of(url);
    if (!allowRemote && !target.isLoopback()) {
      String expected = "an address of this machine; --allow-remote permits others";
      throw Flag.invalid("URL", url, expected);
    }
    return target;
  }

  private int examine(
      String url,
      Target target,
      RequestTemplate template,
      List<Server> servers,
      Expectations expectations)
      throws Failure, InterruptedException {
    long seed = options.seed();
    HttpGateway.Bounds bounds = options.bounds();
    Set<Check> skipped = options.skipped();
    RuleSet set = expectations.rules();
    Set<String> names = set.book().rules().stream().map(Rule::name).collect(Collectors.toSet());
    Callers callers =
        new Callers(seed, set.http().trustedProxies(), HttpGateway.canChooseSource(target));
    Planner planner = new Planner(expectations, template, callers, options.permitted(names));
    Plan plan = planner.plan();
    new DoctorText(json ? err : out).plan(plan, url, bounds.requests(), seed);
    if (!plan.proofs().isEmpty() && !yes && !confirmation.isGiven()) {
      throw new Failure(ExitCode.USAGE, "nothing was sent (expected: yes, or --yes)");
    }
    Findings findings = new Findings(skipped);
    HttpGateway gateway = new HttpGateway(target, bounds, Ticker.system());
    Examination examination = new Examination(gateway, servers, expectations, callers, findings);
    Progress progress = new Progress(err);
    try {
      examination.run(plan, options.paths(), options.outage(), progress::show);
    } finally {
      progress.clear();
    }
    if (json) {
      out.json(DoctorJson.of(url, findings, gateway.sent(), seed));
    } else {
      new DoctorText(out).findings(findings, gateway.sent());
    }
    return exitCode(findings);
  }

  private static int exitCode(Findings findings) {
    if (findings.count(Verdict.FAULT) > 0) {
      return ExitCode.FAULTY;
    }
    return findings.count(Verdict.OK) > 0 ? ExitCode.OK : ExitCode.UNPROVEN;
  }
}
