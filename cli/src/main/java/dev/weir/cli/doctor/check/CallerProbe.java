package dev.weir.cli.doctor.check;

import dev.weir.cli.doctor.plan.Proof;
import dev.weir.cli.doctor.probe.BudgetSpent;
import dev.weir.cli.doctor.probe.Gateway;
import dev.weir.cli.doctor.probe.ProbeFailure;
import dev.weir.cli.doctor.probe.ProbeRequest;
import dev.weir.cli.doctor.probe.ProbeResponse;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Uses up the limit of a caller, and then tries whether other requests of it still pass.
 *
 * <p>Limits refill while requests are sent. So a request that passes after a denial proves nothing
 * by itself: only more of them than can have been refilled since the denial do, while the caller's
 * plain request is still denied.
 */
final class CallerProbe {
  /** How often a request is repeated that should be denied and passes. */
  private static final int ATTEMPTS = 6;

  private static final int SPARE = 12;
  private static final int FORBIDDEN = 403;

  private final Gateway gateway;
  private final Proof proof;

  CallerProbe(Gateway gateway, Proof proof) {
    this.gateway = gateway;
    this.proof = proof;
  }

  /** Whether requests pass that should be denied. */
  enum Passing {
    YES,
    NO,
    /** The limit refills too fast to tell. */
    UNSURE
  }

  /** Sends the request until it is denied, or until far more passed than may. */
  Run exhaust(ProbeRequest request) throws ProbeFailure, BudgetSpent, InterruptedException {
    long start = gateway.micros();
    Optional<ProbeResponse> last = Optional.empty();
    long passed = 0;
    long bound = 4 * proof.admitted() + 4 * SPARE;
    while (true) {
      long most = proof.most(gateway.micros() - start) + 1;
      if (passed > 3 * most + SPARE || passed > bound) {
        return new Run(request, passed, most, last, Optional.empty());
      }
      ProbeResponse response = send(request);
      if (isDenied(response, last)) {
        return new Run(request, passed, most, last, Optional.of(response));
      }
      passed++;
      last = Optional.of(response);
    }
  }

  /** A response that is not a failure of the gateway or the application. */
  ProbeResponse send(ProbeRequest request) throws ProbeFailure, BudgetSpent, InterruptedException {
    ProbeResponse response = gateway.send(request);
    if (response.isFailure()) {
      throw new GatewayFailure(request + " got " + response.status());
    }
    return response;
  }

  /** Some gateways deny without any header, by a status that the request did not have before. */
  private boolean isDenied(ProbeResponse response, Optional<ProbeResponse> before) {
    boolean forbidden = response.status() == FORBIDDEN;
    boolean changed = before.filter(one -> one.status() != FORBIDDEN).isPresent();
    return response.isDenied() || (forbidden && (changed || proof.admitted() == 0));
  }

  /**
   * Whether other requests pass although the caller's limit is used up.
   *
   * @param run of the caller
   * @param served whether only a response of success counts as passing
   */
  Passing passes(Run run, Supplier<ProbeRequest> others, boolean served)
      throws ProbeFailure, BudgetSpent, InterruptedException {
    for (int round = 0; round < 2; round++) {
      if (!useUp(run)) {
        return Passing.UNSURE;
      }
      long since = gateway.micros();
      for (int passed = 1; passed <= ATTEMPTS; passed++) {
        ProbeResponse response = gateway.send(others.get());
        if (isDenied(response, run.lastPassed()) || response.isFailure()) {
          return Passing.NO;
        }
        if (served && !response.isServed()) {
          return Passing.NO;
        }
        boolean more = passed > proof.refilled(gateway.micros() - since) + 1;
        if (more && isDenied(send(run.request()), run.lastPassed())) {
          return Passing.YES;
        }
      }
    }
    return Passing.UNSURE;
  }

  /** Sends the plain request until it is denied again; false if it is not. */
  private boolean useUp(Run run) throws ProbeFailure, BudgetSpent, InterruptedException {
    for (int i = 0; i < SPARE; i++) {
      if (isDenied(send(run.request()), run.lastPassed())) {
        return true;
      }
    }
    return false;
  }
}
