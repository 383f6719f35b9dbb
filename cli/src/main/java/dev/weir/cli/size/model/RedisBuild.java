package dev.weir.cli.size.model;

/**
 * A Redis server as far as its memory depends on how it was built.
 *
 * <p>Redis asks its allocator, jemalloc, for pieces of memory, and gets the next larger size class.
 * Up to eight quanta, classes are multiples of the quantum; beyond that there are four between a
 * power of two and the next. The jemalloc that comes with Redis has a quantum of 8 bytes, that of
 * the system one of 16.
 *
 * @param name the version that was measured, such as {@code 7.0}
 * @param about what else distinguishes it
 * @param quantumBytes the distance of the smallest size classes
 * @param clusterBytes what a key takes more on a node of a cluster
 */
public record RedisBuild(String name, String about, long quantumBytes, long clusterBytes) {
  private static final int LINEAR_CLASSES = 8;
  private static final int CLASSES_PER_DOUBLING = 4;

  /** The bytes that a piece of memory of this size occupies. */
  public long allocated(long bytes) {
    long step = quantumBytes;
    if (bytes > LINEAR_CLASSES * quantumBytes) {
      step = Long.highestOneBit(bytes - 1) / CLASSES_PER_DOUBLING;
    }
    return (bytes + step - 1) / step * step;
  }
}
