package dev.weir.cli.options;

import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Input;
import dev.weir.server.access.AllowedHosts;
import dev.weir.server.access.BearerToken;
import dev.weir.server.audit.AuditLog;
import dev.weir.server.settings.AdminSettings.Tokens;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Tokens for administration and operations, the host names that administrators may use, and the
 * record of what they do.
 */
final class AccessOptions {
  /** The environment variable with the operations token, read if no file is given. */
  static final String VARIABLE = "WEIR_OPERATIONS_TOKEN";

  private static final String FLAG = "--operations-token-file";
  private static final String VIEWER_FLAG = "--viewer-token-env";
  private static final String AUDIT_FLAG = "--audit-log";
  private static final Consumer<String> TOKEN_CHECK = BearerToken::check;
  private static final int MAX_BYTES = 4_096;

  @Option(
      names = "--admin-token-env",
      paramLabel = "NAME",
      description = "Environment variable with the token that administrators must send.")
  private @Nullable String adminTokenEnv;

  @Option(
      names = VIEWER_FLAG,
      paramLabel = "NAME",
      description =
          "Environment variable with the token of clients that may only read on the administration"
              + " port, such as Prometheus.")
  private @Nullable String viewerTokenEnv;

  @Option(
      names = AUDIT_FLAG,
      paramLabel = "FILE",
      description =
          "File that gets a line of JSON for each action of an administrator; the service's log if"
              + " not given.")
  private @Nullable Path auditLog;

  @Option(
      names = "--reveal-callers",
      description =
          "Keep the names and values that identify the heaviest callers, so that operators can"
              + " reveal them; without it they are known by hashes only.")
  private boolean revealCallers;

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
   * The tokens of all ports.
   *
   * @throws IllegalArgumentException if an environment variable is not set, or a token is not valid
   * @throws Failure if a file cannot be read
   */
  Tokens tokens(Map<String, String> environment) throws Failure {
    String admin = token("--admin-token-env", adminTokenEnv, environment);
    String viewer = token(VIEWER_FLAG, viewerTokenEnv, environment);
    String operations = operationsToken(environment);
    try {
      return new Tokens(admin, viewer, operations);
    } catch (IllegalArgumentException e) {
      throw Flag.renamed(VIEWER_FLAG + ": " + viewerTokenEnv, e); // the others are valid
    }
  }

  private static @Nullable String token(
      String flag, @Nullable String variable, Map<String, String> environment) {
    String token = variable == null ? null : environment.get(variable);
    if (variable != null && (token == null || token.isEmpty())) {
      throw Flag.invalid(flag, variable, "a variable that is set");
    }
    return token;
  }

  boolean revealCallers() {
    return revealCallers;
  }

  /**
   * The file of the audit log, which is created if it does not exist; null for the service's log.
   *
   * @throws IllegalArgumentException if it cannot be written
   */
  @Nullable Path auditLog() {
    if (auditLog != null) {
      try {
        AuditLog.toFile(auditLog, InstantSource.system()).close();
      } catch (IllegalArgumentException e) {
        throw Flag.renamed(AUDIT_FLAG, e);
      }
    }
    return auditLog;
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
  private @Nullable String operationsToken(Map<String, String> environment) throws Failure {
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
