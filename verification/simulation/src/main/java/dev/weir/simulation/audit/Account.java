package dev.weir.simulation.audit;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.simulation.exchange.StoreMessage;
import dev.weir.simulation.plan.ClientGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is known from outside about one counter: every grant, charge and return. */
public final class Account {
  final String label;
  final ClientGroup group;
  final Limit limit;
  final Mode mode;
  final List<Entry> history = new ArrayList<>();

  /** Permits that servers may hold in advance, each by the fleet size that it knows. */
  long maxHeld;

  /** The maximum that all serving servers together might have held. */
  long peakHeld;

  /** Leased permits on their way back to the store. */
  long returnsInFlight;

  /** Permits spent by servers for requests without a decision so far. */
  long undecided;

  /** How often the store counted something, for clients or for leases. */
  long chargeCount;

  /** When permits were last returned or refunded to the store. */
  long lastReturnNanos = Long.MIN_VALUE / 2;

  /** Null if requests match another rule as well, or for a concurrency limit. */
  final @Nullable PoliteClientModel politeModel;

  /** Denials of polite clients that the store answered. */
  final List<Denial> politeDenials = new ArrayList<>();

  /**
   * A denial of a polite client.
   *
   * @param requestedMicros when the client sent the request, by the store's clock
   */
  record Denial(long nanos, long requestedMicros, long cost) {}

  /**
   * An event of the counter.
   *
   * @param slack what servers may hold beyond the history, from then on
   * @param counted what was counted; null where the history starts anew, because a clock was set
   *     back
   */
  record Entry(long nanos, long micros, long slack, @Nullable Counted counted) {}

  /**
   * What was counted, or returned.
   *
   * @param checked whether the limit must have had room for the amount
   * @param message the message that the store applied, if it came by one
   */
  record Counted(long amount, long holder, boolean checked, @Nullable StoreMessage message) {
    boolean isLost() {
      return message != null && message.lost;
    }
  }

  Account(
      String label,
      ClientGroup group,
      Claim claim,
      Function<Limit, PoliteClientModel> politeModels) {
    this.label = label;
    this.group = group;
    this.limit = claim.limit();
    this.mode = claim.mode();
    boolean alone = group.rules().size() == 1 && limit.algorithm() != Algorithm.CONCURRENCY;
    this.politeModel = alone ? politeModels.apply(limit) : null;
  }

  /** How often the store has counted something, for clients or for leases. */
  public long chargeCount() {
    return chargeCount;
  }

  /** When permits were last returned or refunded to the store. */
  public long lastReturnNanos() {
    return lastReturnNanos;
  }

  boolean leases() {
    return mode.leases();
  }

  /** Permits that all servers together may lease. */
  long leaseShare() {
    return limit.capacity() * mode.share() / Mode.WHOLE;
  }

  void record(long nanos, long micros, long amount, boolean checked) {
    record(nanos, micros, amount, 0, checked, null);
  }

  void record(
      long nanos,
      long micros,
      long amount,
      long holder,
      boolean checked,
      @Nullable StoreMessage message) {
    history.add(new Entry(nanos, micros, slack(), new Counted(amount, holder, checked, message)));
  }

  /** Starts the history anew: bounds are checked only for windows that start later. */
  void restartHistory(long nanos, long micros) {
    history.add(new Entry(nanos, micros, slack(), null));
  }

  private long slack() {
    return leases() ? maxHeld + returnsInFlight + undecided : 0;
  }

  @Override
  public String toString() {
    return label;
  }
}
