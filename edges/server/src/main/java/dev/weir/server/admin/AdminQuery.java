package dev.weir.server.admin;

import dev.weir.Descriptor;
import dev.weir.rule.condition.PathReadings;
import dev.weir.rules.RulesSnapshot;
import dev.weir.server.decide.DecideRequest;
import dev.weir.server.wire.JsonBody;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The request that an operator asks about: described by its values, as for {@code /v1/decide}, or
 * as an HTTP request from which the active rules extract the values; or both, and then the given
 * values win.
 */
record AdminQuery(@Nullable DescribedRequest request, DecideRequest values) {
  private static final List<String> SHOWN =
      List.of("method", "path", PathReadings.NAME, "host", "ip", "ip exact");

  /**
   * Parses a body.
   *
   * @throws IllegalArgumentException with the field, the value and what was expected
   */
  static AdminQuery parse(Buffer body) {
    return of(json(body));
  }

  static @Nullable Object json(Buffer body) {
    return json(body, "{\"request\": {…}} or {\"values\": {…}}");
  }

  /**
   * Decodes a body.
   *
   * @throws IllegalArgumentException if it is not JSON, with what was expected
   */
  static @Nullable Object json(Buffer body, String expected) {
    try {
      return JsonBody.decode(body);
    } catch (DecodeException e) {
      throw new IllegalArgumentException("body: not JSON (expected: " + expected + ")", e);
    }
  }

  static AdminQuery of(@Nullable Object json) {
    if (!(json instanceof JsonObject object) || !object.containsKey("request")) {
      return new AdminQuery(null, values(json));
    }
    DescribedRequest request = DescribedRequest.parse(object.getValue("request"));
    JsonObject rest = object.copy();
    rest.remove("request");
    if (!rest.containsKey("values")) {
      rest.put("values", new JsonObject());
    }
    return new AdminQuery(request, values(rest));
  }

  /** Nothing is shed here, so a reported load would be ignored. */
  private static DecideRequest values(@Nullable Object json) {
    DecideRequest values = DecideRequest.parse(json);
    if (values.reportsLoad()) {
      throw DecideRequest.refused("field", "load", "operation, values, cost");
    }
    return values;
  }

  OptionalLong cost() {
    return values.cost();
  }

  /** The names of its values that no rule reads. */
  List<String> unread(RulesSnapshot live) {
    return values.unread(live);
  }

  /**
   * The values that rules read, and those that are shown beside them; it completes once the token
   * of the request, if it has one, is verified.
   *
   * @throws IllegalArgumentException if a value has a wrong name
   */
  CompletionStage<Descriptor> descriptor(RulesSnapshot live) {
    var unused = unread(live);
    Descriptor given = values.descriptor(live.rules().http());
    if (request == null) {
      return CompletableFuture.completedStage(given);
    }
    Set<String> names = new LinkedHashSet<>(live.book().names().list());
    names.addAll(SHOWN);
    Descriptor.Names wanted = Descriptor.Names.of(List.copyOf(names));
    return live.reader()
        .reconfigured(live.rules().http(), wanted)
        .open(request)
        .verifyAsync()
        .thenApply(read -> joined(read, given));
  }

  private static Descriptor joined(Descriptor read, Descriptor given) {
    Map<String, String> all = new HashMap<>();
    copy(read, read.names().list(), all);
    copy(given, given.names().list(), all);
    return Descriptor.of(all);
  }

  private static void copy(Descriptor from, Iterable<String> names, Map<String, String> to) {
    for (String name : names) {
      String value = from.value(name);
      if (value != null) {
        to.put(name, value);
      }
    }
  }
}
