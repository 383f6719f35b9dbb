package dev.weir.replay.log.template;

import dev.weir.internal.Rejections;
import dev.weir.replay.log.line.Field;
import dev.weir.replay.log.line.Form;
import dev.weir.replay.log.line.HeaderNames;
import dev.weir.replay.log.line.LogFormat;
import dev.weir.replay.log.line.Role;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Formats as Envoy's access logs of text describe them. {@code %START_TIME%} is the arrival. */
public final class EnvoyTemplate {
  /** What Envoy writes if it has no format. */
  public static final String DEFAULT =
      "[%START_TIME%] \"%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%\""
          + " %RESPONSE_CODE% %RESPONSE_FLAGS% %BYTES_RECEIVED% %BYTES_SENT% %DURATION%"
          + " %RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)% \"%REQ(X-FORWARDED-FOR)%\""
          + " \"%REQ(USER-AGENT)%\" \"%REQ(X-REQUEST-ID)%\" \"%REQ(:AUTHORITY)%\""
          + " \"%UPSTREAM_HOST%\"";

  private static final Pattern OPERATOR =
      Pattern.compile("%([A-Z][A-Z0-9_]*)(?:\\(((?:[^)%]|%[^)%]*)*)\\))?(?::\\d+)?%");

  private EnvoyTemplate() {}

  /**
   * The format of command operators, without the end of the line.
   *
   * @param name by which errors speak of it
   * @throws IllegalArgumentException if it is none, with the position
   */
  public static LogFormat parse(String name, String text) {
    String format = text.replaceFirst("(\\\\n|\n)$", "");
    // Envoy writes values as they are, quotes included.
    TemplateBuilder template = new TemplateBuilder(name, false);
    Matcher operator = OPERATOR.matcher(format);
    int at = 0;
    int percent = format.indexOf('%');
    while (percent >= 0) {
      template.literal(format.substring(at, percent));
      if (!operator.find(percent) || operator.start() != percent) {
        String wrong = format.substring(percent, Math.min(format.length(), percent + 12));
        throw Rejections.of(name + ":" + (percent + 1), wrong, "an operator like %START_TIME%");
      }
      String argument = operator.group(2) == null ? "" : operator.group(2);
      template.field(field(operator.group(1), argument, template.headers()), percent + 1);
      at = operator.end();
      percent = format.indexOf('%', at);
    }
    if (at == 0) {
      throw Rejections.of(name, format, "operators like %START_TIME% and %REQ(:METHOD)%");
    }
    return template.literal(format.substring(at)).build();
  }

  private static Field field(String operator, String argument, HeaderNames headers) {
    String name = argument.isEmpty() ? operator : operator + "(" + argument + ")";
    return switch (operator) {
      case "START_TIME" -> time(name, argument);
      case "RESPONSE_CODE" -> Field.of(name, Role.STATUS, Form.TEXT);
      case "DURATION" -> Field.of(name, Role.DURATION, Form.MILLIS);
      case "DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT" -> Field.of(name, Role.CLIENT, Form.TEXT, 0);
      case "DOWNSTREAM_REMOTE_ADDRESS" -> Field.of(name, Role.CLIENT, Form.ADDRESS_PORT, 1);
      case "DOWNSTREAM_DIRECT_REMOTE_ADDRESS_WITHOUT_PORT" ->
          Field.of(name, Role.CLIENT, Form.TEXT, 2);
      case "DOWNSTREAM_DIRECT_REMOTE_ADDRESS" -> Field.of(name, Role.CLIENT, Form.ADDRESS_PORT, 3);
      case "REQ" -> header(name, argument.toLowerCase(Locale.ROOT), headers);
      default -> Field.named(name);
    };
  }

  private static Field time(String name, String pattern) {
    if (pattern.isEmpty()) {
      return Field.of(name, Role.ARRIVAL, Form.ISO_TIME);
    }
    boolean fraction = pattern.matches(".*%[1-9]?f.*");
    if (pattern.startsWith("%s") || fraction) {
      return Field.of(name, Role.ARRIVAL, Form.ANY_TIME);
    }
    return Field.time(name, Role.ARRIVAL, pattern, 0);
  }

  private static Field header(String name, String header, HeaderNames headers) {
    return switch (header) {
      case ":method" -> Field.of(name, Role.METHOD, Form.TEXT);
      case ":authority", "host" -> Field.of(name, Role.HOST, Form.TEXT);
      case ":path" -> Field.of(name, Role.TARGET, Form.TEXT, 1);
      case "x-envoy-original-path?:path", "x-envoy-original-path" ->
          Field.of(name, Role.TARGET, Form.TEXT, 0);
      default -> Field.header(name, header.replaceFirst("\\?.*", ""), Form.TEXT, headers);
    };
  }
}
