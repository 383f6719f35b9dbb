package dev.weir.load.traffic;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Renders a request for a caller. One that is the same for all callers is rendered once. */
final class RequestTemplate {
  private static final String CALLER = "{caller}";

  private final RequestSpec spec;
  private final String head;
  private final boolean isHead;
  private final boolean hasLength;
  private final @Nullable Request constant;

  RequestTemplate(RequestSpec spec, String authority, @Nullable String callerHeader) {
    this.spec = spec;
    this.head = head(spec, authority, callerHeader);
    this.isHead = spec.method().equals("HEAD");
    this.hasLength = !spec.body().isEmpty() || !spec.method().matches("GET|HEAD|DELETE|OPTIONS");
    boolean varies = head.contains(CALLER) || spec.body().contains(CALLER);
    this.constant = varies ? null : render("");
  }

  private static String head(RequestSpec spec, String authority, @Nullable String callerHeader) {
    StringBuilder head = new StringBuilder();
    head.append(spec.method()).append(' ').append(spec.path()).append(" HTTP/1.1\r\n");
    if (spec.headers().keySet().stream().noneMatch("host"::equalsIgnoreCase)) {
      line(head, "Host", authority);
    }
    for (Map.Entry<String, String> header : spec.headers().entrySet()) {
      line(head, header.getKey(), header.getValue());
    }
    if (callerHeader != null) {
      line(head, callerHeader, CALLER);
    }
    return head.toString();
  }

  private static void line(StringBuilder head, String name, String value) {
    head.append(name).append(": ").append(value).append("\r\n");
  }

  Request render(String caller) {
    if (constant != null) {
      return constant;
    }
    byte[] body = spec.body().replace(CALLER, caller).getBytes(StandardCharsets.UTF_8);
    StringBuilder text = new StringBuilder(head.replace(CALLER, caller));
    if (hasLength) {
      line(text, "Content-Length", String.valueOf(body.length));
    }
    byte[] start = text.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
    byte[] bytes = new byte[start.length + body.length];
    System.arraycopy(start, 0, bytes, 0, start.length);
    System.arraycopy(body, 0, bytes, start.length, body.length);
    return new Request(bytes, isHead);
  }
}
