package dev.weir.cli.action;

import dev.weir.cli.command.AdminClient;
import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Version;
import dev.weir.cli.options.AdminOptions;
import dev.weir.cli.terminal.Terminal;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir action undo} command. */
@Command(
    name = "undo",
    description = "Undoes an action on all servers.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {"", "Examples:", "  weir action undo 5d41402abc4b"})
final class UndoCommand implements Callable<Integer> {
  private final Terminal out;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "ID", description = "The id of the action.")
  private String id = "";

  @Mixin private final AdminOptions admin = new AdminOptions();

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  UndoCommand(Terminal out, Map<String, String> environment) {
    this.out = out;
    this.environment = environment;
  }

  @Override
  public Integer call() throws Failure {
    AdminClient client;
    try {
      client = admin.client(environment);
      if (!id.matches("[0-9a-f]{12}")) {
        throw Flag.invalid("ID", id, "12 hexadecimal digits, as weir action list shows them");
      }
    } catch (IllegalArgumentException e) {
      throw ErrorReporter.usageError(spec, e);
    }
    Map<String, Object> undone = client.delete("/actions/" + id, "id");
    if (json) {
      out.json(undone);
    } else {
      new ActionText(out).undone(undone);
    }
    return ExitCode.OK;
  }
}
