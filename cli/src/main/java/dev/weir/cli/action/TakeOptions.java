package dev.weir.cli.action;

import dev.weir.cli.command.AdminClient;
import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.options.AdminOptions;
import dev.weir.cli.terminal.Terminal;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** What every action needs: how long it lasts, why it is taken, and by which server. */
final class TakeOptions {
  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "How long it lasts: 1s to 7d, such as 15m.")
  private @Nullable String lasting;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "When it ends, instead of --for: such as 2026-11-17T09:30:00Z.")
  private @Nullable String until;

  @Option(
      names = "--why",
      paramLabel = "TEXT",
      required = true,
      description = "The reason, which others see: at most 500 characters.")
  private String why = "";

  @Mixin private final AdminOptions admin = new AdminOptions();

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  /**
   * Takes an action, and prints it.
   *
   * @param wanted the action and its target, as the server takes them; fails with an
   *     IllegalArgumentException for arguments that make no sense
   */
  int take(
      CommandSpec spec,
      Terminal out,
      Map<String, String> environment,
      Callable<Map<String, @Nullable Object>> wanted)
      throws Failure {
    AdminClient client;
    Map<String, @Nullable Object> body;
    try {
      client = admin.client(environment);
      body = wanted.call();
    } catch (IllegalArgumentException e) {
      throw ErrorReporter.usageError(spec, e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    if (lasting != null) {
      body.put("for", lasting);
    }
    if (until != null) {
      body.put("until", until);
    }
    body.put("why", why);
    Map<String, Object> taken = client.post("/actions", body, "id");
    if (json) {
      out.json(taken);
    } else {
      new ActionText(out).taken(taken);
    }
    return ExitCode.OK;
  }
}
