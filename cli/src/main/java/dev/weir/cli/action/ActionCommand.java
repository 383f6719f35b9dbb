package dev.weir.cli.action;

import dev.weir.cli.command.Version;
import dev.weir.cli.terminal.Terminal;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code weir action} command, which has a subcommand for each kind of action. */
@Command(
    name = "action",
    description = {
      "Adjusts a rule, or blocks or exempts a caller, for a while: on all servers that share a store"
          + " within 2 seconds, and until it ends by itself."
    },
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir action multiply login 2 --for 15m --why 'marketing campaign'",
      "  weir action shadow search --for 1h --why 'the limit is too low'",
      "  weir action block --rule login --request 'POST /login' \\",
      "    --header 'X-API-Key: k' --for 30m --why 'guesses passwords'",
      "  weir action exempt --caller 1f0e2d3c4b5a6978 --for 2h --why 'load test'",
      "  weir action list",
      "  weir action undo 5d41402abc4b"
    })
public final class ActionCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  private ActionCommand() {}

  /** The command with its subcommands. */
  public static CommandLine create(Terminal out, Map<String, String> environment) {
    return new CommandLine(new ActionCommand())
        .addSubcommand(new MultiplyCommand(out, environment))
        .addSubcommand(new ShadowCommand(out, environment))
        .addSubcommand(new BlockCommand(out, environment))
        .addSubcommand(new ExemptCommand(out, environment))
        .addSubcommand(new ListCommand(out, environment))
        .addSubcommand(new UndoCommand(out, environment));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "no command (expected: multiply, shadow, block, exempt, list or undo)");
  }
}
