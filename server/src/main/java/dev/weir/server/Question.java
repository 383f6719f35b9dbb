package dev.weir.server;

import dev.weir.Descriptor;
import dev.weir.rule.PathReadings;
import dev.weir.server.wire.JsonBody;
import dev.weir.yaml.LiveRules;
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
 * Which request administrators ask about: by its values, as to {@code /v1/decide}, or by an HTTP
 * request that the rules in force read themselves; or both, then values count where they differ.
 */
record Question(@Nullable ToldRequest request, DecideRequest values) {
  private static final List<String> SHOWN =
      List.of("method", "path", PathReadings.NAME, "host", "ip", "ip exact");

  /**
   * @throws IllegalArgumentException with the field, the value and what was expected
   */
  static Question parse(Buffer body) {
    return of(json(body));
  }

  static @Nullable Object json(Buffer body) {
    try {
      return JsonBody.decode(body);
    } catch (DecodeException e) {
      throw new IllegalArgumentException(
          "body: not JSON (expected: {\"request\": {…}} or {\"values\": {…}})", e);
    }
  }

  static Question of(@Nullable Object json) {
    if (!(json instanceof JsonObject object) || !object.containsKey("request")) {
      return new Question(null, DecideRequest.parse(json));
    }
    ToldRequest request = ToldRequest.parse(object.getValue("request"));
    JsonObject rest = object.copy();
    rest.remove("request");
    if (!rest.containsKey("values")) {
      rest.put("values", new JsonObject());
    }
    return new Question(request, DecideRequest.parse(rest));
  }

  OptionalLong cost() {
    return values.cost();
  }

  /** The names of its values that no rule reads. */
  List<String> unread(LiveRules live) {
    return values.unread(live);
  }

  /**
   * What rules read of it, and what a reader wants to know beside that: once its token, if it has
   * one, is verified.
   *
   * @throws IllegalArgumentException if a value has a wrong name
   */
  CompletionStage<Descriptor> descriptor(LiveRules live) {
    var unused = unread(live);
    Descriptor told = values.descriptor(live.rules().http());
    if (request == null) {
      return CompletableFuture.completedStage(told);
    }
    Set<String> names = new LinkedHashSet<>(live.book().names().list());
    names.addAll(SHOWN);
    Descriptor.Names wanted = Descriptor.Names.of(List.copyOf(names));
    return live.reader()
        .with(live.rules().http(), wanted)
        .open(request)
        .verifyLater()
        .thenApply(read -> joined(read, told));
  }

  private static Descriptor joined(Descriptor read, Descriptor told) {
    Map<String, String> all = new HashMap<>();
    copy(read, read.names().list(), all);
    copy(told, told.names().list(), all);
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
