package dev.weir.cli.action;

import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Version;
import dev.weir.cli.terminal.Json;
import dev.weir.cli.terminal.Terminal;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir action shadow} command. */
@Command(
    name = "shadow",
    description = "Puts a rule into shadow mode: it counts, and denies nobody.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {"", "Examples:", "  weir action shadow search --for 1h --why 'the limit is too low'"})
final class ShadowCommand implements Callable<Integer> {
  private final Terminal out;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      paramLabel = "RULE",
      description = "Name of a rule; or domain/path for a limit of a domain.")
  private String rule = "";

  @Mixin private final TakeOptions options = new TakeOptions();

  ShadowCommand(Terminal out, Map<String, String> environment) {
    this.out = out;
    this.environment = environment;
  }

  @Override
  public Integer call() throws Failure {
    return options.take(
        spec, out, environment, () -> Json.object("action", "shadow", "rule", rule));
  }
}
