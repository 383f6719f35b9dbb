package dev.weir.replay.log.line;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Makes requests of drafts. For one thread. */
public final class EntryAssembler {
  private static final int MAX_CLIENT = 256;
  private static final int HEADERS = Role.HEADER.slot();
  private static final @Nullable String[] NO_HEADERS = {};

  private final Texts texts = new Texts();
  private final RequestLine request = new RequestLine(texts);
  private final DraftTimes times = new DraftTimes();
  private final HeaderNames headers;
  private final int file;
  private final boolean keepsLines;

  /**
   * For one file.
   *
   * @param keepsLines whether {@link RecordedRequest#field} will be asked
   */
  public EntryAssembler(HeaderNames headers, int file, boolean keepsLines) {
    this.headers = headers;
    this.file = file;
    this.keepsLines = keepsLines;
  }

  /** Whether a draft has a time, even if the rest of it is wrong. */
  public boolean hasTime(Draft draft) {
    return times.read(draft);
  }

  /**
   * The request of a draft that has been parsed; null if there is none, which {@link
   * Draft#isSkipped} or {@link Draft#problem} explains.
   */
  public @Nullable RecordedRequest assemble(Draft draft, long line) {
    if (!times.read(draft)) {
      return null;
    }
    int status = status(draft);
    if (status < 0) {
      return null;
    }
    int from = 0;
    int to = 0;
    Field client = draft.field(Role.CLIENT);
    if (client != null) {
      from = draft.start(client.slot());
      to = addressEnd(draft, client.form(), from, draft.end(client.slot()));
      if (to - from > MAX_CLIENT || Bytes.indexOf(draft.bytes(), from, to, ' ') >= 0) {
        int start = from;
        int end = to;
        draft.fail(from, () -> wrong(draft, client, start, end, "one address"));
        return null;
      }
      from += to < draft.end(client.slot()) && draft.bytes()[from] == '[' ? 1 : 0;
    }
    if (!request.read(draft)) {
      draft.skip();
      return null;
    }
    String peer = client == null ? forwarded(draft) : client(draft, from, to);
    String host = texts.of(draft, Role.HOST);
    RecordedRequest.Words words =
        new RecordedRequest.Words(
            request.method(),
            request.target(),
            host != null ? host : request.host(),
            peer,
            texts.user(draft),
            headers.snapshot(),
            headers(draft));
    byte @Nullable [] kept =
        keepsLines ? Arrays.copyOfRange(draft.bytes(), draft.from(), draft.to()) : null;
    return new RecordedRequest(times.moment(), words, status, file, line, kept, draft.lookup());
  }

  private @Nullable String client(Draft draft, int from, int to) {
    byte[] bytes = draft.bytes();
    boolean socket = to - from >= 5 && bytes[from] == 'u' && bytes[from + 4] == ':';
    return socket || from >= to ? null : texts.client(draft, from, to);
  }

  /** Where the address ends, before its port. */
  private static int addressEnd(Draft draft, Form form, int from, int to) {
    if (form != Form.ADDRESS && form != Form.ADDRESS_PORT) {
      return to;
    }
    byte[] bytes = draft.bytes();
    if (bytes[from] == '[') {
      int bracket = Bytes.indexOf(bytes, from, to, ']');
      return bracket < 0 ? to : bracket;
    }
    int colon = Bytes.lastIndexOf(bytes, from, to, ':');
    boolean port = form == Form.ADDRESS_PORT || Bytes.indexOf(bytes, from, to, ':') == colon;
    return colon > from && port ? colon : to;
  }

  /** The last address in {@code X-Forwarded-For}, which the proxy itself has seen. */
  private @Nullable String forwarded(Draft draft) {
    String[] names = headers.snapshot();
    for (int i = 0; i < names.length; i++) {
      if (draft.has(HEADERS + i) && names[i].equals("x-forwarded-for")) {
        int to = draft.end(HEADERS + i);
        int from = Bytes.lastIndexOf(draft.bytes(), draft.start(HEADERS + i), to, ',') + 1;
        from = Math.max(from, draft.start(HEADERS + i));
        while (from < to && draft.bytes()[from] == ' ') {
          from++;
        }
        return from < to ? texts.client(draft, from, to) : null;
      }
    }
    return null;
  }

  private @Nullable String[] headers(Draft draft) {
    int count = draft.used() - HEADERS;
    if (count <= 0) {
      return NO_HEADERS;
    }
    @Nullable String[] values = new String[count];
    for (int i = 0; i < count; i++) {
      Field field = draft.field(HEADERS + i);
      values[i] = field == null ? null : texts.of(draft, field);
    }
    return values;
  }

  private static int status(Draft draft) {
    Field field = draft.field(Role.STATUS);
    if (field == null) {
      return 0;
    }
    int from = draft.start(field.slot());
    int to = draft.end(field.slot());
    boolean none = to - from == 1 && draft.bytes()[from] == '0';
    int status = none ? 0 : to - from == 3 ? Bytes.number(draft.bytes(), from, to, 3) : -1;
    if (status < 0) {
      draft.fail(from, () -> wrong(draft, field, from, to, "three digits"));
    }
    return status;
  }

  static String wrong(Draft draft, Field field, int from, int to, String expected) {
    return field.name() + ": " + draft.excerpt(from, to) + " (expected: " + expected + ")";
  }
}
