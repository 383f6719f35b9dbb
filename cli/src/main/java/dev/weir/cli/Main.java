package dev.weir.cli;

import dev.weir.cli.action.ActionCommand;
import dev.weir.cli.archive.ArchiveCommand;
import dev.weir.cli.check.CheckCommand;
import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.Version;
import dev.weir.cli.completion.CompletionCommand;
import dev.weir.cli.doctor.Confirmation;
import dev.weir.cli.doctor.DoctorCommand;
import dev.weir.cli.explain.ExplainCommand;
import dev.weir.cli.gateway.GatewayCommand;
import dev.weir.cli.load.LoadCommand;
import dev.weir.cli.log.DelayedResetLogManager;
import dev.weir.cli.replay.ReplayCommand;
import dev.weir.cli.reset.ResetCommand;
import dev.weir.cli.serve.ServeCommand;
import dev.weir.cli.size.SizeCommand;
import dev.weir.cli.suggest.SuggestCommand;
import dev.weir.cli.surge.SurgeCommand;
import dev.weir.cli.terminal.Terminal;
import dev.weir.cli.top.TopCommand;
import dev.weir.cli.validate.ValidateCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The {@code weir} program: wires all commands together, here and nowhere else. */
@Command(
    name = "weir",
    description = "A rate limiter: runs as a service or a gateway, checks and explains its rules.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  weir serve --rules rules.yaml",
      "  weir gateway --upstream http://127.0.0.1:9000 --rules rules.yaml",
      "  weir validate rules.yaml",
      "  weir explain rules.yaml --request 'POST /login' --header 'X-API-Key: k'",
      "  weir check http://127.0.0.1:8080 GET /hello",
      "  weir doctor http://127.0.0.1:80 --rules rules.yaml",
      "  weir action multiply login 2 --for 15m --why 'marketing campaign'",
      "  weir top",
      "  weir replay access.log --rules rules.yaml",
      "  weir suggest access.log",
      "  weir surge",
      "  weir load http://127.0.0.1:8080/hello --rate 1000 --seconds 10",
      "  weir size --users 1000000 --limit 100/minute",
      "",
      "Exit codes: 0 success, 1 the rules are refused, the request is denied, a surge",
      "falls short or the doctor finds a fault, 2 wrong usage or an unreadable file or",
      "server, 3 weir itself failed (WEIR_DEBUG=1 shows where), 4 a replay exceeds a",
      "gate, 5 the doctor could prove nothing."
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  private Main() {}

  /** Runs the command that the arguments name, and exits with its exit code. */
  public static void main(String[] args) {
    if (System.getProperty(DelayedResetLogManager.PROPERTY) == null) {
      System.setProperty(DelayedResetLogManager.PROPERTY, DelayedResetLogManager.class.getName());
    }
    Map<String, String> environment = System.getenv();
    Terminal out = new Terminal(stream(FileDescriptor.out), isColoured(environment));
    Terminal err = new Terminal(stream(FileDescriptor.err), false, isLive(environment));
    System.exit(run(out, err, environment, args));
  }

  /** Runs one command and returns its exit code; never throws. */
  static int run(Terminal out, Terminal err, Map<String, String> environment, String... args) {
    ErrorReporter errors = new ErrorReporter(err, "1".equals(environment.get("WEIR_DEBUG")));
    try {
      CommandLine weir =
          new CommandLine(new Main())
              .addSubcommand(new ServeCommand(out, err, environment))
              .addSubcommand(new GatewayCommand(out, err, environment))
              .addSubcommand(new ValidateCommand(out, err, environment))
              .addSubcommand(new ExplainCommand(out, err, environment))
              .addSubcommand(new CheckCommand(out))
              .addSubcommand(
                  new DoctorCommand(
                      out, err, environment, Confirmation.ofTerminal(isTerminal(environment))))
              .addSubcommand(ActionCommand.create(out, environment))
              .addSubcommand(new ResetCommand(out, environment))
              .addSubcommand(new TopCommand(out, environment, isTerminal(environment)))
              .addSubcommand(new ReplayCommand(out, err, environment))
              .addSubcommand(new SuggestCommand(out, err))
              .addSubcommand(new LoadCommand(out, err))
              .addSubcommand(new SurgeCommand(out, err, Main.class))
              .addSubcommand(new SizeCommand(out, environment))
              .addSubcommand(new ArchiveCommand(out, Main.class))
              .addSubcommand(new CompletionCommand(out))
              .addSubcommand(new HelpCommand());
      return weir.registerConverter(Path.class, Main::path)
          .setOut(out.writer())
          .setErr(err.writer())
          .setColorScheme(CommandLine.Help.defaultColorScheme(ansi(out)))
          .setExpandAtFiles(false) // an argument that begins with @ is no file
          .setParameterExceptionHandler((e, rest) -> errors.reportUsage(e))
          .setExecutionExceptionHandler((e, command, parsed) -> errors.reportFailure(e))
          .execute(args);
    } catch (Throwable t) {
      return errors.reportFailure(t);
    }
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "no command (expected: serve, gateway, validate, explain, check, doctor, action, reset,"
            + " top, replay, suggest, load, surge, size, archive or completion)");
  }

  private static Path path(String text) {
    if (text.isEmpty()) {
      throw new TypeConversionException("nothing (expected: a path)");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException(text + " (expected: a path)");
    }
  }

  private static Ansi ansi(Terminal out) {
    return out.isColoured() ? Ansi.ON : Ansi.OFF;
  }

  /** The start script detects a terminal, because not every Java version can. */
  private static boolean isColoured(Map<String, String> environment) {
    return isTerminal(environment) && environment.getOrDefault("NO_COLOR", "").isEmpty();
  }

  /** Whether a person sees standard output as it is written, and it can be rewritten. */
  private static boolean isTerminal(Map<String, String> environment) {
    return Boolean.getBoolean("weir.terminal") && !"dumb".equals(environment.get("TERM"));
  }

  /** Whether a person sees standard error as it is written. */
  private static boolean isLive(Map<String, String> environment) {
    return Boolean.getBoolean("weir.terminal.err") && !"dumb".equals(environment.get("TERM"));
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), false);
  }
}
