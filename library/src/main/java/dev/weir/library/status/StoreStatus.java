package dev.weir.library.status;

/**
 * The store that a {@link dev.weir.library.Weir} counts in, and whether it answers.
 *
 * @param address where it is, without credentials; {@code embedded} if it is in this process
 * @param shared whether other processes count in it too
 * @param answering whether it answers now; if not, the failure mode of each limit decides
 */
public record StoreStatus(String address, boolean shared, boolean answering) {
  /** The store in this process. */
  public static final StoreStatus EMBEDDED = new StoreStatus("embedded", false, true);

  /** As in {@code embedded} or {@code Redis 10.0.0.1:6379 (not answering)}. */
  @Override
  public String toString() {
    return answering ? address : address + " (not answering)";
  }
}
