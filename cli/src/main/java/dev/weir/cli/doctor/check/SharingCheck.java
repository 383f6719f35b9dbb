package dev.weir.cli.doctor.check;

import static dev.weir.cli.doctor.report.Verdict.FAULT;
import static dev.weir.cli.doctor.report.Verdict.OK;
import static dev.weir.cli.doctor.report.Verdict.UNPROVEN;

import dev.weir.Mode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.doctor.plan.Expectations;
import dev.weir.cli.doctor.plan.Proof;
import dev.weir.cli.doctor.plan.Unsendable;
import dev.weir.cli.doctor.report.Check;
import dev.weir.cli.doctor.report.Findings;
import dev.weir.cli.doctor.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Spends half of a new caller's limit on one server, and looks at the others what is left. */
final class SharingCheck {
  private static final String SUBJECT = "servers";
  private static final int MIN_ADMITTED = 2;

  private final List<Server> servers;
  private final Expectations expectations;
  private final Findings findings;

  SharingCheck(List<Server> servers, Expectations expectations, Findings findings) {
    this.servers = servers;
    this.expectations = expectations;
    this.findings = findings;
  }

  void check(List<Proof> proofs) {
    if (servers.size() < 2) {
      add(UNPROVEN, "it takes the administration addresses of two servers (--server, twice)");
      return;
    }
    Optional<Proof> strict =
        proofs.stream()
            .filter(one -> one.rule().mode().kind() == Mode.Kind.STRICT)
            .filter(one -> one.admitted() >= MIN_ADMITTED && !one.shared())
            .findFirst();
    if (strict.isEmpty()) {
      add(UNPROVEN, "it takes a rule in mode strict that counts each caller, 2 requests at least");
      return;
    }
    try {
      compare(strict.get());
    } catch (Failure | Unsendable e) {
      add(UNPROVEN, String.valueOf(e.getMessage()));
    }
  }

  private void compare(Proof proof) throws Failure, Unsendable {
    Map<String, String> caller = expectations.values(proof.trial().fresh());
    caller.remove("ip exact");
    long capacity = proof.admitted() * proof.cost();
    long half = capacity - capacity / 2;
    String rule = proof.rule().name();
    Server first = servers.get(0);
    if (first.remaining("take", caller, half, rule).isEmpty()) {
      add(UNPROVEN, first.name() + " has no rule " + rule + " that applies to such requests");
      return;
    }
    List<String> apart = new ArrayList<>();
    String evidence = "after " + half + " permits of " + rule + " were taken at " + first.name();
    for (Server other : servers.subList(1, servers.size())) {
      long left = other.remaining("peek", caller, 1, rule).orElse(capacity);
      if (left == capacity) {
        apart.add(other.name() + " has all " + capacity);
      } else {
        evidence += ", " + other.name() + " has " + left;
      }
    }
    add(
        apart.isEmpty() ? OK : FAULT,
        apart.isEmpty() ? evidence : evidence + ", " + String.join(", ", apart));
  }

  private void add(Verdict verdict, String evidence) {
    findings.add(Check.SERVERS_SHARE, SUBJECT, verdict, evidence);
  }
}
