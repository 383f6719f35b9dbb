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

/** The {@code weir action multiply} command. */
@Command(
    name = "multiply",
    description = "Multiplies every limit of a rule; what was spent stays spent.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir action multiply login 2 --for 15m --why 'marketing campaign'",
      "  weir action multiply shop/tenant.path 0.5 --for 1h --why 'spare the database'"
    })
final class MultiplyCommand implements Callable<Integer> {
  private final Terminal out;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      paramLabel = "RULE",
      description = "Name of a rule; or domain/path for a limit of a domain.")
  private String rule = "";

  @Parameters(
      index = "1",
      paramLabel = "FACTOR",
      description = "A number above 0, such as 2 or 0.5.")
  private String factor = "";

  @Mixin private final TakeOptions options = new TakeOptions();

  MultiplyCommand(Terminal out, Map<String, String> environment) {
    this.out = out;
    this.environment = environment;
  }

  @Override
  public Integer call() throws Failure {
    return options.take(
        spec,
        out,
        environment,
        () -> Json.object("action", "multiply", "rule", rule, "factor", factor));
  }
}
