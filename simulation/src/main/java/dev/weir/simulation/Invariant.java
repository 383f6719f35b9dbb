package dev.weir.simulation;

/** What must hold, whatever happens. */
enum Invariant {
  STRICT("the store grants no more than the limit's own bound, in any window"),
  LEASED("leases add no more than what the servers may hold together"),
  POLITE("who keeps to the rate is denied only for what faults took and servers hold"),
  DEADLINE("every decision is there by its deadline and five milliseconds"),
  BOOKS("after an outage the books balance"),
  RETRY("who comes back exactly when told is let through, and nobody before"),
  ONCE("nothing is charged, leased or given back twice"),
  OUTAGE("without the store: deny admits none, allow all, local its part");

  private final String promise;

  Invariant(String promise) {
    this.promise = promise;
  }

  String promise() {
    return promise;
  }
}
