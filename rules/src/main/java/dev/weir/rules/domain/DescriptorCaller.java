package dev.weir.rules.domain;

import dev.weir.key.KeySpace;
import java.util.List;

/**
 * The owner of a descriptor's counters: the domain with the first entry, so that the counters of
 * one request are mostly on one shard. Thread-safe.
 */
public final class DescriptorCaller {
  private DescriptorCaller() {}

  /** The owner of the counters of a descriptor with these entries, as they are counted. */
  public static KeySpace.Owner of(KeySpace keys, String domain, List<Entry> counted) {
    if (counted.isEmpty()) {
      return keys.owner(domain);
    }
    Entry first = counted.get(0);
    return keys.owner(domain, first.key(), first.value());
  }
}
