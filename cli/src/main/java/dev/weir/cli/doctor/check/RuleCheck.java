package dev.weir.cli.doctor.check;

import static dev.weir.cli.doctor.report.Verdict.FAULT;
import static dev.weir.cli.doctor.report.Verdict.OK;
import static dev.weir.cli.doctor.report.Verdict.UNPROVEN;

import dev.weir.cli.doctor.plan.Proof;
import dev.weir.cli.doctor.plan.Unsendable;
import dev.weir.cli.doctor.probe.BudgetSpent;
import dev.weir.cli.doctor.probe.Gateway;
import dev.weir.cli.doctor.probe.ProbeFailure;
import dev.weir.cli.doctor.probe.ProbeRequest;
import dev.weir.cli.doctor.probe.ProbeResponse;
import dev.weir.cli.doctor.report.Check;
import dev.weir.cli.doctor.report.Findings;
import dev.weir.cli.doctor.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Proves that a rule admits its limit and denies the next, for one kind of callers. */
final class RuleCheck {
  private final Proof proof;
  private final CallerProbe probe;
  private final Findings findings;

  RuleCheck(Gateway gateway, Proof proof, Findings findings) {
    this.proof = proof;
    this.probe = new CallerProbe(gateway, proof);
    this.findings = findings;
  }

  /** The caller probe, for more checks on the same caller. */
  CallerProbe probe() {
    return probe;
  }

  /**
   * Checks the limit.
   *
   * @return a caller whose limit is used up; one without a denial if nothing is limited; empty if
   *     more checks make no sense
   */
  Optional<Run> limit() throws ProbeFailure, BudgetSpent, InterruptedException, Unsendable {
    Run first = probe.exhaust(proof.trial().fresh());
    Run run = first;
    if (isOff(first)) {
      // Others may have used the counter, and a window may have ended meanwhile.
      run = probe.exhaust(proof.trial().fresh());
      if (run.denial().isPresent() && run.passed() == 0 && proof.admitted() > 0) {
        return notApart(run);
      }
    }
    if (run.denial().isEmpty()) {
      return Optional.of(run);
    }
    String of = run.request() + ": " + run.passed() + " passed, " + admits();
    if (run.passed() < proof.admitted() && !proof.shared()) {
      findings.add(Check.ADMITS, proof.subject(), FAULT, of);
      return Optional.empty();
    }
    if (run.passed() > run.most()) {
      add(Check.DENIES, FAULT, of + "; then " + status(run) + servers());
      findings.add(Check.SERVERS_SHARE, proof.subject(), FAULT, of + "; then " + status(run));
      return Optional.empty();
    }
    add(Check.RULE_MATCHES, OK, "applies to " + run.request());
    if (proof.admitted() > 0 && !proof.shared()) {
      add(Check.ADMITS, OK, run.passed() + " of " + run.request() + " passed, " + admits());
    }
    return staysDenied(run) ? Optional.of(run) : Optional.empty();
  }

  private String admits() {
    return "the limit admits " + proof.admitted();
  }

  private static String servers() {
    return "; servers behind the gateway may count each for itself";
  }

  private static String status(Run run) {
    return run.denial().map(ProbeResponse::status).orElse(0).toString();
  }

  private boolean isOff(Run run) {
    boolean few = run.passed() < proof.admitted() && !proof.shared();
    return run.denial().isPresent() && (few || run.passed() > run.most());
  }

  private Optional<Run> notApart(Run run) {
    Check check = proof.trial().isByAddress() ? Check.FORWARDED_ADDRESS : Check.CALLERS_APART;
    String from = run.request().source().map(one -> " from " + one).orElse("");
    String evidence =
        "the first " + run.request() + " of a new caller" + from + " got " + status(run);
    add(check, FAULT, evidence + ", because of the requests of other callers");
    return Optional.empty();
  }

  /** Whether the requests after the denial are denied too, by whichever server counts them. */
  private boolean staysDenied(Run run) throws ProbeFailure, BudgetSpent, InterruptedException {
    CallerProbe.Passing passing = probe.passes(run, run::request, false);
    // A plain request that passes more often than the limit refills, and is denied in between.
    if (passing == CallerProbe.Passing.YES) {
      add(
          Check.SERVERS_SHARE,
          FAULT,
          run.request() + " passes now and then after it was denied" + servers());
      return false;
    }
    String number = proof.admitted() == 0 ? "the first" : "number " + (run.passed() + 1);
    add(Check.DENIES, OK, number + " got " + status(run));
    return true;
  }

  /** Checks that a client sees its limit, and when to retry. */
  void headers(Run run) {
    if (proof.admitted() == 0) {
      return;
    }
    boolean retry =
        run.denial().filter(one -> one.headers().containsKey("retry-after")).isPresent();
    List<String> missing = new ArrayList<>();
    if (!retry) {
      missing.add("Retry-After on the denial");
    }
    if (run.denial().filter(ProbeResponse::hasLimitHeaders).isEmpty()) {
      missing.add("RateLimit or X-RateLimit-Limit on the denial");
    }
    if (run.lastPassed().isPresent()
        && run.lastPassed().filter(ProbeResponse::hasLimitHeaders).isEmpty()) {
      missing.add("RateLimit or X-RateLimit-Limit on what passed");
    }
    add(
        Check.HEADERS,
        missing.isEmpty() ? OK : FAULT,
        missing.isEmpty()
            ? "limits on all responses, Retry-After on the denial"
            : "missing: " + String.join("; ", missing));
  }

  /** Checks that a new caller is not denied because of one whose limit is used up. */
  void apart(Run run) throws ProbeFailure, BudgetSpent, InterruptedException, Unsendable {
    if (proof.shared() || proof.admitted() == 0) {
      return;
    }
    Check check = proof.trial().isByAddress() ? Check.FORWARDED_ADDRESS : Check.CALLERS_APART;
    for (int i = 0; i < 2; i++) {
      ProbeRequest fresh = proof.trial().fresh();
      if (!probe.send(fresh).isDenied()) {
        add(check, OK, "a new caller passes");
        return;
      }
      if (i == 1) {
        notApart(new Run(fresh, 0, 0, Optional.empty(), run.denial()));
      }
    }
  }

  void unproven(Check check, String why) {
    add(check, UNPROVEN, why);
  }

  private void add(Check check, Verdict verdict, String evidence) {
    findings.add(check, proof.subject(), verdict, evidence);
  }
}
