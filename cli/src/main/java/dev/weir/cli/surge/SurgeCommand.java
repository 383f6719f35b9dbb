package dev.weir.cli.surge;

import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Input;
import dev.weir.cli.command.Version;
import dev.weir.cli.terminal.Progress;
import dev.weir.cli.terminal.Terminal;
import dev.weir.load.Target;
import dev.weir.load.service.Capacity;
import dev.weir.load.service.RideService;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code weir surge} command: the same overload without and with Weir. */
@Command(
    name = "surge",
    description = {
      "Starts a service, offers it 15 times what it can do, bare and then behind Weir, and compares."
          + " All of it runs on this machine.",
      "Exits with 0 if Weir keeps the service alive as it should, 1 if a check falls short."
    },
    customSynopsis = "weir surge [OPTION]...",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir surge",
      "  weir surge --capacity 200 --report out.html",
      "  weir surge --service-only --service-port 9000 --capacity 200"
    })
public final class SurgeCommand implements Callable<Integer> {
  private static final int MIN_SECONDS = 5;
  private static final int MAX_SECONDS = 600;

  private final Terminal out;
  private final Terminal err;
  private final Class<?> main;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--capacity",
      paramLabel = "N",
      description =
          "What the service can do, in requests per second; default: what fits this machine, at most"
              + " 800.")
  private @Nullable String capacity;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long each surge lasts; default 20.")
  private String seconds = "20";

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Where the HTML report goes; default surge-report.html.")
  private Path report = Path.of("surge-report.html");

  @Option(
      names = "--gateway",
      paramLabel = "URL",
      description =
          "Compare with this gateway instead of Weir's; it forwards to --service-port of this"
              + " machine.")
  private @Nullable String gateway;

  @Option(
      names = "--service-port",
      paramLabel = "PORT",
      description = "The port of the service, with --gateway or --service-only; default 9000.")
  private String servicePort = "9000";

  @Option(
      names = "--service-only",
      description = "Run the service alone until it is stopped, for other load generators.")
  private boolean serviceOnly;

  @Option(
      names = "--until-input-ends",
      hidden = true,
      description = "Stop the service when standard input ends, and so with the parent process.")
  private boolean untilInputEnds;

  /**
   * Creates the command.
   *
   * @param main the main class of the program, to start its other commands as processes
   */
  public SurgeCommand(Terminal out, Terminal err, Class<?> main) {
    this.out = out;
    this.err = err;
    this.main = main;
  }

  @Override
  public Integer call() throws Failure, InterruptedException, IOException {
    Capacity given;
    Duration surge;
    int port;
    try {
      given = capacity == null ? null : capacity(capacity);
      surge = Duration.ofSeconds(Flag.integer("--seconds", seconds, MIN_SECONDS, MAX_SECONDS));
      port = Flag.port("--service-port", servicePort);
      checkGateway();
    } catch (IllegalArgumentException e) {
      throw ErrorReporter.usageError(spec, e);
    }
    if (serviceOnly) {
      return serve(port, given == null ? Capacity.of(SurgeSettings.MAX_CAPACITY) : given);
    }
    checkWritable();
    return compare(given, surge, port);
  }

  private static Capacity capacity(String text) {
    return Capacity.of((int) Flag.integer("--capacity", text, Capacity.MIN, Capacity.MAX));
  }

  private void checkGateway() {
    if (gateway != null) {
      Target target;
      try {
        target = Target.of(gateway);
      } catch (IllegalArgumentException e) {
        throw Flag.renamed("--gateway", e);
      }
      if (!target.isLoopback()) {
        throw Flag.invalid("--gateway", gateway, "an address of this machine");
      }
    }
  }

  /** A report that cannot be written is better known before than after the runs. */
  private void checkWritable() throws Failure {
    Path directory = report.toAbsolutePath().getParent();
    if (directory == null || !Files.isWritable(directory) || Files.isDirectory(report)) {
      throw new Failure(ExitCode.USAGE, "--report: " + report + ": cannot be written");
    }
  }

  private int compare(@Nullable Capacity given, Duration surge, int port)
      throws Failure, InterruptedException, IOException {
    Progress progress = new Progress(err);
    SurgeComparison comparison;
    try {
      Surge runs = new Surge(new Programs(main), progress);
      Capacity fitting = given == null ? runs.measureCapacity() : given;
      comparison = runs.compare(fitting, surge, gateway, port);
    } finally {
      progress.clear();
    }
    boolean all = new SurgeText(out).print(comparison);
    try {
      Files.writeString(report, new SurgeReport(comparison).html());
    } catch (IOException e) {
      throw new Failure(ExitCode.USAGE, "--report: " + Input.unreadable(report, e));
    }
    out.line();
    out.line("report: ", report);
    return all ? ExitCode.OK : ExitCode.SHORT;
  }

  private int serve(int port, Capacity offered) throws Failure, InterruptedException, IOException {
    try (RideService service = start(port, offered)) {
      out.line("weir: service on http://127.0.0.1:", service.port());
      if (untilInputEnds) {
        var unused = System.in.transferTo(OutputStream.nullOutputStream());
      } else {
        new CountDownLatch(1).await(); // until a signal ends the process
      }
    }
    return ExitCode.OK;
  }

  private static RideService start(int port, Capacity offered) throws Failure {
    try {
      return RideService.start(port, offered);
    } catch (IOException e) {
      throw new Failure(ExitCode.USAGE, "--service-port: " + e.getMessage());
    }
  }
}
