package dev.weir.cli.load;

import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Input;
import dev.weir.cli.command.Version;
import dev.weir.cli.terminal.Progress;
import dev.weir.cli.terminal.Terminal;
import dev.weir.load.LoadGenerator;
import dev.weir.load.Target;
import dev.weir.load.arrival.Pace;
import dev.weir.load.measure.LoadResult;
import dev.weir.load.measure.Second;
import dev.weir.load.traffic.Traffic;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir load} command: sends requests by a schedule, and says what became of them. */
@Command(
    name = "load",
    description = {
      "Sends requests to a server, and prints what became of them and how long it took.",
      "Latency counts from the time at which a request was due, so that a server that stalls"
          + " cannot hide it."
    },
    customSynopsis = "weir load URL [OPTION]...",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir load http://127.0.0.1:8080/hello --rate 1000 --seconds 10",
      "  weir load http://127.0.0.1:8080 --users 50 --think-millis 200 --mix mix.yaml",
      "  weir load http://127.0.0.1:8080 --access-log access.log --in-order"
    })
public final class LoadCommand implements Callable<Integer> {
  private static final int MAX_IN_FLIGHT = 60_000;
  private static final long MAX_TIMEOUT_MILLIS = 600_000;

  private final Terminal out;
  private final Terminal err;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "URL", description = "Where the requests go to.")
  private String url = "";

  @Mixin private final PaceOptions pacing = new PaceOptions();

  @Mixin private final TrafficOptions requests = new TrafficOptions();

  @Option(
      names = "--timeout-millis",
      paramLabel = "N",
      description = "How long a client waits for an answer; default 10000.")
  private String timeoutMillis = "10000";

  @Option(
      names = "--max-in-flight",
      paramLabel = "N",
      description =
          "How many requests may be in flight, or wait for a connection; what is due beyond it"
              + " counts as not sent. Default 5000.")
  private String maxInFlight = "5000";

  @Option(
      names = "--connections",
      paramLabel = "N",
      description =
          "How many connections there may be; a request that finds all in use waits for one, and its"
              + " time counts. Default 5000.")
  private String connections = "5000";

  @Option(
      names = "--hdr",
      paramLabel = "FILE",
      description = "Write the latencies of admitted requests there, for HdrHistogram's plotter.")
  private @Nullable Path hdr;

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  @Option(
      names = "--allow-remote",
      description = "Allow a URL of another machine. Do so only if it is yours to load.")
  private boolean allowRemote;

  /** Creates the command. */
  public LoadCommand(Terminal out, Terminal err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() throws Failure, InterruptedException {
    Target target;
    Pace pace;
    Traffic traffic;
    LoadGenerator.Bounds bounds;
    int maxConnections;
    try {
      target = target();
      SplittableRandom random = requests.random();
      pace = pacing.pace(random.split());
      traffic = requests.traffic(target, random.split());
      bounds = bounds();
      maxConnections = (int) Flag.integer("--connections", connections, 1, MAX_IN_FLIGHT);
    } catch (IllegalArgumentException e) {
      throw ErrorReporter.usageError(spec, e);
    }
    LoadResult result;
    try (LoadGenerator generator = new LoadGenerator(target, maxConnections)) {
      result = run(generator, pace, traffic, bounds);
    }
    writeDistribution(result);
    if (json) {
      out.json(LoadJson.of(url, result));
    } else {
      new LoadText(out).print(url + ": " + pacing.description(), result);
    }
    return ExitCode.OK;
  }

  private Target target() {
    Target target = Target.of(url);
    if (!allowRemote && !target.isLoopback()) {
      String expected = "an address of this machine; --allow-remote permits others";
      throw Flag.invalid("URL", url, expected);
    }
    return target;
  }

  private LoadGenerator.Bounds bounds() {
    long millis = Flag.integer("--timeout-millis", timeoutMillis, 1, MAX_TIMEOUT_MILLIS);
    int inFlight = (int) Flag.integer("--max-in-flight", maxInFlight, 1, MAX_IN_FLIGHT);
    if (pacing.users() > inFlight) {
      String expected = "at least as many as --users, which are " + pacing.users();
      throw Flag.invalid("--max-in-flight", maxInFlight, expected);
    }
    return new LoadGenerator.Bounds(pacing.duration(), Duration.ofMillis(millis), inFlight);
  }

  private LoadResult run(
      LoadGenerator generator, Pace pace, Traffic traffic, LoadGenerator.Bounds bounds)
      throws Failure, InterruptedException {
    if (!generator.connect(1)) {
      throw new Failure(ExitCode.USAGE, url + ": cannot connect (is a server running there?)");
    }
    Progress progress = new Progress(err);
    try {
      return generator.run(pace, traffic, bounds, second -> progress.show(line(second, bounds)));
    } finally {
      progress.clear();
    }
  }

  private static String line(Second second, LoadGenerator.Bounds bounds) {
    long seconds = bounds.duration().toSeconds();
    int over = second.index() + 1;
    return Progress.bar(over, seconds, 20)
        + (over > seconds ? " waiting for answers, " : " " + over + " of " + seconds + " s, ")
        + Units.count(second.offered())
        + " sent, "
        + Units.count(second.useful())
        + " ok, "
        + Units.count(second.limited())
        + " limited, "
        + Units.count(second.failed() + second.shed())
        + " failed, p99 "
        + Units.latency(second.admitted().p99Micros());
  }

  private void writeDistribution(LoadResult result) throws Failure {
    if (hdr != null) {
      try (OutputStream file = Files.newOutputStream(hdr)) {
        result.admitted().writeTo(file);
      } catch (IOException e) {
        throw new Failure(ExitCode.USAGE, "--hdr: " + Input.unreadable(hdr, e));
      }
    }
  }
}
