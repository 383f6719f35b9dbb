package dev.weir.cli.replay;

import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Input;
import dev.weir.cli.command.Version;
import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Terminal;
import dev.weir.key.KeySpace;
import dev.weir.replay.Gates;
import dev.weir.replay.NamedRules;
import dev.weir.replay.Replay;
import dev.weir.replay.ReplaySettings;
import dev.weir.replay.log.LogSource;
import dev.weir.replay.log.read.ReadOptions;
import dev.weir.replay.report.ReportJson;
import dev.weir.replay.report.ReportText;
import dev.weir.replay.result.ReplayResult;
import dev.weir.replay.result.Spread;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.yaml.Problem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code weir replay} command: what rules would have done to the requests of a log. */
@Command(
    name = "replay",
    description = {
      "Replays access logs against rules, and reports what the rules would have denied, and whom"
          + " they would have hurt. No server is needed, and no request is sent.",
      "Exits with 4 if a gate is exceeded."
    },
    customSynopsis = "weir replay LOG... --rules FILE|DIR [OPTION]...",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir replay access.log --rules new.yaml",
      "  weir replay access.log.*.gz --rules new.yaml --against today.yaml",
      "  weir replay access.log --rules new.yaml --max-denied 0.5%% --max-hurt 10",
      "  zcat *.gz | weir replay - --rules new.yaml --format nginx --json"
    })
public final class ReplayCommand implements Callable<Integer> {
  /** How many bytes of heap a counter of a run, or a caller, may take. */
  private static final long BYTES_PER_KEY = 256;

  private final Terminal out;
  private final Terminal err;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private final AccessLogOptions logs = new AccessLogOptions();

  @Option(
      names = "--rules",
      paramLabel = "FILE|DIR",
      required = true,
      description = "Rules to replay the logs against.")
  private @Nullable Path rules;

  @Option(
      names = "--against",
      paramLabel = "FILE|DIR",
      description = "Rules of today, to show where the two disagree.")
  private @Nullable Path against;

  @Option(
      names = "--spread",
      paramLabel = "HOW",
      description =
          "When the requests of a second arrived, if the log tells seconds alone: start, even or"
              + " random. By default all three are replayed.")
  private @Nullable String spread;

  @Option(names = "--seed", paramLabel = "N", description = "Seed of --spread random; default 1.")
  private String seed = "1";

  @Option(
      names = "--past-denials",
      paramLabel = "HOW",
      description =
          "Probable retries after a 429 in the log: keep (default), or drop-retries to leave them"
              + " out.")
  private String pastDenials = "keep";

  @Option(
      names = "--hurt",
      paramLabel = "SHARE",
      description = "A caller is hurt if more of its requests are denied; default 5%%.")
  private String hurt = "5%";

  @Option(
      names = "--max-denied",
      paramLabel = "SHARE",
      description = "Gate: fail if more of all requests would be denied, such as 0.5%%.")
  private @Nullable String maxDenied;

  @Option(
      names = "--max-hurt",
      paramLabel = "N",
      description = "Gate: fail if more callers would be hurt.")
  private @Nullable String maxHurt;

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  /** Creates the command. */
  public ReplayCommand(Terminal out, Terminal err, Map<String, String> environment) {
    this.out = out;
    this.err = err;
    this.environment = environment;
  }

  @Override
  public Integer call() throws Failure {
    ReplaySettings settings;
    ReadOptions read;
    Gates gates;
    try {
      settings = settings();
      read = logs.read();
      gates = gates();
      refuseStandardInputTwice();
    } catch (IllegalArgumentException e) {
      throw ErrorReporter.usageError(spec, e);
    }
    try {
      NamedRules proposed = load(rules == null ? Path.of("") : rules);
      Optional<NamedRules> today = against == null ? Optional.empty() : Optional.of(load(against));
      ReplayResult result = replay(proposed, today, settings, read);
      return print(result, gates);
    } catch (RulesRejected e) {
      e.problems().stream().map(Problem::toString).forEach(err::line);
      return ExitCode.REFUSED;
    }
  }

  private ReplaySettings settings() {
    double share = Shares.parse("--hurt", hurt);
    if (share == 1) {
      throw Flag.invalid("--hurt", hurt, "a share below 100%");
    }
    String past = Flag.choice("--past-denials", pastDenials, List.of("keep", "drop-retries"));
    List<String> words = List.of("start", "even", "random");
    Optional<Spread> only =
        Optional.ofNullable(spread)
            .map(word -> Flag.choice("--spread", word, words))
            .map(word -> Spread.valueOf(word.toUpperCase(Locale.ROOT)));
    // At most so many live at a time; a run with more says so in its report.
    long keys = Math.max(1, Runtime.getRuntime().maxMemory() / BYTES_PER_KEY);
    return ReplaySettings.of(logs.names())
        .withSpread(only)
        .withSeed(Flag.integer("--seed", seed, 0, Long.MAX_VALUE))
        .withDropRetries(past.equals("drop-retries"))
        .withHurtShare(share)
        .withBounds(
            Math.min(ReplaySettings.DEFAULT_MAX_KEYS, keys),
            Math.min(ReplaySettings.DEFAULT_MAX_CALLERS, keys));
  }

  private Gates gates() {
    return new Gates(
        maxDenied == null
            ? OptionalDouble.empty()
            : OptionalDouble.of(Shares.parse("--max-denied", maxDenied)),
        maxHurt == null
            ? OptionalLong.empty()
            : OptionalLong.of(Flag.integer("--max-hurt", maxHurt, 0, Long.MAX_VALUE)));
  }

  private void refuseStandardInputTwice() {
    boolean fromRules = rules != null && rules.toString().equals(Input.STANDARD);
    boolean fromAgainst = against != null && against.toString().equals(Input.STANDARD);
    if ((fromRules && fromAgainst) || ((fromRules || fromAgainst) && logs.hasStandardInput())) {
      throw Flag.invalid(fromRules ? "--rules" : "--against", "- twice", "standard input once");
    }
  }

  private NamedRules load(Path path) throws Failure, RulesRejected {
    KeySpace anyKeys = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);
    RulesLoader loader = new RulesLoader(anyKeys, environment).forAnyService();
    return new NamedRules(Input.name(path), loader.load(Input.rules(path)));
  }

  private ReplayResult replay(
      NamedRules proposed, Optional<NamedRules> today, ReplaySettings settings, ReadOptions read)
      throws Failure {
    ReplayProgress progress = new ReplayProgress(err);
    try (LogSource log = logs.open(read)) {
      return new Replay(proposed, today, settings, progress).run(log);
    } catch (IOException e) {
      throw logs.unreadable(e);
    } finally {
      progress.clear();
    }
  }

  private int print(ReplayResult result, Gates gates) {
    List<String> failures = gates.failures(result);
    if (json) {
      out.script(ReportJson.of(result));
    } else {
      List<String> lines = ReportText.of(result);
      out.line(Style.BOLD.of(lines.get(0)));
      lines.subList(1, lines.size()).forEach(out::line);
    }
    failures.forEach(failure -> err.line("weir: ", failure));
    return failures.isEmpty() ? ExitCode.OK : ExitCode.GATE_EXCEEDED;
  }
}
