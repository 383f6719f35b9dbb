package dev.weir.replay.log.format;

import dev.weir.internal.Rejections;
import dev.weir.replay.log.json.JsonFormat;
import dev.weir.replay.log.line.LogFormat;
import dev.weir.replay.log.table.TableFormat;
import dev.weir.replay.log.template.AlbTemplate;
import dev.weir.replay.log.template.ApacheTemplate;
import dev.weir.replay.log.template.EnvoyTemplate;
import dev.weir.replay.log.template.NginxTemplate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Formats of access logs, by name or as servers describe them. */
public final class LogFormats {
  private static final String FORMAT_OPTION = "--log-format";
  private static final String COMMON = "%h %l %u %t \"%r\" %>s %b";
  private static final String HEADERS = " \"%{Referer}i\" \"%{User-Agent}i\"";
  private static final Map<String, LogFormat> NAMED = new LinkedHashMap<>();

  static {
    // In the order in which they are tried: those that say more come first.
    add(ApacheTemplate.parse("weir", COMMON + HEADERS + " %{rule}n %{upstream}n %{s6}T %{id}n"));
    add(ApacheTemplate.parse("vhost_combined", "%v:%p " + COMMON + HEADERS));
    add(ApacheTemplate.parse("combined", COMMON + HEADERS));
    add(ApacheTemplate.parse("common", COMMON));
    add(EnvoyTemplate.parse("envoy", EnvoyTemplate.DEFAULT));
    add(AlbTemplate.format("alb"));
    add(new TableFormat("w3c"));
    add(
        JsonFormat.of(
            "weir-json",
            Map.of("time", "time", "duration_us", "micros"),
            Set.of("time", "micros", "outcome")));
    add(JsonFormat.of("envoy-json", Map.of("time", "start_time"), Set.of("start_time")));
    add(JsonFormat.of("json", Map.of(), Set.of()));
  }

  private LogFormats() {}

  private static void add(LogFormat format) {
    NAMED.put(format.name(), format);
  }

  /** All formats with a name, in the order in which they are tried. */
  static List<LogFormat> all() {
    return List.copyOf(NAMED.values());
  }

  /**
   * What {@code --format}, {@code --log-format} and {@code --field} say; null for {@code auto}.
   *
   * @param logFormat as the server describes it; null if not given
   * @param fields what members of JSON objects mean; empty if not given
   * @throws IllegalArgumentException if they are wrong, or do not go together
   */
  public static @Nullable LogFormat of(
      String name, @Nullable String logFormat, Map<String, String> fields) {
    if (logFormat != null) {
      return switch (name) {
        case "nginx" -> nginx(logFormat);
        case "apache" -> apache(logFormat);
        case "envoy" -> envoy(logFormat);
        default ->
            throw Rejections.of(
                "--format", name, "nginx, apache or envoy, whose " + FORMAT_OPTION + " it is");
      };
    }
    if (!fields.isEmpty()) {
      if (!name.equals("json") && !name.equals("auto") && !name.equals("envoy-json")) {
        throw Rejections.of("--format", name, "json, to which --field belongs");
      }
      return json(fields);
    }
    return name.equals("auto") ? null : named(name);
  }

  /**
   * A format with a name: {@code combined}, {@code envoy} and others.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static LogFormat named(String name) {
    String same =
        switch (name) {
          case "nginx", "apache" -> "combined";
          case "cloudfront", "iis" -> "w3c";
          default -> name;
        };
    LogFormat format = NAMED.get(same);
    if (format == null) {
      throw Rejections.of(
          "--format", name, "auto, nginx, apache, cloudfront, iis, " + String.join(", ", names()));
    }
    return format;
  }

  static Set<String> names() {
    return NAMED.keySet();
  }

  /**
   * The format of NGINX's {@code log_format}: the directive, or the text in its quotes.
   *
   * @throws IllegalArgumentException if it is none, with the position
   */
  public static LogFormat nginx(String text) {
    return NginxTemplate.parse(FORMAT_OPTION, text);
  }

  /**
   * The format of Apache's {@code LogFormat}: the directive, or the text in its quotes.
   *
   * @throws IllegalArgumentException if it is none, with the position
   */
  public static LogFormat apache(String text) {
    return ApacheTemplate.parse(FORMAT_OPTION, text);
  }

  /**
   * The format of Envoy's access log of text.
   *
   * @throws IllegalArgumentException if it is none, with the position
   */
  public static LogFormat envoy(String text) {
    return EnvoyTemplate.parse(FORMAT_OPTION, text);
  }

  /**
   * JSON lines whose members have these meanings; others have them by their usual names.
   *
   * @param fields the path of a member by its meaning: {@code client} to {@code request.ip}
   * @throws IllegalArgumentException if there is no such meaning
   */
  public static LogFormat json(Map<String, String> fields) {
    return JsonFormat.of("json", fields, Set.of());
  }
}
