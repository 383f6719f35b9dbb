package dev.weir.replay.log.json;

import dev.weir.internal.Rejections;
import dev.weir.replay.log.line.Field;
import dev.weir.replay.log.line.Form;
import dev.weir.replay.log.line.HeaderNames;
import dev.weir.replay.log.line.Role;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the members of objects mean: as mapped, or else by their usual names. Immutable. */
final class JsonNames {
  private static final String HEADER = "header ";

  private final Map<String, String> mapped = new HashMap<>();
  private final Set<Role> taken = EnumSet.noneOf(Role.class);
  private final Set<String> required;

  /**
   * Names of which some are given.
   *
   * @param meanings the path of a member by what it means, like {@code client}
   * @param required what every object must have
   * @throws IllegalArgumentException if something has no such meaning
   */
  JsonNames(Map<String, String> meanings, Set<String> required) {
    this.required = Set.copyOf(required);
    meanings.forEach(
        (meaning, path) -> {
          mapped.put(path, meaning);
          Field field = meaning(meaning, path, new HeaderNames());
          taken.add(field.role());
          if (field.role() == Role.ARRIVAL || field.role() == Role.COMPLETION) {
            taken.addAll(EnumSet.of(Role.ARRIVAL, Role.COMPLETION));
          }
          if (field.role() == Role.TARGET) {
            taken.addAll(EnumSet.of(Role.REQUEST, Role.QUERY));
          }
        });
    taken.remove(Role.HEADER);
  }

  Set<String> required() {
    return required;
  }

  /** What a member means; null if nothing. */
  @Nullable Field field(String path, HeaderNames headers) {
    String meaning = mapped.get(path);
    if (meaning != null) {
      return meaning(meaning, path, headers);
    }
    Field usual = UsualNames.field(path, headers);
    return usual == null || taken.contains(usual.role()) ? null : usual;
  }

  private static Field meaning(String meaning, String path, HeaderNames headers) {
    if (meaning.startsWith(HEADER)) {
      String header = meaning.substring(HEADER.length()).strip();
      return Field.header(path, header, Form.TEXT, headers);
    }
    return switch (meaning.toLowerCase(Locale.ROOT)) {
      case "time", "start" -> Field.of(path, Role.ARRIVAL, Form.ANY_TIME);
      case "end" -> Field.of(path, Role.COMPLETION, Form.ANY_TIME);
      case "client" -> Field.of(path, Role.CLIENT, Form.ADDRESS);
      case "user" -> Field.of(path, Role.USER, Form.TEXT);
      case "request" -> Field.of(path, Role.REQUEST, Form.TEXT);
      case "method" -> Field.of(path, Role.METHOD, Form.TEXT);
      case "path", "target" -> Field.of(path, Role.TARGET, Form.TEXT);
      case "url" -> Field.of(path, Role.TARGET, Form.WHOLE_URL);
      case "query" -> Field.of(path, Role.QUERY, Form.TEXT);
      case "host" -> Field.of(path, Role.HOST, Form.TEXT);
      case "status" -> Field.of(path, Role.STATUS, Form.TEXT);
      case "duration" -> Field.of(path, Role.DURATION, Form.ANY_DURATION);
      case "duration_s" -> Field.of(path, Role.DURATION, Form.SECONDS);
      case "duration_ms" -> Field.of(path, Role.DURATION, Form.MILLIS);
      case "duration_us" -> Field.of(path, Role.DURATION, Form.MICROS);
      case "duration_ns" -> Field.of(path, Role.DURATION, Form.NANOS);
      default ->
          throw Rejections.of(
              "field",
              meaning + "=" + path,
              "time, end, client, user, request, method, path, url, query, host, status, duration,"
                  + " duration_s, duration_ms, duration_us, duration_ns or header NAME");
    };
  }
}
