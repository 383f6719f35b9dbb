package dev.weir.replay.log.line;

import dev.weir.replay.log.LogEntry;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A request as a line of a log records it. Immutable, and safe for use by any number of threads.
 */
public final class RecordedRequest implements LogEntry {
  /** What takes memory besides the kept line, estimated. */
  private static final int BASE_BYTES = 256;

  private final Moment moment;
  private final Words words;
  private final int status;
  private final int file;
  private final long line;
  private final byte @Nullable [] kept;
  private final @Nullable FieldLookup lookup;

  /**
   * When it happened.
   *
   * @param arrival the earliest moment, in microseconds since 1970
   * @param resolution how much later it may have been
   * @param duration negative if unknown
   */
  record Moment(long arrival, long resolution, long duration) {}

  /** Who asked for what. The arrays are never changed. */
  static final class Words {
    private final String method;
    private final String target;
    private final @Nullable String authority;
    private final @Nullable String client;
    private final @Nullable String user;
    private final String[] headerNames;
    private final @Nullable String[] headers;

    /**
     * Who asked for what.
     *
     * @param headerNames in lower case
     * @param headers their values, null where absent; shorter if the last ones are
     */
    Words(
        String method,
        String target,
        @Nullable String authority,
        @Nullable String client,
        @Nullable String user,
        String[] headerNames,
        @Nullable String[] headers) {
      this.method = method;
      this.target = target;
      this.authority = authority;
      this.client = client;
      this.user = user;
      this.headerNames = headerNames;
      this.headers = headers;
    }
  }

  RecordedRequest(
      Moment moment,
      Words words,
      int status,
      int file,
      long line,
      byte @Nullable [] kept,
      @Nullable FieldLookup lookup) {
    this.moment = moment;
    this.words = words;
    this.status = status;
    this.file = file;
    this.line = line;
    this.kept = kept;
    this.lookup = lookup;
  }

  /** The same request, which arrived at another moment. */
  public RecordedRequest arrivingAt(long micros) {
    Moment other = new Moment(micros, moment.resolution, moment.duration);
    return new RecordedRequest(other, words, status, file, line, kept, lookup);
  }

  /** How much memory it takes, estimated; texts that it may share with others count as its own. */
  public int bytes() {
    int sum = BASE_BYTES + words.target.length() + (kept == null ? 0 : kept.length);
    for (String value : words.headers) {
      sum += value == null ? 0 : value.length();
    }
    return sum;
  }

  /** When its line was written, as far as the log tells. */
  public long writtenMicros() {
    return moment.arrival + Math.max(0, moment.duration);
  }

  @Override
  public long arrivalMicros() {
    return moment.arrival;
  }

  @Override
  public long resolutionMicros() {
    return moment.resolution;
  }

  @Override
  public OptionalLong durationMicros() {
    return moment.duration < 0 ? OptionalLong.empty() : OptionalLong.of(moment.duration);
  }

  @Override
  public int status() {
    return status;
  }

  @Override
  public @Nullable String field(String name) {
    return kept == null || lookup == null ? null : lookup.find(kept, name);
  }

  @Override
  public int file() {
    return file;
  }

  @Override
  public long line() {
    return line;
  }

  @Override
  public String method() {
    return words.method;
  }

  @Override
  public String target() {
    return words.target;
  }

  @Override
  public @Nullable String authority() {
    return words.authority;
  }

  @Override
  public List<String> headers(String name) {
    for (int i = 0; i < words.headers.length; i++) {
      String value = words.headers[i];
      if (value != null && words.headerNames[i].equalsIgnoreCase(name)) {
        return List.of(value);
      }
    }
    String host = words.authority;
    return host != null && name.toLowerCase(Locale.ROOT).equals("host") ? List.of(host) : List.of();
  }

  @Override
  public @Nullable String peer() {
    return words.client;
  }

  @Override
  public @Nullable String principal() {
    return words.user;
  }

  @Override
  public String toString() {
    return words.method + " " + words.target + " at " + moment.arrival;
  }
}
