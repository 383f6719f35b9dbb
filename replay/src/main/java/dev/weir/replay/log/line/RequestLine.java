package dev.weir.replay.log.line;

import dev.weir.Descriptor;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Finds method, target and host of a draft. What no server would have taken for a request, such as
 * the greeting of TLS, is {@link Descriptor#UNUSABLE}. For one thread.
 */
final class RequestLine {
  private static final byte[] PROTOCOL = " HTTP/".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SCHEME_END = "://".getBytes(StandardCharsets.US_ASCII);
  private static final int MAX_METHOD = 32;

  private final Texts texts;
  private String method = "";
  private String target = "";
  private @Nullable String host;
  private String joinedPath = "";
  private String joinedQuery = "";
  private String joined = "";

  RequestLine(Texts texts) {
    this.texts = texts;
  }

  String method() {
    return method;
  }

  String target() {
    return target;
  }

  /** The host in the target, if the log always writes it there. */
  @Nullable String host() {
    return host;
  }

  /** Reads a draft; false if it has nothing about a request. */
  boolean read(Draft draft) {
    host = null;
    Field request = draft.field(Role.REQUEST);
    Field path = draft.field(Role.TARGET);
    if (request != null && (path == null || path.rank() > 0 || draft.field(Role.METHOD) == null)) {
      int slot = request.slot();
      return split(draft, draft.start(slot), draft.end(slot), request.form());
    }
    if (path == null) {
      return false;
    }
    Field verb = draft.field(Role.METHOD);
    method = verb == null ? "GET" : method(draft, draft.start(verb.slot()), draft.end(verb.slot()));
    target(draft, draft.start(path.slot()), draft.end(path.slot()), path.form());
    Field query = draft.field(Role.QUERY);
    if (query != null && target.indexOf('?') < 0) {
      join(texts.of(draft, query));
    }
    return true;
  }

  /** Queries repeat as targets do. */
  @SuppressWarnings("ReferenceEquality") // of the same texts there is one object, mostly
  private void join(String query) {
    if (joinedPath != target || joinedQuery != query) {
      joinedPath = target;
      joinedQuery = query;
      joined = query.startsWith("?") ? target + query : target + "?" + query;
    }
    target = joined;
  }

  private boolean split(Draft draft, int from, int to, Form form) {
    byte[] bytes = draft.bytes();
    int space = Bytes.indexOf(bytes, from, to, ' ');
    method = space < 0 ? Descriptor.UNUSABLE : method(draft, from, space);
    if (Descriptor.isUnusable(method)) {
      target = Descriptor.UNUSABLE;
      // Balancers write hyphens for what they could not read.
      return form != Form.WHOLE_URL || space != from + 1 || bytes[from] != '-';
    }
    int last = Bytes.lastIndexOf(bytes, space + 1, to, ' ');
    boolean protocol = last >= 0 && Bytes.isAt(bytes, last, to, PROTOCOL);
    int end = protocol ? last : to;
    if (end <= space + 1) {
      target = Descriptor.UNUSABLE;
    } else {
      target(draft, space + 1, end, form);
    }
    return true;
  }

  private String method(Draft draft, int from, int to) {
    byte[] bytes = draft.bytes();
    boolean valid = to > from && to - from <= MAX_METHOD;
    for (int at = from; valid && at < to; at++) {
      valid = Character.isLetter(bytes[at]) || "!#$%&'*+-.^_`|~0123456789".indexOf(bytes[at]) >= 0;
    }
    boolean dash = to - from == 1 && bytes[from] == '-';
    return valid && !dash ? texts.method(draft, from, to) : Descriptor.UNUSABLE;
  }

  private void target(Draft draft, int from, int to, Form form) {
    byte[] bytes = draft.bytes();
    int start = from;
    if (form == Form.WHOLE_URL && bytes[from] != '/') {
      int scheme = Bytes.indexOf(bytes, from, to, SCHEME_END);
      if (scheme >= 0) {
        int authority = scheme + SCHEME_END.length;
        int path = Bytes.indexOf(bytes, authority, to, '/');
        start = path < 0 ? to : path;
        int port = Bytes.lastIndexOf(bytes, authority, start, ':');
        boolean usual =
            port >= 0
                && (Bytes.equal(bytes, port, start, USUAL_HTTPS)
                    || Bytes.equal(bytes, port, start, USUAL_HTTP));
        host = texts.client(draft, authority, usual ? port : start);
      }
    }
    target = start == to ? "/" : texts.target(draft, start, to);
  }

  private static final byte[] USUAL_HTTPS = ":443".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] USUAL_HTTP = ":80".getBytes(StandardCharsets.US_ASCII);
}
