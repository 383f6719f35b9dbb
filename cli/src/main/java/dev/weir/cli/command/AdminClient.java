package dev.weir.cli.command;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.weir.cli.terminal.Json;
import java.net.http.HttpRequest;
import java.text.ParseException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A client of the administration port of a running server. */
public final class AdminClient {
  private final ServerClient server;
  private final @Nullable String token;

  /**
   * Creates a client.
   *
   * @param server a client of the administration port
   * @param token the token for administrators; null for none
   */
  public AdminClient(ServerClient server, @Nullable String token) {
    this.server = server;
    this.token = token;
  }

  /**
   * The token in an environment variable.
   *
   * @param name of the variable; null for no token
   * @throws IllegalArgumentException if the variable holds none
   */
  public static @Nullable String token(@Nullable String name, Map<String, String> environment) {
    String token = name == null ? null : environment.get(name);
    if (name != null && (token == null || !token.matches("[!-~]+"))) {
      throw Flag.invalid("--admin-token-env", name, "a variable that is set, to a token in ASCII");
    }
    return token;
  }

  /**
   * Gets a document that has a member of this name.
   *
   * @throws Failure if the server cannot be reached or does not answer as expected
   */
  public Map<String, Object> get(String path, String member) throws Failure {
    return send(server.request(path).GET(), member);
  }

  /**
   * Posts a document, and returns the answer, which has a member of this name.
   *
   * @throws Failure if the server cannot be reached or does not answer as expected
   */
  public Map<String, Object> post(String path, Map<String, @Nullable Object> body, String member)
      throws Failure {
    return send(server.post(path, Json.of(body)), member);
  }

  /**
   * Deletes a document, and returns the answer, which has a member of this name.
   *
   * @throws Failure if the server cannot be reached or does not answer as expected
   */
  public Map<String, Object> delete(String path, String member) throws Failure {
    return send(server.request(path).DELETE(), member);
  }

  private Map<String, Object> send(HttpRequest.Builder request, String member) throws Failure {
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    ServerClient.Reply reply = server.send(request);
    try {
      Map<String, Object> json = JSONObjectUtils.parse(reply.body());
      if (reply.status() / 100 == 2 && json.get(member) != null) {
        return json;
      }
      if (reply.status() == 401) {
        throw server.failure("requires an administrator token (give --admin-token-env)");
      }
      if (json.get("detail") instanceof String detail) {
        throw server.failure("answered " + reply.status() + ", " + detail);
      }
    } catch (ParseException e) {
      // Reported below.
    }
    String expected = "the administration port of a Weir server";
    throw server.failure("answered " + reply.status() + " (expected: " + expected + ")");
  }
}
