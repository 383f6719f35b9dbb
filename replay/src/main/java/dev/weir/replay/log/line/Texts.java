package dev.weir.replay.log.line;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Makes texts of the ranges of a draft, with their escapes undone. For one thread. */
final class Texts {
  private final Interner methods = new Interner(1 << 6);
  private final Interner targets = new Interner(1 << 14);
  private final Interner clients = new Interner(1 << 14);
  private final Interner others = new Interner(1 << 13);
  private byte[] scratch = new byte[1024];

  String method(Draft draft, int from, int to) {
    return make(methods, draft, Form.TEXT, from, to);
  }

  String target(Draft draft, int from, int to) {
    return make(targets, draft, Form.TEXT, from, to);
  }

  String client(Draft draft, int from, int to) {
    return make(clients, draft, Form.TEXT, from, to);
  }

  @Nullable String of(Draft draft, Role role) {
    Field field = draft.field(role);
    return field == null ? null : of(draft, field);
  }

  String of(Draft draft, Field field) {
    int slot = field.slot();
    return make(others, draft, field.form(), draft.start(slot), draft.end(slot));
  }

  /** The user of a log is text for people; the rest is bytes of a request. */
  @Nullable String user(Draft draft) {
    Field field = draft.field(Role.USER);
    if (field == null) {
      return null;
    }
    return utf8(
        draft.bytes(), draft.start(field.slot()), draft.end(field.slot()), draft.isEscaped());
  }

  static String utf8(byte[] bytes, int from, int to, boolean escaped) {
    if (escaped && Bytes.indexOf(bytes, from, to, '\\') >= 0) {
      byte[] plain = new byte[to - from];
      int length = Escapes.undoBackslashes(bytes, from, to, plain, true);
      return new String(plain, 0, length, StandardCharsets.UTF_8);
    }
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  private String make(Interner interner, Draft draft, Form form, int from, int to) {
    byte[] bytes = draft.bytes();
    boolean percent = form == Form.PERCENT || form == Form.PLUS;
    if (!percent && !draft.isEscaped()) {
      return interner.intern(bytes, from, to);
    }
    if (scratch.length < to - from) {
      scratch = new byte[to - from];
    }
    int length =
        percent
            ? Escapes.undoPercents(bytes, from, to, scratch, form == Form.PLUS)
            : Escapes.undoBackslashes(bytes, from, to, scratch, false);
    return interner.intern(scratch, 0, length);
  }
}
