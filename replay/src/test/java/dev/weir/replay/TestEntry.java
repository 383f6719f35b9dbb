package dev.weir.replay;

import dev.weir.replay.log.LogEntry;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A request of a log that a test makes up. */
public record TestEntry(
    long arrivalMicros,
    long resolutionMicros,
    OptionalLong durationMicros,
    String method,
    String target,
    @Nullable String peer,
    Map<String, String> fields)
    implements LogEntry {

  /** A request that arrived at a microsecond. */
  public static TestEntry at(long micros, String method, String target, String peer) {
    return new TestEntry(micros, 1, OptionalLong.empty(), method, target, peer, Map.of());
  }

  /** The same request with a header, or the status under {@code :status}. */
  public TestEntry with(String name, String value) {
    Map<String, String> all = new TreeMap<>(fields);
    all.put(name.toLowerCase(Locale.ROOT), value);
    return new TestEntry(
        arrivalMicros, resolutionMicros, durationMicros, method, target, peer, all);
  }

  /** The same request with a duration. */
  public TestEntry lasting(long micros) {
    OptionalLong duration = OptionalLong.of(micros);
    return new TestEntry(arrivalMicros, resolutionMicros, duration, method, target, peer, fields);
  }

  /** The same request in a log that tells the second alone. */
  public TestEntry inSeconds() {
    long second = arrivalMicros / 1_000_000 * 1_000_000;
    return new TestEntry(second, 1_000_000, durationMicros, method, target, peer, fields);
  }

  @Override
  public @Nullable String authority() {
    return fields.get("host");
  }

  @Override
  public List<String> headers(String name) {
    String value = fields.get(name.toLowerCase(Locale.ROOT));
    return value == null ? List.of() : List.of(value);
  }

  @Override
  public int status() {
    return Integer.parseInt(fields.getOrDefault(":status", "200"));
  }

  @Override
  public @Nullable String field(String name) {
    return fields.get(name);
  }

  @Override
  public int file() {
    return 0;
  }

  @Override
  public long line() {
    return Long.parseLong(fields.getOrDefault(":line", "1"));
  }
}
