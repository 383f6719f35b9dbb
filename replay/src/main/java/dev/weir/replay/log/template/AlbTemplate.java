package dev.weir.replay.log.template;

import dev.weir.replay.log.line.Field;
import dev.weir.replay.log.line.Form;
import dev.weir.replay.log.line.HeaderNames;
import dev.weir.replay.log.line.LogFormat;
import dev.weir.replay.log.line.Role;

/**
 * The access log of AWS Application Load Balancers. Its {@code time} is when the response began to
 * go out; newer logs also have when the request came. AWS adds fields at the end from time to time.
 */
public final class AlbTemplate {
  private static final String FIELDS =
      "type time elb client:port target:port request_processing_time target_processing_time"
          + " response_processing_time elb_status_code target_status_code received_bytes sent_bytes"
          + " \"request\" \"user_agent\" ssl_cipher ssl_protocol target_group_arn \"trace_id\""
          + " \"domain_name\" \"chosen_cert_arn\" matched_rule_priority request_creation_time"
          + " \"actions_executed\" \"redirect_url\" \"error_reason\" \"target:port_list\""
          + " \"target_status_code_list\" \"classification\" \"classification_reason\"";

  private AlbTemplate() {}

  /** The format. */
  public static LogFormat format(String name) {
    TemplateBuilder template = new TemplateBuilder(name, true);
    String between = "";
    for (String word : FIELDS.split(" ", -1)) {
      boolean quoted = word.startsWith("\"");
      String field = word.replace("\"", "");
      template.literal(between).literal(quoted ? "\"" : "");
      template.field(field(field, template.headers()), 1);
      if (field.equals("request")) {
        template.optional();
      }
      template.literal(quoted ? "\"" : "");
      between = " ";
    }
    return template.build();
  }

  private static Field field(String name, HeaderNames headers) {
    return switch (name) {
      case "time" -> Field.of(name, Role.COMPLETION, Form.ISO_TIME);
      case "request_creation_time" -> Field.of(name, Role.ARRIVAL, Form.ISO_TIME);
      case "client:port" -> Field.of(name, Role.CLIENT, Form.ADDRESS_PORT);
      case "request_processing_time" -> Field.of(name, Role.DURATION, Form.SECONDS);
      case "target_processing_time" -> Field.of(name, Role.DURATION_2, Form.SECONDS);
      case "response_processing_time" -> Field.of(name, Role.DURATION_3, Form.SECONDS);
      case "elb_status_code" -> Field.of(name, Role.STATUS, Form.TEXT);
      case "request" -> Field.of(name, Role.REQUEST, Form.WHOLE_URL);
      case "user_agent" -> Field.header(name, "user-agent", Form.TEXT, headers);
      default -> Field.named(name);
    };
  }
}
