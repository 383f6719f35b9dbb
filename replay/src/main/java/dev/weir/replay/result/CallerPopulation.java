package dev.weir.replay.result;

import java.util.List;

/**
 * All callers of a log. A caller is known by the first identity that a request has, among those
 * that the rules count by; else by its address.
 *
 * @param identities how callers are known, in the order in which they are looked for
 * @param count how many callers there were; an estimate if they are sampled
 * @param sampledOneIn 1 if all are distinguished, else which share is
 * @param p50 half of the callers usually make at most so many requests a minute, over the minutes
 *     in which they make any
 * @param p95 the same for 95 %
 * @param p99 the same for 99 %
 * @param max the highest of these rates
 */
public record CallerPopulation(
    List<String> identities,
    long count,
    int sampledOneIn,
    double p50,
    double p95,
    double p99,
    double max) {
  /** Copies the list. */
  public CallerPopulation {
    identities = List.copyOf(identities);
  }
}
