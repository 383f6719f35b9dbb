package dev.weir.replay.log.template;

import dev.weir.internal.Rejections;
import dev.weir.replay.log.line.Field;
import dev.weir.replay.log.line.Form;
import dev.weir.replay.log.line.HeaderNames;
import dev.weir.replay.log.line.LogFormat;
import dev.weir.replay.log.line.Role;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Formats as {@code LogFormat} of Apache describes them. {@code %t} is when the request arrived,
 * unless it says {@code end:}.
 */
public final class ApacheTemplate {
  private static final Pattern DIRECTIVE =
      Pattern.compile("(?s)\\s*LogFormat\\s+\"((?:[^\"\\\\]|\\\\.)*)\".*");
  private static final Pattern FIELD =
      Pattern.compile("%%|%(?:!?\\d{3}(?:,\\d{3})*)?([<>]?)(?:\\{([^}]*)\\})?(\\^?[A-Za-z]{1,2})");

  private ApacheTemplate() {}

  /**
   * The format of a {@code LogFormat}: all of the directive, or the text in its quotes.
   *
   * @param name by which errors speak of it
   * @throws IllegalArgumentException if it is none, with the position
   */
  public static LogFormat parse(String name, String text) {
    Matcher directive = DIRECTIVE.matcher(text);
    String format = directive.matches() ? directive.group(1) : text;
    format = format.replace("\\\"", "\"").replace("\\t", "\t");
    TemplateBuilder template = new TemplateBuilder(name, true);
    Matcher field = FIELD.matcher(format);
    int at = 0;
    int percent = format.indexOf('%');
    while (percent >= 0) {
      template.literal(format.substring(at, percent));
      if (!field.find(percent) || field.start() != percent) {
        String wrong = format.substring(percent, Math.min(format.length(), percent + 12));
        throw Rejections.of(name + ":" + (percent + 1), wrong, "a field like %h or %{Referer}i");
      }
      at = field.end();
      if (field.group(3) == null) {
        template.literal("%");
      } else {
        // Two letters are a field and a literal, except after ^.
        int surplus = field.group(3).startsWith("^") ? 0 : field.group(3).length() - 1;
        at -= surplus;
        String code = field.group(3).substring(0, field.group(3).length() - surplus);
        if (code.equals("U") && format.startsWith("%q", at)) {
          at += 2;
          template.field(Field.of("%U%q", Role.TARGET, Form.TEXT), percent + 1);
        } else {
          try {
            add(template, field.group(2), code, field.group(1), percent + 1);
          } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                name + ":" + (percent + 1) + ": " + e.getMessage(), e);
          }
        }
      }
      percent = format.indexOf('%', at);
    }
    if (at == 0) {
      throw Rejections.of(name, format, "fields like %h and %r");
    }
    return template.literal(format.substring(at)).build();
  }

  private static void add(
      TemplateBuilder template,
      @Nullable String argument,
      String code,
      String which,
      int position) {
    boolean brackets = code.equals("t") && argument == null;
    template.literal(brackets ? "[" : "");
    Field field = field(argument == null ? "" : argument, code, which, template.headers());
    template.field(field, position).literal(brackets ? "]" : "");
  }

  private static Field field(String argument, String code, String which, HeaderNames headers) {
    String name = "%" + which + (argument.isEmpty() ? "" : "{" + argument + "}") + code;
    return switch (code) {
      case "a" -> Field.of(name, Role.CLIENT, Form.TEXT, argument.isEmpty() ? 0 : 2);
      case "h" -> Field.of(name, Role.CLIENT, Form.TEXT, 1);
      case "u" -> Field.of(name, Role.USER, Form.TEXT);
      case "r" -> Field.of(name, Role.REQUEST, Form.TEXT);
      case "m" -> Field.of(name, Role.METHOD, Form.TEXT);
      case "U" -> Field.of(name, Role.TARGET, Form.TEXT, 1);
      case "q" -> Field.of(name, Role.QUERY, Form.TEXT);
      case "V" -> Field.of(name, Role.HOST, Form.TEXT, 1);
      case "v" -> Field.of(name, Role.HOST, Form.TEXT, 2);
      case "s" -> Field.of(name, Role.STATUS, Form.TEXT, which.equals(">") ? 0 : 1);
      case "D" -> Field.of(name, Role.DURATION, Form.MICROS, 0);
      case "T" -> duration(name, argument);
      case "t" -> time(name, argument);
      case "i" ->
          argument.equalsIgnoreCase("host")
              ? Field.of(name, Role.HOST, Form.TEXT, 0)
              : Field.header(name, argument, Form.TEXT, headers);
      default -> Field.named(name);
    };
  }

  private static Field duration(String name, String unit) {
    return switch (unit) {
      case "us" -> Field.of(name, Role.DURATION, Form.MICROS, 0);
      case "ms" -> Field.of(name, Role.DURATION, Form.MILLIS, 1);
      case "s6" -> Field.of(name, Role.DURATION, Form.EXACT_SECONDS, 0); // of Weir, not of Apache
      case "s", "" -> Field.of(name, Role.DURATION, Form.SECONDS, 2);
      default -> throw Rejections.of(name, unit, "s, ms or us");
    };
  }

  private static Field time(String name, String argument) {
    boolean end = argument.startsWith("end:");
    Role role = end ? Role.COMPLETION : Role.ARRIVAL;
    String format = argument.replaceFirst("^(begin|end):", "");
    return switch (format) {
      case "usec" -> Field.of(name, role, Form.EPOCH_TIME, 0);
      case "msec" -> Field.of(name, role, Form.EPOCH_TIME, 1);
      case "sec" -> Field.of(name, role, Form.EPOCH_TIME, 4);
      case "usec_frac" -> Field.of(name, Role.FRACTION, Form.MICROS, 0);
      case "msec_frac" -> Field.of(name, Role.FRACTION, Form.MILLIS, 1);
      case "%z" -> Field.of(name, Role.ZONE, Form.TEXT);
      case "" -> Field.of(name, role, Form.CLF_TIME, 3);
      default -> Field.time(name, role, format, 2);
    };
  }
}
