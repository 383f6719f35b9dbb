package dev.weir.replay.log.template;

import dev.weir.internal.Rejections;
import dev.weir.replay.log.line.Field;
import dev.weir.replay.log.line.Form;
import dev.weir.replay.log.line.HeaderNames;
import dev.weir.replay.log.line.LogFormat;
import dev.weir.replay.log.line.Role;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Formats as {@code log_format} of NGINX describes them. NGINX writes a line when the request is
 * complete, and all of its times are of that moment.
 */
public final class NginxTemplate {
  private static final Pattern DIRECTIVE = Pattern.compile("(?s)\\s*log_format\\s+(\\S+)\\s+(.*)");
  private static final Pattern ESCAPE = Pattern.compile("(?s)\\s*escape=(\\S+)\\s+(.*)");
  private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\{(\\w+)\\}|(\\w+))");

  private NginxTemplate() {}

  /**
   * The format of a {@code log_format}: all of the directive, or its strings, or the text in them.
   *
   * @param name by which errors speak of it
   * @throws IllegalArgumentException if it is none, with the position
   */
  public static LogFormat parse(String name, String text) {
    String rest = text.strip();
    Matcher directive = DIRECTIVE.matcher(rest);
    rest = directive.matches() ? directive.group(2) : rest;
    Matcher escape = ESCAPE.matcher(rest);
    String escaping = escape.matches() ? escape.group(1) : "default";
    rest = escape.matches() ? escape.group(2).strip() : rest;
    if (!escaping.matches("default|json|none")) {
      throw Rejections.of(name + ": escape", escaping, "default, json or none");
    }
    boolean quoted = rest.startsWith("'") || (rest.startsWith("\"") && directive.matches());
    String format = quoted ? unquoted(name, rest, text.length() - rest.length()) : rest;
    TemplateBuilder template = new TemplateBuilder(name, !escaping.equals("none"));
    Matcher variable = VARIABLE.matcher(format);
    int at = 0;
    while (variable.find()) {
      template.literal(format.substring(at, variable.start()));
      String found = variable.group(1) != null ? variable.group(1) : variable.group(2);
      template.field(field(found, template.headers()), variable.start() + 1);
      at = variable.end();
    }
    if (at == 0) {
      throw Rejections.of(name, format, "variables like $remote_addr and $request");
    }
    return template.literal(format.substring(at)).build();
  }

  /** The text of quoted strings, one after another. */
  private static String unquoted(String name, String quoted, int offset) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < quoted.length() && quoted.charAt(at) != ';') {
      char quote = quoted.charAt(at);
      if (Character.isWhitespace(quote)) {
        at++;
        continue;
      }
      if (quote != '\'' && quote != '"') {
        throw Rejections.of(name + ":" + (offset + at + 1), quote, "a quote, or ; at the end");
      }
      int start = at++;
      while (at < quoted.length() && quoted.charAt(at) != quote) {
        char next = quoted.charAt(at++);
        if (next == '\\' && at < quoted.length()) {
          char escaped = quoted.charAt(at++);
          switch (escaped) {
            case '"', '\'', '\\' -> out.append(escaped);
            case 't' -> out.append('\t');
            case 'r' -> out.append('\r');
            case 'n' -> out.append('\n');
            default -> out.append(next).append(escaped);
          }
        } else {
          out.append(next);
        }
      }
      if (at++ == quoted.length()) {
        throw Rejections.of(
            name + ":" + (offset + start + 1), quote, "another one where the string ends");
      }
    }
    return out.toString();
  }

  private static Field field(String name, HeaderNames headers) {
    return switch (name) {
      case "msec" -> Field.of(name, Role.COMPLETION, Form.EPOCH_TIME, 0);
      case "time_iso8601" -> Field.of(name, Role.COMPLETION, Form.ISO_TIME, 1);
      case "time_local" -> Field.of(name, Role.COMPLETION, Form.CLF_TIME, 2);
      case "request_time" -> Field.of(name, Role.DURATION, Form.SECONDS);
      case "remote_addr" -> Field.of(name, Role.CLIENT, Form.TEXT, 0);
      case "realip_remote_addr" -> Field.of(name, Role.CLIENT, Form.TEXT, 1);
      case "remote_user" -> Field.of(name, Role.USER, Form.TEXT);
      case "request" -> Field.of(name, Role.REQUEST, Form.TEXT);
      case "request_method" -> Field.of(name, Role.METHOD, Form.TEXT);
      case "request_uri" -> Field.of(name, Role.TARGET, Form.TEXT, 0);
      case "uri", "document_uri" -> Field.of(name, Role.TARGET, Form.TEXT, 1);
      case "args", "query_string" -> Field.of(name, Role.QUERY, Form.TEXT);
      case "http_host" -> Field.of(name, Role.HOST, Form.TEXT, 0);
      case "host" -> Field.of(name, Role.HOST, Form.TEXT, 1);
      case "server_name" -> Field.of(name, Role.HOST, Form.TEXT, 2);
      case "status" -> Field.of(name, Role.STATUS, Form.TEXT);
      default -> {
        if (name.startsWith("http_")) {
          String header = name.substring("http_".length()).replace('_', '-');
          yield Field.header(name, header, Form.TEXT, headers);
        }
        boolean upstream = name.startsWith("upstream_");
        yield Field.of(name, Role.NONE, upstream ? Form.LIST : Form.TEXT);
      }
    };
  }
}
