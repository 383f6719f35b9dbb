package dev.weir.cli.size.model;

import java.util.List;

/**
 * The memory of all counters in one process that keeps them by itself.
 *
 * @param bytes of the heap
 * @param tablePerKey a key's part of the table
 * @param maxKeys what {@code --max-keys} must be at least
 */
public record HeapSize(double bytes, double tablePerKey, long maxKeys) {

  static HeapSize of(List<LimitSize> limits) {
    long keys = limits.stream().mapToLong(LimitSize::live).sum();
    long cells =
        limits.stream()
            .mapToLong(size -> size.live() * HeapBytes.cells(size.sized().limit()))
            .sum();
    long maxKeys = Math.max(HeapBytes.DEFAULT_MAX_KEYS, cells);
    double table = HeapBytes.table(keys, maxKeys);
    double logs = limits.stream().mapToDouble(size -> (double) size.live() * size.heapLog()).sum();
    return new HeapSize(table + logs, table / Math.max(1, keys), maxKeys);
  }
}
