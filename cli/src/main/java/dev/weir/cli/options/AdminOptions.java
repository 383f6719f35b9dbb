package dev.weir.cli.options;

import dev.weir.cli.command.AdminClient;
import dev.weir.cli.command.ServerClient;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The server that a command administers. */
public final class AdminOptions {
  @Option(
      names = "--server",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:6070",
      description = "Administration address of a server of the fleet; ${DEFAULT-VALUE}.")
  private String server = "";

  @Option(
      names = "--admin-token-env",
      paramLabel = "NAME",
      description = "Environment variable with the token that its administrators must send.")
  private @Nullable String adminTokenEnv;

  /**
   * A client of the server; does not connect yet.
   *
   * @throws IllegalArgumentException if the URL is malformed, or the variable holds no token
   */
  public AdminClient client(Map<String, String> environment) {
    String token = AdminClient.token(adminTokenEnv, environment);
    return new AdminClient(ServerClient.at("--server", server), token);
  }
}
