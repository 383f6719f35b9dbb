package dev.weir.cli.doctor.probe;

/** Sends requests of synthetic callers, one after the other. */
public interface Gateway {
  /**
   * Sends a request, and waits for the head of the response.
   *
   * @throws ProbeFailure if there is none
   * @throws BudgetSpent if no more requests may be sent
   */
  ProbeResponse send(ProbeRequest request) throws ProbeFailure, BudgetSpent, InterruptedException;

  /** How many requests were sent. */
  int sent();

  /** The time since the start, in microseconds. */
  long micros();
}
