package dev.weir.cli.action;

import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Version;
import dev.weir.cli.options.CallerOptions;
import dev.weir.cli.terminal.Terminal;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code weir action block} command. */
@Command(
    name = "block",
    description = "Denies every request of a caller, whatever the rules say.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir action block --rule login --request 'POST /login' \\",
      "    --header 'X-API-Key: k' --for 30m --why 'guesses passwords'",
      "  weir action block --caller 1f0e2d3c4b5a6978 --for 2h --why 'guesses passwords'"
    })
final class BlockCommand implements Callable<Integer> {
  private final Terminal out;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--rule",
      paramLabel = "RULE",
      description =
          "Only by this rule, or limit of a domain (domain/path). If not given: by all rules that"
              + " count by the caller's identity.")
  private @Nullable String rule;

  @Mixin private final CallerOptions caller = new CallerOptions();

  @Mixin private final TakeOptions options = new TakeOptions();

  BlockCommand(Terminal out, Map<String, String> environment) {
    this.out = out;
    this.environment = environment;
  }

  @Override
  public Integer call() throws Failure {
    return options.take(
        spec,
        out,
        environment,
        () -> {
          Map<String, @Nullable Object> wanted = caller.json();
          wanted.put("action", "block");
          if (rule != null) {
            wanted.put("rule", rule);
          }
          return wanted;
        });
  }
}
