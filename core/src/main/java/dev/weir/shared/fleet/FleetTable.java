package dev.weir.shared.fleet;

import dev.weir.internal.Rejections;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A small table of named entries that expire, which all servers of a fleet share.
 *
 * <p>It lives in the store and may be lost with it, as a whole or in part: whoever needs an entry
 * keeps a copy, and puts it back if a page lacks it. Time is the store's own.
 *
 * <p>An implementation is safe for use by any number of threads, and no method blocks. A stage that
 * the store does not answer fails with a {@link dev.weir.StoreFailure}.
 */
public interface FleetTable {
  /** The maximum number of entries. */
  int MAX_ENTRIES = 1_000;

  /** The maximum length of a name. */
  int MAX_NAME_LENGTH = 100;

  /** The maximum size of a value. */
  int MAX_VALUE_BYTES = 64 << 10;

  /** The maximum size of all values together. */
  int MAX_TABLE_BYTES = 8 << 20;

  /** The longest lifetime of an entry. */
  Duration MAX_LASTING = Duration.ofDays(7);

  /** The version of a table that was never written, or that the store has lost. */
  String NO_VERSION = "";

  /**
   * Adds entries, or replaces those of the same names; all of them or none.
   *
   * @return the table with the entries in it; the stage fails with {@link FleetTableFull} if there
   *     is no room
   */
  CompletionStage<Page> put(List<Entry> entries);

  /**
   * Adds an entry, or replaces that of the same name.
   *
   * @return as for {@link #put(List)}
   * @throws IllegalArgumentException as for {@link Entry}
   */
  default CompletionStage<Page> put(String name, byte[] value, Duration lasting) {
    return put(List.of(new Entry(name, value, lasting)));
  }

  /**
   * Removes entries; names of none are ignored.
   *
   * @return the table without them
   */
  CompletionStage<Page> remove(List<String> names);

  /**
   * Reads the table.
   *
   * @param knownVersion the version that the caller has read before; {@link #NO_VERSION} if none
   */
  CompletionStage<Page> read(String knownVersion);

  /**
   * The table at one moment.
   *
   * @param version changes with every {@code put} and {@code remove}, and when the store loses its
   *     data; not when an entry expires
   * @param entries all entries that have not expired, by name; empty if the caller knows the
   *     version
   */
  record Page(String version, Optional<List<Entry>> entries) {
    /** Copies the list. */
    public Page {
      entries = entries.map(List::copyOf);
    }
  }

  /**
   * A named value.
   *
   * @param name printable ASCII
   * @param value which nobody changes
   * @param lasting how long it is valid from now on; when it was read, the rest of that time
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entry(String name, byte[] value, Duration lasting) {
    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if the name is not 1 to {@link #MAX_NAME_LENGTH} printable
     *     ASCII characters, the value larger than {@link #MAX_VALUE_BYTES}, or the lifetime not
     *     between a millisecond and {@link #MAX_LASTING}
     */
    public Entry {
      checkName(name);
      if (value.length > MAX_VALUE_BYTES) {
        throw Rejections.of(
            "value", value.length + " bytes", "at most " + MAX_VALUE_BYTES + " bytes");
      }
      if (lasting.compareTo(Duration.ofMillis(1)) < 0 || lasting.compareTo(MAX_LASTING) > 0) {
        throw Rejections.of("lasting", lasting, "1 ms to " + MAX_LASTING.toDays() + " days");
      }
    }

    private static void checkName(String name) {
      String expected = "1 to " + MAX_NAME_LENGTH + " printable ASCII characters";
      if (name.length() > MAX_NAME_LENGTH) {
        throw Rejections.of("name", name.length() + " characters", expected);
      }
      if (name.isEmpty() || !name.chars().allMatch(c -> c >= ' ' && c <= '~')) {
        throw Rejections.of("name", '"' + name.replaceAll("[^ -~]", "?") + '"', expected);
      }
    }
  }
}
