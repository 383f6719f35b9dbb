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
import dev.weir.rule.FailureMode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Stops the store, and sees whether each rule does what its {@code when-store-fails} says. */
final class StoreFailureCheck {
  private static final String STORE = "store";

  private final Gateway gateway;
  private final Findings findings;

  StoreFailureCheck(Gateway gateway, Findings findings) {
    this.gateway = gateway;
    this.findings = findings;
  }

  void check(List<Proof> proofs, Outage outage) throws InterruptedException {
    try {
      Optional<String> trouble = outage.begin();
      if (trouble.isPresent()) {
        findings.add(Check.STORE_FAILURE, STORE, UNPROVEN, trouble.get());
        return;
      }
      for (Proof proof : proofs) {
        if (!proof.rule().mode().isLocal() && proof.admitted() > 0) {
          attempt(proof);
        }
      }
    } finally {
      Optional<String> trouble = outage.end();
      trouble.ifPresent(why -> findings.add(Check.STORE_FAILURE, STORE, FAULT, why));
    }
  }

  private void attempt(Proof proof) throws InterruptedException {
    FailureMode mode = proof.rule().failureMode();
    String says = "when-store-fails is " + mode.name().toLowerCase(Locale.ROOT) + ": ";
    try {
      ProbeRequest caller = proof.trial().fresh();
      // One more than may pass, so that a rule that counts locally denies.
      long requests = proof.admitted() + proof.refilled(1_000_000) + 2;
      long passed = 0;
      int status = 0;
      while (passed < requests && status == 0) {
        ProbeResponse response = gateway.send(caller);
        boolean denied = response.isDenied() || response.isFailure() || response.status() == 403;
        status = denied ? response.status() : 0;
        passed += denied ? 0 : 1;
      }
      boolean holds =
          switch (mode) {
            case DENY -> passed == 0;
            case ALLOW -> status == 0;
            case LOCAL -> passed > 0 && status != 0;
          };
      String then = status == 0 ? "none was denied" : "then " + status;
      add(proof, holds ? OK : FAULT, says + passed + " of " + caller + " passed, " + then);
    } catch (ProbeFailure | BudgetSpent | Unsendable e) {
      add(proof, UNPROVEN, says + e.getMessage());
    }
  }

  private void add(Proof proof, Verdict verdict, String evidence) {
    findings.add(Check.STORE_FAILURE, proof.subject(), verdict, evidence);
  }
}
