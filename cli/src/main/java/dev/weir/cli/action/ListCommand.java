package dev.weir.cli.action;

import dev.weir.cli.command.AdminClient;
import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Version;
import dev.weir.cli.options.AdminOptions;
import dev.weir.cli.terminal.Terminal;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code weir action list} command. */
@Command(
    name = "list",
    description = "Lists the actions in force, the newest first.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {"", "Examples:", "  weir action list --server http://10.0.0.7:6070"})
final class ListCommand implements Callable<Integer> {
  private final Terminal out;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private final AdminOptions admin = new AdminOptions();

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  ListCommand(Terminal out, Map<String, String> environment) {
    this.out = out;
    this.environment = environment;
  }

  @Override
  public Integer call() throws Failure {
    AdminClient client;
    try {
      client = admin.client(environment);
    } catch (IllegalArgumentException e) {
      throw ErrorReporter.usageError(spec, e);
    }
    Map<String, Object> list = client.get("/actions", "actions");
    if (json) {
      out.json(list);
    } else {
      new ActionText(out).list(list);
    }
    return ExitCode.OK;
  }
}
