package dev.weir.gateway.cost;

import java.nio.charset.StandardCharsets;

/**
 * Reads one JSON text in chunks of any size, and reports its numbers and texts by their paths.
 *
 * <p><b>Why not a parser.</b> A response may have a text of any length, of which only the length is
 * of interest. A parser that is fed in chunks collects it; this one counts it. So memory is bounded
 * by constants, whatever arrives.
 *
 * <p><b>Paths</b> are the names of members with dots between them; an element of an array adds
 * {@code []}, as in {@code choices[].delta.content}. Names that are long, or have a dot, a bracket
 * or an escape, are {@code ?}. Values that are nested more than {@value #MAX_TRACKED} deep are not
 * reported.
 *
 * <p><b>Errors.</b> It accepts all JSON and some texts that are none; where it cannot go on, it
 * ignores the rest. It throws nothing. Not thread-safe.
 */
final class JsonScanner {
  private static final int MAX_TRACKED = 12;
  private static final int MAX_DEPTH = 1_024;
  private static final int MAX_NAME = 64;
  private static final int HEX_DIGITS = 4;

  /** The bytes of a character that is written as four hexadecimal digits, at most. */
  private static final int MAX_CHAR_BYTES = 3;

  /** Receives the values of a text. */
  interface Listener {
    /** A number that is not negative, rounded up. */
    void onNumber(String path, long value);

    /**
     * A text.
     *
     * @param bytes its length in UTF-8
     * @param start its first bytes, at most {@value #MAX_NAME}
     */
    void onText(String path, long bytes, CharSequence start);
  }

  private enum State {
    VALUE,
    FIRST_ELEMENT,
    NAME,
    FIRST_NAME,
    COLON,
    TEXT,
    ESCAPE,
    HEX,
    NUMBER,
    LITERAL,
    AFTER_VALUE,
    DONE,
    BROKEN
  }

  private final Listener listener;
  private final long[] arrays = new long[MAX_DEPTH / Long.SIZE];
  private final int[] pathEnds = new int[MAX_TRACKED + 1];
  private final StringBuilder path = new StringBuilder();
  private final byte[] start = new byte[MAX_NAME];
  private final ScannedNumber number = new ScannedNumber();
  private State state = State.VALUE;
  private int depth;
  private boolean inName;
  private boolean plainName;
  private long textBytes;
  private int hexDigits;

  JsonScanner(Listener listener) {
    this.listener = listener;
  }

  /** Begins another text. */
  void reset() {
    state = State.VALUE;
    depth = 0;
    path.setLength(0);
  }

  /** Whether the text has ended, or cannot be read further. */
  boolean isOver() {
    return state == State.DONE || state == State.BROKEN;
  }

  /** Reads the bytes between two offsets. */
  void scan(byte[] bytes, int from, int to) {
    for (int i = from; i < to && !isOver(); i++) {
      scan(bytes[i]);
    }
  }

  private void scan(byte next) {
    switch (state) {
      case TEXT -> onTextByte(next);
      case ESCAPE -> onEscape(next);
      case HEX -> state = --hexDigits == 0 ? State.TEXT : State.HEX;
      case NUMBER -> onNumberByte(next);
      case LITERAL -> {
        if (next < 'a' || next > 'z') {
          state = State.AFTER_VALUE;
          scan(next);
        }
      }
      default -> {
        if (next != ' ' && next != '\n' && next != '\r' && next != '\t') {
          onStructure(next);
        }
      }
    }
  }

  private void onStructure(byte next) {
    switch (state) {
      case FIRST_ELEMENT -> {
        if (next == ']') {
          close(true);
        } else {
          onValue(next);
        }
      }
      case VALUE -> onValue(next);
      case FIRST_NAME -> {
        if (next == '}') {
          close(false);
        } else {
          onName(next);
        }
      }
      case NAME -> onName(next);
      case COLON -> state = next == ':' ? State.VALUE : State.BROKEN;
      case AFTER_VALUE -> {
        if (next == ',' && depth > 0) {
          state = isArray() ? State.VALUE : State.NAME;
        } else if (next == ']' || next == '}') {
          close(next == ']');
        } else {
          state = State.BROKEN;
        }
      }
      default -> state = State.BROKEN;
    }
  }

  private void onValue(byte next) {
    if (next == '{' || next == '[') {
      open(next == '[');
    } else if (next == '"') {
      beginText(false);
    } else if (next == '-' || (next >= '0' && next <= '9')) {
      number.begin();
      number.add(next);
      state = State.NUMBER;
    } else {
      state = next >= 'a' && next <= 'z' ? State.LITERAL : State.BROKEN;
    }
  }

  private void onName(byte next) {
    if (next == '"') {
      beginText(true);
    } else {
      state = State.BROKEN;
    }
  }

  private void beginText(boolean name) {
    inName = name;
    plainName = true;
    textBytes = 0;
    state = State.TEXT;
  }

  private void onTextByte(byte next) {
    if (next == '"') {
      endText();
    } else if (next == '\\') {
      plainName = false;
      state = State.ESCAPE;
    } else {
      plainName &= next != '.' && next != '[' && next != ']';
      if (textBytes < MAX_NAME) {
        start[(int) textBytes] = next;
      }
      textBytes++;
    }
  }

  private void onEscape(byte next) {
    boolean hex = next == 'u';
    for (int i = 0; i < (hex ? MAX_CHAR_BYTES : 1); i++) {
      if (textBytes < MAX_NAME) {
        start[(int) textBytes] = '?';
      }
      textBytes++;
    }
    hexDigits = HEX_DIGITS;
    state = hex ? State.HEX : State.TEXT;
  }

  private void endText() {
    if (!inName) {
      if (isTracked()) {
        listener.onText(path.toString(), textBytes, start());
      }
      endValue();
      return;
    }
    if (isTracked()) {
      path.setLength(pathEnds[depth]);
      path.append(path.length() == 0 ? "" : ".");
      path.append(plainName && textBytes <= MAX_NAME ? start() : "?");
    }
    state = State.COLON;
  }

  private String start() {
    return new String(start, 0, (int) Math.min(textBytes, MAX_NAME), StandardCharsets.UTF_8);
  }

  private void onNumberByte(byte next) {
    if (number.add(next)) {
      return;
    }
    endNumber();
    if (!isOver()) {
      scan(next);
    }
  }

  private void endNumber() {
    if (isTracked() && number.isUsable()) {
      listener.onNumber(path.toString(), number.roundedUp());
    }
    endValue();
  }

  private void endValue() {
    state = depth == 0 ? State.DONE : State.AFTER_VALUE;
  }

  private void open(boolean array) {
    depth++;
    if (depth >= MAX_DEPTH) {
      state = State.BROKEN;
      return;
    }
    long bit = 1L << (depth % Long.SIZE);
    int word = depth / Long.SIZE;
    arrays[word] = array ? arrays[word] | bit : arrays[word] & ~bit;
    if (isTracked()) {
      path.append(array ? "[]" : "");
      pathEnds[depth] = path.length();
    }
    state = array ? State.FIRST_ELEMENT : State.FIRST_NAME;
  }

  private void close(boolean array) {
    if (depth == 0 || array != isArray()) {
      state = State.BROKEN;
      return;
    }
    depth--;
    if (isTracked()) {
      path.setLength(depth == 0 ? 0 : pathEnds[depth]);
    }
    endValue();
  }

  private boolean isArray() {
    return (arrays[depth / Long.SIZE] & 1L << (depth % Long.SIZE)) != 0;
  }

  private boolean isTracked() {
    return depth <= MAX_TRACKED;
  }
}
