package dev.weir.cli.command;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.weir.cli.terminal.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A client of the administration port of a running server. */
public final class AdminClient {
  private static final int MAX_REFUSAL_BYTES = 8 << 10;

  private final ServerClient server;
  private final @Nullable String token;
  private final @Nullable String operator;

  /**
   * Creates a client.
   *
   * @param server a client of the administration port
   * @param token the token for administrators; null for none
   */
  public AdminClient(ServerClient server, @Nullable String token) {
    this(server, token, null);
  }

  /**
   * Creates a client that says whom it acts for.
   *
   * @param server a client of the administration port
   * @param token the token for administrators; null for none
   * @param operator the name of the person; null for none
   */
  public AdminClient(ServerClient server, @Nullable String token, @Nullable String operator) {
    this.server = server;
    this.token = token;
    this.operator = operator;
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

  /** An answer of any status; the document is empty if it is no JSON object. */
  public record Answer(int status, Map<String, Object> json) {}

  /**
   * Gets a document, whatever the status.
   *
   * @throws Failure if the server cannot be reached
   */
  public Answer ask(String path) throws Failure {
    ServerClient.Reply reply = server.send(authorized(server.request(path).GET()));
    return new Answer(reply.status(), parsed(reply.body()));
  }

  /**
   * Gets a document that is no JSON, such as the metrics.
   *
   * @throws Failure if the server cannot be reached or does not answer as expected
   */
  public String text(String path) throws Failure {
    ServerClient.Reply reply = server.send(authorized(server.request(path).GET()));
    if (reply.status() != 200) {
      throw refusal(reply.status(), parsed(reply.body()));
    }
    return reply.body();
  }

  /**
   * Opens a stream of events; only if its status is 200, there are any.
   *
   * @throws Failure if the server cannot be reached
   */
  public ServerClient.Stream events(String path) throws Failure {
    return server.open(authorized(server.request(path).header("Accept", "text/event-stream")));
  }

  /** Why a stream has no events; closes it. */
  public Failure refusal(ServerClient.Stream stream) {
    String body;
    try (InputStream in = stream.body()) {
      body = new String(in.readNBytes(MAX_REFUSAL_BYTES), StandardCharsets.UTF_8);
    } catch (IOException e) {
      body = "";
    }
    return refusal(stream.status(), parsed(body));
  }

  /** Host and port of the server. */
  public String authority() {
    return server.authority();
  }

  private Map<String, Object> send(HttpRequest.Builder request, String member) throws Failure {
    ServerClient.Reply reply = server.send(authorized(request));
    Map<String, Object> json = parsed(reply.body());
    if (reply.status() / 100 == 2 && json.get(member) != null) {
      return json;
    }
    throw refusal(reply.status(), json);
  }

  private HttpRequest.Builder authorized(HttpRequest.Builder request) {
    if (operator != null) {
      request.header("Weir-Operator", operator);
    }
    return token == null ? request : request.header("Authorization", "Bearer " + token);
  }

  private static Map<String, Object> parsed(String body) {
    try {
      return JSONObjectUtils.parse(body);
    } catch (ParseException e) {
      return Map.of();
    }
  }

  private Failure refusal(int status, Map<String, Object> json) {
    if (status == 401 && token != null) {
      return server.failure("refused the token (expected: one of its own in --admin-token-env)");
    }
    if (status == 401) {
      return server.failure("requires an administrator token (give --admin-token-env)");
    }
    if (json.get("detail") instanceof String detail) {
      return server.failure("answered " + status + ", " + detail);
    }
    String expected = "the administration port of a Weir server";
    return server.failure("answered " + status + " (expected: " + expected + ")");
  }
}
