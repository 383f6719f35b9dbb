package dev.weir.cli;

import dev.weir.cli.log.LastingLog;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The {@code weir} command: the parts it consists of, wired together here and nowhere else. */
@Command(
    name = "weir",
    description = "A rate limiter: runs it, checks and explains its rules, asks it.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  weir serve --rules rules.yaml",
      "  weir validate rules.yaml",
      "  weir explain rules.yaml --request 'POST /login' --header 'X-API-Key: k'",
      "  weir check http://127.0.0.1:8080 GET /hello",
      "",
      "Exit codes: 0 all is well, 1 the rules are refused or the request is denied, 2",
      "wrong usage, or a file or server that cannot be read, 3 weir itself failed",
      "(WEIR_DEBUG=1 shows where)."
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  private Main() {}

  public static void main(String[] args) {
    if (System.getProperty(LastingLog.PROPERTY) == null) {
      System.setProperty(LastingLog.PROPERTY, LastingLog.class.getName());
    }
    Map<String, String> environment = System.getenv();
    Terminal out = new Terminal(stream(FileDescriptor.out), coloured(environment));
    Terminal err = new Terminal(stream(FileDescriptor.err), false);
    System.exit(run(out, err, environment, args));
  }

  /** Runs one command and returns its exit code; never throws. */
  static int run(Terminal out, Terminal err, Map<String, String> environment, String... args) {
    Trouble trouble = new Trouble(err, "1".equals(environment.get("WEIR_DEBUG")));
    try {
      CommandLine weir =
          new CommandLine(new Main())
              .addSubcommand(new ServeCommand(out, err, environment))
              .addSubcommand(new ValidateCommand(out, err, environment))
              .addSubcommand(new ExplainCommand(out, err, environment))
              .addSubcommand(new CheckCommand(out))
              .addSubcommand(new ArchiveCommand(out))
              .addSubcommand(new CompletionCommand(out))
              .addSubcommand(new HelpCommand());
      return weir.registerConverter(Path.class, Main::path)
          .setOut(out.writer())
          .setErr(err.writer())
          .setColorScheme(CommandLine.Help.defaultColorScheme(ansi(out)))
          .setExpandAtFiles(false) // an argument is what it is
          .setParameterExceptionHandler((e, rest) -> trouble.wrongUsage(e))
          .setExecutionExceptionHandler((e, command, parsed) -> trouble.failed(e))
          .execute(args);
    } catch (Throwable t) {
      return trouble.failed(t);
    }
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "no command (expected: serve, validate, explain, check, archive or completion)");
  }

  /** A thread that does not keep the process alive. */
  static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "weir");
    thread.setDaemon(true);
    return thread;
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

  /**
   * Java cannot tell a terminal from a pipe on every version, so the script that starts us does.
   */
  private static boolean coloured(Map<String, String> environment) {
    return Boolean.getBoolean("weir.terminal")
        && environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !"dumb".equals(environment.get("TERM"));
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), false);
  }

  /** Tells the version, which the build writes into the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version =
          Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
              .orElse("(not packaged)");
      return new String[] {"weir " + version + ", Java " + Runtime.version()};
    }
  }
}
