package dev.weir.cli.options;

import dev.weir.cli.command.AdminClient;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.ServerClient;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The server that a command administers. */
public final class AdminOptions {
  private static final String NAME_FLAG = "--as";

  /** A name that servers accept, of the characters that a header can have. */
  private static final String NAME_FORM = "[A-Za-z0-9][A-Za-z0-9 ._@+'-]{0,63}";

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

  @Option(
      names = NAME_FLAG,
      paramLabel = "NAME",
      description = "Your name, for others and for the audit log; $USER if not given.")
  private @Nullable String name;

  /**
   * A client of the server; does not connect yet.
   *
   * @throws IllegalArgumentException if the URL is malformed, the variable holds no token, or the
   *     name is none
   */
  public AdminClient client(Map<String, String> environment) {
    String token = AdminClient.token(adminTokenEnv, environment);
    return new AdminClient(ServerClient.at("--server", server), token, operator(environment));
  }

  private @Nullable String operator(Map<String, String> environment) {
    if (name == null) {
      String user = environment.get("USER");
      return user != null && user.matches(NAME_FORM) ? user : null;
    }
    if (!name.matches(NAME_FORM)) {
      String expected = "at most 64 letters and digits of ASCII, blanks and . _ @ + ' -";
      throw Flag.invalid(NAME_FLAG, name, expected);
    }
    return name;
  }
}
