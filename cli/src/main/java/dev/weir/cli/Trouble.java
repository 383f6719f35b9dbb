package dev.weir.cli;

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

/** Tells users what went wrong, and never shows them a stack trace that they did not ask for. */
final class Trouble {
  private final Terminal err;
  private final boolean debug;

  Trouble(Terminal err, boolean debug) {
    this.err = err;
    this.debug = debug;
  }

  /** For arguments that make no sense. */
  int wrongUsage(ParameterException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    err.line(command.qualifiedName(), ": ", message(e));
    if (e instanceof UnmatchedArgumentException unmatched) {
      suggest(unmatched, command);
    }
    err.line("Try '", command.qualifiedName(), " --help'.");
    return Exit.USAGE;
  }

  /** By the flag, its value and what was expected, as everything else is told. */
  private static String message(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption()) {
      return "Unknown option: '" + written(unmatched) + "'";
    }
    if (e instanceof MissingParameterException missing
        && !missing.getMissing().isEmpty()
        && missing.getMissing().get(0) instanceof OptionSpec option) {
      return refused(option.longestName(), "", option.paramLabel());
    }
    if (e instanceof OverwrittenOptionException twice
        && twice.getOverwritten() instanceof OptionSpec option) {
      return refused(option.longestName(), "twice", "once");
    }
    ArgSpec argument = e.getArgSpec();
    if (argument == null) {
      return String.valueOf(e.getMessage());
    }
    String name =
        argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    String value = e.getValue();
    if (argument.type() == boolean.class && value != null) {
      return refused(name, value, "no value");
    }
    return e.getCause() instanceof TypeConversionException known
        ? name + ": " + known.getMessage()
        : String.valueOf(e.getMessage());
  }

  /** The first argument that is not known, without a value that it may have. */
  private static String written(UnmatchedArgumentException e) {
    return e.getUnmatched().isEmpty() ? "" : e.getUnmatched().get(0).replaceFirst("=.*", "");
  }

  private static String refused(String name, String value, String expected) {
    return String.valueOf(Flag.refused(name, value, expected).getMessage());
  }

  private void suggest(UnmatchedArgumentException e, CommandSpec command) {
    List<String> near = e.getSuggestions();
    List<String> known =
        e.isUnknownOption()
            ? command.options().stream().filter(o -> !o.hidden()).map(o -> o.longestName()).toList()
            : List.copyOf(command.subcommands().keySet());
    if (near.isEmpty()) {
      // Its own idea of what is near knows of no letters that are swapped.
      near = dev.weir.yaml.Words.nearest(written(e), known).stream().toList();
    }
    if (!near.isEmpty()) {
      err.line("Did you mean ", String.join(" or ", near), "?");
    } else if (!known.isEmpty()) {
      err.line("There are ", String.join(", ", known), ".");
    }
  }

  /** For whatever a command throws. */
  int failed(Throwable t) {
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
    return Exit.UNEXPECTED;
  }

  /** Usage that the parser finds no fault with, but the command does. */
  static ParameterException usage(CommandSpec spec, RuntimeException e) {
    CommandLine command = spec.commandLine();
    return new ParameterException(command, String.valueOf(e.getMessage()), e);
  }
}
