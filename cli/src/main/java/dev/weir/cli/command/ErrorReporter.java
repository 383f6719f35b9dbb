package dev.weir.cli.command;

import dev.weir.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports errors to users; stack traces are shown in debug mode only. */
public final class ErrorReporter {
  private final Terminal err;
  private final boolean debug;

  /**
   * Creates a reporter.
   *
   * @param debug whether to show stack traces of unexpected errors
   */
  public ErrorReporter(Terminal err, boolean debug) {
    this.err = err;
    this.debug = debug;
  }

  /** Reports invalid arguments, and returns the exit code. */
  public int reportUsage(ParameterException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    err.line(command.qualifiedName(), ": ", message(e));
    if (e instanceof UnmatchedArgumentException unmatched) {
      suggest(unmatched, command);
    }
    err.line("Try '", command.qualifiedName(), " --help'.");
    return ExitCode.USAGE;
  }

  /** The message by flag, value and what was expected, the form of all error messages. */
  private static String message(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption()) {
      return "Unknown option: '" + optionName(unmatched) + "'";
    }
    if (e instanceof MissingParameterException missing
        && !missing.getMissing().isEmpty()
        && missing.getMissing().get(0) instanceof OptionSpec option) {
      return invalid(option.longestName(), "", option.paramLabel());
    }
    if (e instanceof OverwrittenOptionException repeated
        && repeated.getOverwritten() instanceof OptionSpec option) {
      return invalid(option.longestName(), "twice", "once");
    }
    ArgSpec argument = e.getArgSpec();
    if (argument == null) {
      return String.valueOf(e.getMessage());
    }
    String name =
        argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    String value = e.getValue();
    if (argument.type() == boolean.class && value != null) {
      return invalid(name, value, "no value");
    }
    return e.getCause() instanceof TypeConversionException invalid
        ? name + ": " + invalid.getMessage()
        : String.valueOf(e.getMessage());
  }

  /** The first unknown argument, without its value. */
  private static String optionName(UnmatchedArgumentException e) {
    return e.getUnmatched().isEmpty() ? "" : e.getUnmatched().get(0).replaceFirst("=.*", "");
  }

  private static String invalid(String name, String value, String expected) {
    return String.valueOf(Flag.invalid(name, value, expected).getMessage());
  }

  private void suggest(UnmatchedArgumentException e, CommandSpec command) {
    List<String> suggestions = e.getSuggestions();
    List<String> known =
        e.isUnknownOption()
            ? command.options().stream().filter(o -> !o.hidden()).map(o -> o.longestName()).toList()
            : List.copyOf(command.subcommands().keySet());
    if (suggestions.isEmpty()) {
      // picocli does not recognise swapped letters.
      suggestions = dev.weir.rules.yaml.Spelling.nearest(optionName(e), known).stream().toList();
    }
    if (!suggestions.isEmpty()) {
      err.line("Did you mean ", String.join(" or ", suggestions), "?");
    } else if (!known.isEmpty()) {
      err.line("There are ", String.join(", ", known), ".");
    }
  }

  /** Reports an exception of a command, and returns the exit code. */
  public int reportFailure(Throwable t) {
    if (t instanceof Failure failure) {
      err.line("weir: ", String.valueOf(failure.getMessage()));
      return failure.exitCode();
    }
    String hint = debug ? "" : " (a bug; WEIR_DEBUG=1 shows where)";
    err.line("weir: unexpected ", t.toString(), hint);
    if (debug) {
      StringWriter trace = new StringWriter();
      t.printStackTrace(new PrintWriter(trace));
      trace.toString().lines().forEach(line -> err.line(line.replace("\t", "  ")));
    }
    return ExitCode.UNEXPECTED;
  }

  /** The exception for arguments that the parser accepts but the command rejects. */
  public static ParameterException usageError(CommandSpec spec, RuntimeException e) {
    CommandLine command = spec.commandLine();
    return new ParameterException(command, String.valueOf(e.getMessage()), e);
  }
}
