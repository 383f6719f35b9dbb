package dev.weir.replay.log.line;

import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The line that is being read, and the ranges of its fields. Parsers fill it, without making any
 * object; what is not needed of a line is never decoded. For one thread.
 */
public final class Draft {
  private static final int SLOTS = Role.HEADER.slot() + HeaderNames.MAX;

  private final @Nullable Field[] fields = new Field[SLOTS];
  private final int[] starts = new int[SLOTS];
  private final int[] ends = new int[SLOTS];
  private byte[] bytes = {};
  private int from;
  private int to;
  private int used = SLOTS;
  private int progress;
  private boolean escaped;
  private boolean skipped;
  private @Nullable FieldLookup lookup;
  private Supplier<String> problem = Draft::noProblem;

  private static String noProblem() {
    return "unknown (expected: a request)";
  }

  /** Begins a line. */
  public void begin(byte[] buffer, int start, int end) {
    Arrays.fill(fields, 0, used, null);
    used = 0;
    bytes = buffer;
    from = start;
    to = end;
    progress = start;
    escaped = false;
    skipped = false;
    lookup = null;
    problem = Draft::noProblem;
  }

  /** Notes the value of a field, unless it is empty or a hyphen, or a better one is known. */
  public void put(Field field, int start, int end) {
    int slot = field.slot();
    if (slot < 0 || Bytes.isAbsent(bytes, start, end)) {
      return;
    }
    Field known = fields[slot];
    if (known == null || field.rank() < known.rank()) {
      fields[slot] = field;
      starts[slot] = start;
      ends[slot] = end;
      used = Math.max(used, slot + 1);
    }
  }

  /** Says that values have backslashes which escape something. */
  public void escaped() {
    escaped = true;
  }

  /** Says that the line records no request, like a directive. */
  public boolean skip() {
    skipped = true;
    return true;
  }

  /** Says how fields of this line are found later. */
  public void lookup(FieldLookup finder) {
    lookup = finder;
  }

  /** Says that the line is not what was expected, and where it stopped to be; returns false. */
  public boolean fail(int at, Supplier<String> why) {
    progress = at;
    problem = why;
    return false;
  }

  /** Why the line is no request. */
  public String problem() {
    return problem.get();
  }

  /** How many bytes of the line fit the format until one did not. */
  public int progress() {
    return progress - from;
  }

  /** Whether the line records no request. */
  public boolean isSkipped() {
    return skipped;
  }

  /** The buffer that has the line. */
  public byte[] bytes() {
    return bytes;
  }

  /** Where the line starts. */
  public int from() {
    return from;
  }

  /** Where the line ends, without its end mark. */
  public int to() {
    return to;
  }

  boolean isEscaped() {
    return escaped;
  }

  @Nullable FieldLookup lookup() {
    return lookup;
  }

  @Nullable Field field(Role role) {
    return fields[role.slot()];
  }

  boolean has(int slot) {
    return fields[slot] != null;
  }

  @Nullable Field field(int slot) {
    return fields[slot];
  }

  int start(int slot) {
    return starts[slot];
  }

  int end(int slot) {
    return ends[slot];
  }

  int used() {
    return used;
  }

  /** The beginning of a range, for errors: visible characters only. */
  public String excerpt(int start, int end) {
    StringBuilder out = new StringBuilder();
    for (int i = start; i < Math.min(end, start + 40); i++) {
      char c = (char) (bytes[i] & 0xFF);
      out.append(c < ' ' || c > '~' ? "\\x" + String.format("%02X", (int) c) : String.valueOf(c));
    }
    return end - start > 40 ? out + "…" : out.toString();
  }
}
