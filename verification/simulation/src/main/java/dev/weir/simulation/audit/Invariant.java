package dev.weir.simulation.audit;

/** The promises that hold under every fault. */
public enum Invariant {
  STRICT("the store grants no more than the limit's own bound, in any window"),
  LEASED("leases add no more than what the servers may hold together"),
  POLITE("a client within its rate is denied only for what faults took and servers hold"),
  DEADLINE("every decision arrives within its deadline and five milliseconds"),
  BOOKS("after an outage reported and observed counts agree"),
  RETRY("a retry exactly after the stated wait passes, and none passes earlier"),
  ONCE("nothing is charged, leased or returned twice"),
  OUTAGE("without the store, deny admits none, allow admits all, local admits its part");

  private final String promise;

  Invariant(String promise) {
    this.promise = promise;
  }

  /** The promise in words. */
  public String promise() {
    return promise;
  }
}
