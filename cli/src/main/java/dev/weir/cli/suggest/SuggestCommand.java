package dev.weir.cli.suggest;

import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Version;
import dev.weir.cli.replay.AccessLogOptions;
import dev.weir.cli.replay.ReplayProgress;
import dev.weir.cli.replay.Shares;
import dev.weir.cli.terminal.Terminal;
import dev.weir.replay.ReplaySettings;
import dev.weir.replay.log.LogSource;
import dev.weir.replay.log.read.ReadOptions;
import dev.weir.replay.suggest.Suggestion;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code weir suggest} command: limits from what the callers in a log have asked for. */
@Command(
    name = "suggest",
    description = {
      "Prints a rules file with limits that the requests in access logs would hardly have met,"
          + " with the reason for each number. The rules are in shadow mode: they deny nobody."
    },
    customSynopsis = "weir suggest LOG... [OPTION]...",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir suggest access.log > rules.yaml",
      "  weir suggest access.log.*.gz --deny 1%% --enforce > rules.yaml",
      "  weir replay access.log --rules rules.yaml     # what they would have done"
    })
public final class SuggestCommand implements Callable<Integer> {
  private static final long BYTES_PER_CALLER = 512;
  private static final int MAX_PER_MILLE = 100;

  private final Terminal out;
  private final Terminal err;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private final AccessLogOptions logs = new AccessLogOptions();

  @Option(
      names = "--deny",
      paramLabel = "SHARE",
      description =
          "Share of the requests that each limit would have denied at most, from 0.1%% to 10%%;"
              + " default 0.1%%.")
  private String deny = "0.1%";

  @Option(names = "--enforce", description = "Suggest rules that deny, not in shadow mode.")
  private boolean enforce;

  /** Creates the command. */
  public SuggestCommand(Terminal out, Terminal err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() throws Failure {
    ReadOptions read;
    int perMille;
    try {
      read = logs.read();
      perMille = (int) Math.round(1000 * Shares.parse("--deny", deny));
      if (perMille < 1 || perMille > MAX_PER_MILLE) {
        throw Flag.invalid("--deny", deny, "a share between 0.1% and 10%");
      }
    } catch (IllegalArgumentException e) {
      throw ErrorReporter.usageError(spec, e);
    }
    long callers = Math.max(1, Runtime.getRuntime().maxMemory() / BYTES_PER_CALLER);
    Suggestion suggestion =
        new Suggestion(perMille, Math.min(ReplaySettings.DEFAULT_MAX_CALLERS, callers));
    ReplayProgress progress = new ReplayProgress(err);
    try (LogSource log = logs.open(read)) {
      suggestion.read(log, source -> progress.onProgress(source.progress()));
    } catch (IOException e) {
      throw logs.unreadable(e);
    } finally {
      progress.clear();
    }
    if (suggestion.requests() == 0) {
      throw new Failure(ExitCode.USAGE, String.join(", ", logs.names()) + ": no requests");
    }
    suggestion.rules(enforce).forEach(out::line);
    return ExitCode.OK;
  }
}
