package dev.weir.cli.explain;

import dev.weir.cli.command.AdminClient;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.SyntheticRequest;
import dev.weir.cli.terminal.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Requests explanations from a running server, with the state of its counters. */
final class ExplainClient {
  private final AdminClient server;

  ExplainClient(AdminClient server) {
    this.server = server;
  }

  /**
   * Requests the explanation of a request.
   *
   * @return the server's JSON document
   * @throws Failure if the server cannot be reached or does not answer as expected
   */
  Map<String, Object> explain(Optional<SyntheticRequest> request, Map<String, String> entries)
      throws Failure {
    Map<String, @Nullable Object> body = Json.object("values", entries);
    request.ifPresent(one -> body.put("request", one.json()));
    return server.post("/explain", body, "rules");
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
}
