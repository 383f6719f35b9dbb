package dev.weir.server.callers;

import dev.weir.sketch.FrequencySummary.Entry;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A caller of a rule, and how often it was counted.
 *
 * @param caller the hash of its identity
 * @param count at most so often
 * @param error how much less it may have been
 * @param note null if nothing is remembered of it
 */
public record TopCaller(
    String rule, Kind kind, long caller, long count, long error, @Nullable CallerNote note) {

  static TopCaller of(String rule, Kind kind, Entry entry) {
    CallerNote note = entry.note() instanceof CallerNote known ? known : null;
    return new TopCaller(rule, kind, entry.key(), entry.count(), entry.error(), note);
  }

  /** The name of a limit of a domain: no rule of our own has a slash in its name. */
  static String limit(String domain, String path) {
    return domain + "/" + path;
  }

  /** Whether the hash is that of a caller; of another server's counters of domains nobody knows. */
  private boolean isBlockable() {
    return note == null ? rule.indexOf('/') < 0 : note.blockable();
  }

  private boolean isOfRule() {
    return note != null && note.ofRule();
  }

  /** The hash as operators see it: 16 hexadecimal digits. */
  public static String id(long caller) {
    return String.format("%016x", caller);
  }

  /** The hash that is written like that; empty if it is not one. */
  public static Optional<Long> hash(String id) {
    return id.matches("[0-9a-f]{16}")
        ? Optional.of(Long.parseUnsignedLong(id, 16))
        : Optional.empty();
  }

  /** This caller for a page; without what identifies it. */
  public JsonObject json() {
    boolean isKnown = note != null && !note.identity().isEmpty();
    return new JsonObject()
        .put("rule", rule)
        .put("kind", kind.label())
        .put("caller", id(caller))
        .put("count", count)
        .put("error", error)
        .put("revealable", isKnown)
        .put("resettable", isKnown && isOfRule())
        .put("blockable", isBlockable());
  }
}
