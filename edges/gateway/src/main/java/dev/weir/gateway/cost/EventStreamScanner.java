package dev.weir.gateway.cost;

/**
 * Reads a stream of server-sent events in chunks of any size, and passes the JSON text of each
 * event to a scanner. It keeps a few numbers and no bytes. Not thread-safe.
 */
final class EventStreamScanner {
  private static final byte[] DATA = {'d', 'a', 't', 'a', ':'};
  private static final byte[] END = {'[', 'D', 'O', 'N', 'E', ']'};

  private enum State {
    /** At the name of a line's field. */
    FIELD,
    /** In the data of an event, after a blank that does not count. */
    DATA,
    /** In a line that is not data. */
    OTHER
  }

  private final JsonScanner json;
  private State state = State.FIELD;
  private int column;
  private int endColumn;
  private boolean done;
  private boolean inEvent;
  private long dataBytes;

  EventStreamScanner(JsonScanner json) {
    this.json = json;
  }

  /** Whether the event {@code [DONE]} has arrived, which ends a stream in the style of OpenAI. */
  boolean isDone() {
    return done;
  }

  /** Whether an event has begun and not ended. */
  boolean isInEvent() {
    return inEvent;
  }

  /** The bytes of all data, without comments and the names of fields. */
  long dataBytes() {
    return dataBytes;
  }

  /** Reads the bytes between two offsets. */
  void scan(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to) {
      if (state == State.DATA) {
        int end = endOfLine(bytes, i, to);
        onData(bytes, i, end);
        i = end;
      }
      if (i < to) {
        onByte(bytes[i++]);
      }
    }
  }

  private static int endOfLine(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to && bytes[i] != '\n' && bytes[i] != '\r') {
      i++;
    }
    return i;
  }

  private void onData(byte[] bytes, int from, int to) {
    for (int i = from; i < to && endColumn >= 0; i++) {
      if (endColumn == 0 && bytes[i] == ' ') {
        continue;
      }
      endColumn = endColumn < END.length && bytes[i] == END[endColumn] ? endColumn + 1 : -1;
    }
    dataBytes += to - from;
    json.scan(bytes, from, to);
  }

  private void onByte(byte next) {
    if (next == '\n' || next == '\r') {
      done |= state == State.DATA && endColumn == END.length;
      boolean blank = state == State.FIELD && column == 0;
      if (blank) {
        json.reset();
        inEvent = false;
      }
      state = State.FIELD;
      column = 0;
    } else if (state == State.FIELD) {
      if (next != DATA[column]) {
        state = State.OTHER;
      } else if (++column == DATA.length) {
        beginData();
      }
    }
  }

  private void beginData() {
    state = State.DATA;
    inEvent = true;
    endColumn = 0;
    if (json.isOver()) {
      json.reset(); // several lines of data make one text, unless it was complete before
    }
  }
}
