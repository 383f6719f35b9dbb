package dev.weir.cli.options;

import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Input;
import dev.weir.server.access.AllowedHosts;
import dev.weir.server.access.BearerToken;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Tokens for administration and operations, and the host names that administrators may use. */
final class AccessOptions {
  /** The environment variable with the operations token, read if no file is given. */
  static final String VARIABLE = "WEIR_OPERATIONS_TOKEN";

  private static final String FLAG = "--operations-token-file";
  private static final Consumer<String> TOKEN_CHECK = BearerToken::check;
  private static final int MAX_BYTES = 4_096;

  @Option(
      names = "--admin-token-env",
      paramLabel = "NAME",
      description = "Environment variable with the token that administrators must send.")
  private @Nullable String adminTokenEnv;

  @Option(
      names = "--admin-allowed-host",
      split = ",",
      paramLabel = "NAME",
      description =
          "A host name that administrators and Prometheus may use, besides IP addresses and"
              + " localhost; repeatable.")
  private @Nullable List<String> adminNames;

  @Option(
      names = FLAG,
      paramLabel = "FILE",
      description =
          "Token with which clients may refund and charge on the ports for traffic and gRPC, not"
              + " only on the administration port. If not given: $WEIR_OPERATIONS_TOKEN.")
  private @Nullable Path operationsTokenFile;

  /**
   * The token that administrators must send; null if none is required.
   *
   * @throws IllegalArgumentException if the environment variable is not set
   */
  @Nullable String adminToken(Map<String, String> environment) {
    String token = adminTokenEnv == null ? null : environment.get(adminTokenEnv);
    if (adminTokenEnv != null && (token == null || token.isEmpty())) {
      throw Flag.invalid("--admin-token-env", adminTokenEnv, "a variable that is set");
    }
    return token;
  }

  /**
   * The host names that administrators may use.
   *
   * @throws IllegalArgumentException if a name is invalid
   */
  Set<String> adminNames() {
    List<String> names = adminNames == null ? List.of() : adminNames;
    for (String name : names) {
      checked("--admin-allowed-host", name, AllowedHosts::checkName);
    }
    return Set.copyOf(names);
  }

  /**
   * The token with which clients may change counters on every port; null if none is accepted.
   *
   * @throws IllegalArgumentException if the token is malformed
   * @throws Failure if its file cannot be read
   */
  @Nullable String operationsToken(Map<String, String> environment) throws Failure {
    if (operationsTokenFile != null) {
      byte[] bytes = Input.bytes(FLAG, operationsTokenFile, MAX_BYTES);
      String text = new String(bytes, StandardCharsets.UTF_8).strip();
      return checked(FLAG + ": " + operationsTokenFile, text, TOKEN_CHECK);
    }
    String value = environment.getOrDefault(VARIABLE, "");
    return value.isEmpty() ? null : checked(VARIABLE, value.strip(), TOKEN_CHECK);
  }

  private static String checked(String source, String value, Consumer<String> check) {
    try {
      check.accept(value);
      return value;
    } catch (IllegalArgumentException e) {
      throw Flag.renamed(source, e);
    }
  }
}
