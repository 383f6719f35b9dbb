package dev.weir.cli.size;

import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Version;
import dev.weir.cli.size.model.MeasuredTables;
import dev.weir.cli.size.model.SizePlan;
import dev.weir.cli.size.model.SizeSettings;
import dev.weir.cli.size.model.SizedLimit;
import dev.weir.cli.terminal.Terminal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir size} command: predicts memory, nodes and servers. */
@Command(
    name = "size",
    description = {
      "Predicts what limits take: bytes in Redis and in process, calls to Redis with leases on and"
          + " off, nodes of Redis, cores of servers.",
      "Limits come from flags or from a rules file. Nothing is connected to."
    },
    customSynopsis = {
      "weir size --users N --limit RATE [--algorithm NAME]... [OPTION]...",
      "       weir size FILE|DIR|- --users N [OPTION]..."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir size --users 1000000 --limit 100/minute --requests-per-second 50000",
      "  weir size --users 1000000 --limit 10/second --algorithm fixed-window \\",
      "      --limit 1000/day --algorithm sliding-counter --redis-memory 16GiB",
      "  weir size rules.yaml --users 50000 --callers login=2000 --json",
      "  weir size --example"
    })
public final class SizeCommand implements Callable<Integer> {
  /** More callers than there are people. */
  static final long MAX_USERS = 10_000_000_000L;

  private static final long MAX_RATE = 1_000_000_000L;
  private static final int MAX_SERVERS = 10_000;
  private static final int MAX_LIMITS = 100;

  private final Terminal out;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE|DIR",
      description =
          "Rules, as for weir validate, in place of --limit. Each rule counts for every request.")
  private @Nullable Path file;

  @Option(
      names = "--users",
      paramLabel = "N",
      description = "How many callers have counters of their own.")
  private @Nullable String users;

  @ArgGroup(exclusive = false, multiplicity = "0..*")
  private List<RateOptions> rates = new ArrayList<>();

  /** A limit and its algorithm. */
  static final class RateOptions {
    @Option(
        names = "--limit",
        paramLabel = "RATE",
        required = true,
        description = "A limit of each user, such as 100/minute; may be repeated.")
    private String limit = "";

    @Option(
        names = "--algorithm",
        paramLabel = "NAME",
        completionCandidates = Algorithms.class,
        description =
            "How the --limit beside it is counted: token-bucket, the default, leaky-bucket,"
                + " fixed-window, sliding-log or sliding-counter.")
    private @Nullable String algorithm;
  }

  /** The candidates of shell completion. */
  static final class Algorithms extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Algorithms() {
      super(
          List.of(
              "token-bucket", "leaky-bucket", "fixed-window", "sliding-log", "sliding-counter"));
    }
  }

  @Option(
      names = "--concurrent",
      paramLabel = "N",
      description = "A limit of requests of each user at the same time.")
  private @Nullable String concurrent;

  @Option(
      names = "--callers",
      paramLabel = "RULE=N",
      description = "How many callers a rule counts, if not all users; may be repeated.")
  private List<String> callers = new ArrayList<>();

  @Option(
      names = "--requests-per-second",
      paramLabel = "N",
      description =
          "Of all servers. Without it all users are there at once, and no calls are counted.")
  private @Nullable String requestsPerSecond;

  @Option(
      names = "--servers",
      paramLabel = "N",
      description = "How many servers share the limits; default: as many as the requests need.")
  private @Nullable String servers;

  @Option(
      names = "--leases",
      description =
          "Plan the nodes of Redis with leases on: rules by their own mode, others automatic.")
  private boolean leases;

  @Option(
      names = "--fill",
      paramLabel = "PERCENT",
      description = "How full sliding logs and concurrency limits are; default 100.")
  private String fill = "100";

  @Option(
      names = "--redis",
      paramLabel = "VERSION",
      completionCandidates = Versions.class,
      description =
          "6.2, as it comes with its own allocator, or 7.0, as Debian builds it; default 7.0, which"
              + " takes more.")
  private String redis = "7.0";

  /** The candidates of shell completion. */
  static final class Versions extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Versions() {
      super(MeasuredTables.BUILDS);
    }
  }

  @Option(
      names = "--redis-memory",
      paramLabel = "SIZE",
      description = "maxmemory of a node, such as 16GiB; default 8GiB.")
  private String redisMemory = "8GiB";

  @Option(
      names = "--example",
      description = "Print a published estimate for 1,000,000 users beside Weir's numbers.")
  private boolean example;

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  /** Creates the command. */
  public SizeCommand(Terminal out, Map<String, String> environment) {
    this.out = out;
    this.environment = environment;
  }

  @Override
  public Integer call() throws Failure {
    MeasuredTables tables = MeasuredTables.load();
    try {
      SizeSettings settings = settings(tables);
      if (example) {
        print(new PublishedExample(settings, tables));
        return ExitCode.OK;
      }
      List<String> notes = new ArrayList<>();
      SizePlan plan = SizePlan.of(limits(notes), settings, tables);
      if (requestsPerSecond != null && !tables.text("assumed").isEmpty()) {
        notes.add("assumed, not measured: " + tables.text("assumed"));
      }
      if (json) {
        out.json(SizeJson.of(plan, tables, notes));
      } else {
        new SizeText(out, tables).print(plan, notes);
      }
      return ExitCode.OK;
    } catch (IllegalArgumentException e) {
      throw ErrorReporter.usageError(spec, e);
    }
  }

  private void print(PublishedExample published) {
    if (file != null || !rates.isEmpty() || users != null || concurrent != null) {
      throw Flag.invalid("--example", "beside users and limits", "by itself, or with --redis");
    }
    if (json) {
      out.json(published.json());
    } else {
      published.print(out);
    }
  }

  private SizeSettings settings(MeasuredTables tables) {
    return new SizeSettings(
        requestsPerSecond == null
            ? 0
            : Flag.integer("--requests-per-second", requestsPerSecond, 1, MAX_RATE),
        servers == null ? 0 : (int) Flag.integer("--servers", servers, 1, MAX_SERVERS),
        leases,
        (int) Flag.integer("--fill", fill.replaceFirst("%$", ""), 1, 100),
        tables.build(Flag.choice("--redis", redis, MeasuredTables.BUILDS)),
        ByteFlag.parse("--redis-memory", redisMemory));
  }

  private List<SizedLimit> limits(List<String> notes) throws Failure {
    boolean flags = !rates.isEmpty() || concurrent != null;
    if (file != null && flags) {
      throw Flag.invalid("FILE|DIR", file.toString(), "limits by flags or by rules, not both");
    }
    if (file == null && !flags) {
      throw Flag.invalid("--limit", "", "a limit, such as 100/minute, or a rules file");
    }
    if (users == null) {
      throw Flag.invalid("--users", "", "how many callers have counters of their own");
    }
    long count = Flag.integer("--users", users, 1, MAX_USERS);
    List<SizedLimit> limits = new ArrayList<>();
    if (file != null) {
      RuleLimits rules = RuleLimits.in(file, environment);
      limits.addAll(rules.limits(count, callers));
      notes.addAll(rules.notes());
    } else if (!callers.isEmpty()) {
      throw Flag.invalid("--callers", callers.get(0), "a rules file, whose rule it names");
    }
    rates.forEach(rate -> limits.add(LimitFlags.rate(rate.limit, rate.algorithm, count)));
    if (concurrent != null) {
      limits.add(LimitFlags.concurrent(concurrent, count));
    }
    if (flags && limits.size() > MAX_LIMITS) {
      throw Flag.invalid("--limit", limits.size() + " times", "at most " + MAX_LIMITS);
    }
    return limits;
  }
}
