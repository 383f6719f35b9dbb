package dev.weir.cli.doctor.check;

import dev.weir.cli.doctor.probe.ProbeRequest;
import dev.weir.cli.doctor.probe.ProbeResponse;
import java.util.Optional;

/**
 * What came of the requests of one fresh caller, up to the first denial.
 *
 * @param passed how many passed before
 * @param most how many might have passed in that time
 * @param lastPassed the response to the last that passed
 * @param denial the response to the first that was denied
 */
record Run(
    ProbeRequest request,
    long passed,
    long most,
    Optional<ProbeResponse> lastPassed,
    Optional<ProbeResponse> denial) {

  /** Whether any response states a limit. */
  boolean hasLimitHeaders() {
    return lastPassed.filter(ProbeResponse::hasLimitHeaders).isPresent()
        || denial.filter(ProbeResponse::hasLimitHeaders).isPresent();
  }

  /** The status of the last response that passed; 0 if none did. */
  int status() {
    return lastPassed.map(ProbeResponse::status).orElse(0);
  }
}
