package dev.weir.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
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
    err.line(command.qualifiedName(), ": ", String.valueOf(e.getMessage()));
    if (e instanceof UnmatchedArgumentException unmatched) {
      suggest(unmatched, command);
    }
    err.line("Try '", command.qualifiedName(), " --help'.");
    return Exit.USAGE;
  }

  private void suggest(UnmatchedArgumentException e, CommandSpec command) {
    List<String> near = e.getSuggestions();
    if (!near.isEmpty()) {
      err.line("Did you mean ", String.join(" or ", near), "?");
    } else if (e.isUnknownOption()) {
      List<String> all =
          command.options().stream().filter(o -> !o.hidden()).map(o -> o.longestName()).toList();
      err.line("There are ", String.join(", ", all), ".");
    } else if (!command.subcommands().isEmpty()) {
      err.line("There are ", String.join(", ", command.subcommands().keySet()), ".");
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
