package dev.weir.cli.explain;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.ServerClient;
import dev.weir.cli.command.SyntheticRequest;
import dev.weir.cli.terminal.Json;
import java.net.http.HttpRequest;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests explanations from a running server, with the state of its counters. */
final class ExplainClient {
  private final ServerClient server;
  private final @Nullable String token;

  /**
   * Creates a client.
   *
   * @param server a client of the administration port
   * @param token the token for administrators; null for none
   */
  ExplainClient(ServerClient server, @Nullable String token) {
    this.server = server;
    this.token = token;
  }

  /**
   * Requests the explanation of a request.
   *
   * @return the server's JSON document
   * @throws Failure if the server cannot be reached or does not answer as expected
   */
  Map<String, Object> explain(@Nullable SyntheticRequest request, Map<String, String> entries)
      throws Failure {
    Map<String, @Nullable Object> body = Json.object("values", entries);
    if (request != null) {
      body.put("request", json(request));
    }
    HttpRequest.Builder post = server.post("/explain", Json.of(body));
    if (token != null) {
      post.header("Authorization", "Bearer " + token);
    }
    ServerClient.Reply reply = server.send(post);
    try {
      Map<String, Object> json = JSONObjectUtils.parse(reply.body());
      if (reply.status() == 200 && json.get("rules") instanceof List) {
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

  /** A copy of a document with secret values redacted. */
  static @Nullable Object redacted(@Nullable Object json, ValueRedactor redactor) {
    if (json instanceof List<?> list) {
      List<@Nullable Object> copy = new ArrayList<>();
      list.forEach(one -> copy.add(redacted(one, redactor)));
      return copy;
    }
    if (!(json instanceof Map<?, ?> map)) {
      return json;
    }
    Map<String, @Nullable Object> copy = Json.object();
    map.forEach((name, value) -> copy.put(String.valueOf(name), redacted(value, redactor)));
    if (copy.get("name") instanceof String name && copy.get("value") instanceof String value) {
      copy.put("value", redactor.redacted(name, value)); // a part of the caller
    }
    if (copy.get("value") instanceof String name && copy.get("is") instanceof String value) {
      copy.put("is", redactor.redacted(name, value)); // the value that a condition saw
    }
    return copy;
  }

  private static Map<String, @Nullable Object> json(SyntheticRequest request) {
    List<String> headers = new ArrayList<>();
    request
        .headers()
        .forEach(
            (name, values) -> {
              if (!name.equalsIgnoreCase("host")) {
                values.forEach(value -> headers.add(name + ": " + value));
              }
            });
    if (request.authority() != null) {
      headers.add("Host: " + request.authority());
    }
    return Json.object(
        "method",
        request.method(),
        "target",
        request.target(),
        "headers",
        headers,
        "peer",
        request.peer());
  }
}
