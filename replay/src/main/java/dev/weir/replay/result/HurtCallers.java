package dev.weir.replay.result;

import java.util.List;

/**
 * The callers who would be hurt: more than a share of their requests would be denied.
 *
 * @param moreThan the share, from 0 to 1
 * @param count how many; an estimate if callers are sampled
 * @param deniedAny how many callers would have any request denied
 * @param worst those with the most denials, 100 at most
 */
public record HurtCallers(double moreThan, long count, long deniedAny, List<HurtCaller> worst) {
  /** Copies the list. */
  public HurtCallers {
    worst = List.copyOf(worst);
  }

  /**
   * A caller who would be hurt.
   *
   * @param identity its kind and its value, as the log has it, such as {@code ip 203.0.113.7}
   * @param requests how many it made
   * @param denied how many of them would have been denied
   * @param usualPerMinute its requests in a minute, over the minutes in which it made any
   * @param percentile the share of all callers that usually make at most as many, from 0 to 100
   * @param peakPerMinute the most that it made in a minute
   */
  public record HurtCaller(
      String identity,
      long requests,
      long denied,
      double usualPerMinute,
      double percentile,
      long peakPerMinute) {
    /** The share of its requests that would have been denied, from 0 to 1. */
    public double deniedShare() {
      return (double) denied / requests;
    }
  }
}
