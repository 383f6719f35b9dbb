package dev.weir.cli;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.net.http.HttpRequest;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks a running server what its rules make of a request, and how the counters stand. */
final class LiveExplain {
  private final Asker server;
  private final @Nullable String token;

  /**
   * @param server its address for administration
   * @param token what administrators must show there; null if nothing
   */
  LiveExplain(Asker server, @Nullable String token) {
    this.server = server;
    this.token = token;
  }

  /** The server's document. */
  Map<String, Object> ask(@Nullable AskedRequest request, Map<String, String> entries)
      throws Failure {
    Map<String, @Nullable Object> question = Json.object("values", entries);
    if (request != null) {
      question.put("request", told(request));
    }
    HttpRequest.Builder asked = server.post("/explain", Json.of(question));
    if (token != null) {
      asked.header("Authorization", "Bearer " + token);
    }
    Asker.Reply reply = server.send(asked);
    try {
      Map<String, Object> json = JSONObjectUtils.parse(reply.body());
      if (reply.status() == 200 && json.get("rules") instanceof List) {
        return json;
      }
      if (reply.status() == 401) {
        throw server.failed("wants a token for administrators (give --admin-token-env)");
      }
      if (json.get("detail") instanceof String detail) {
        throw server.failed("answered " + reply.status() + ", " + detail);
      }
    } catch (ParseException e) {
      // Told below.
    }
    String expected = "the port for administration of a Weir server";
    throw server.failed("answered " + reply.status() + " (expected: " + expected + ")");
  }

  /** The document without values that somebody could use. */
  static @Nullable Object hidden(@Nullable Object json, Values values) {
    if (json instanceof List<?> list) {
      List<@Nullable Object> copy = new ArrayList<>();
      list.forEach(one -> copy.add(hidden(one, values)));
      return copy;
    }
    if (!(json instanceof Map<?, ?> map)) {
      return json;
    }
    Map<String, @Nullable Object> copy = Json.object();
    map.forEach((name, value) -> copy.put(String.valueOf(name), hidden(value, values)));
    if (copy.get("name") instanceof String name && copy.get("value") instanceof String value) {
      copy.put("value", values.shown(name, value)); // a part of whom a rule counts
    }
    if (copy.get("value") instanceof String name && copy.get("is") instanceof String value) {
      copy.put("is", values.shown(name, value)); // what a condition found
    }
    return copy;
  }

  private static Map<String, @Nullable Object> told(AskedRequest request) {
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
