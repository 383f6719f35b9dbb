package dev.weir.cli.reset;

import dev.weir.cli.command.AdminClient;
import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Version;
import dev.weir.cli.options.AdminOptions;
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

/** The {@code weir reset} command: lets the counters of a caller begin anew. */
@Command(
    name = "reset",
    description = {
      "Lets the counters of a caller begin anew, in the store that all servers share.",
      "A counter that other callers share is left as it is, unless --shared is given."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir reset --request 'POST /login' --header 'X-API-Key: k'",
      "  weir reset --entry tenant=acme --server http://10.0.0.7:6070"
    })
public final class ResetCommand implements Callable<Integer> {
  private final Terminal out;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private final CallerOptions caller = new CallerOptions();

  @Option(names = "--shared", description = "Reset counters too that other callers share.")
  private boolean shared;

  @Mixin private final AdminOptions admin = new AdminOptions();

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  /** Creates the command. */
  public ResetCommand(Terminal out, Map<String, String> environment) {
    this.out = out;
    this.environment = environment;
  }

  @Override
  public Integer call() throws Failure {
    AdminClient client;
    Map<String, @Nullable Object> body;
    try {
      client = admin.client(environment);
      body = caller.json();
    } catch (IllegalArgumentException e) {
      throw ErrorReporter.usageError(spec, e);
    }
    if (shared) {
      body.put("shared", true);
    }
    Map<String, Object> done = client.post("/reset", body, "counters");
    if (json) {
      out.json(done);
    } else {
      new ResetText(out).print(done);
    }
    return ExitCode.OK;
  }
}
