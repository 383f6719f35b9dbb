package dev.weir.cli;

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

/** Who may do more on a port than ask to pass, and by which names operators ask. */
final class AccessOptions {
  /** The environment variable that holds the token for operations, where no file is named. */
  static final String VARIABLE = "WEIR_OPERATIONS_TOKEN";

  private static final String FLAG = "--operations-token-file";
  private static final Consumer<String> CHECK = BearerToken::check;
  private static final int MAX_BYTES = 4_096;

  @Option(
      names = "--admin-token-env",
      paramLabel = "NAME",
      description = "Environment variable with the token that administrators must show.")
  private @Nullable String adminTokenEnv;

  @Option(
      names = "--admin-allowed-host",
      split = ",",
      paramLabel = "NAME",
      description =
          "A name by which administrators and Prometheus may ask, beside addresses and localhost;"
              + " any number.")
  private @Nullable List<String> adminNames;

  @Option(
      names = FLAG,
      paramLabel = "FILE",
      description =
          "The token with which clients may give back and settle on the ports for traffic and"
              + " gRPC, and not only on that for administration. If not given:"
              + " $WEIR_OPERATIONS_TOKEN.")
  private @Nullable Path operationsTokenFile;

  /** What administrators must show; null for nothing. */
  @Nullable String adminToken(Map<String, String> environment) {
    String token = adminTokenEnv == null ? null : environment.get(adminTokenEnv);
    if (adminTokenEnv != null && (token == null || token.isEmpty())) {
      throw Flag.refused("--admin-token-env", adminTokenEnv, "a variable that is set");
    }
    return token;
  }

  /** By which names they may ask. */
  Set<String> adminNames() {
    List<String> names = adminNames == null ? List.of() : adminNames;
    for (String name : names) {
      checked("--admin-allowed-host", name, AllowedHosts::checkName);
    }
    return Set.copyOf(names);
  }

  /** With what counters may be changed on every port; null for nothing. */
  @Nullable String operationsToken(Map<String, String> environment) throws Failure {
    if (operationsTokenFile != null) {
      byte[] bytes = Input.bytes(FLAG, operationsTokenFile, MAX_BYTES);
      String text = new String(bytes, StandardCharsets.UTF_8).strip();
      return checked(FLAG + ": " + operationsTokenFile, text, CHECK);
    }
    String value = environment.getOrDefault(VARIABLE, "");
    return value.isEmpty() ? null : checked(VARIABLE, value.strip(), CHECK);
  }

  private static String checked(String where, String value, Consumer<String> check) {
    try {
      check.accept(value);
      return value;
    } catch (IllegalArgumentException e) {
      throw Flag.named(where, e);
    }
  }
}
