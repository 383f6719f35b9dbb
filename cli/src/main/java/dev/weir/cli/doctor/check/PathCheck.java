package dev.weir.cli.doctor.check;

import static dev.weir.cli.doctor.report.Verdict.FAULT;
import static dev.weir.cli.doctor.report.Verdict.OK;

import dev.weir.LimitKey;
import dev.weir.cli.doctor.plan.Expectations;
import dev.weir.cli.doctor.plan.Proof;
import dev.weir.cli.doctor.probe.BudgetSpent;
import dev.weir.cli.doctor.probe.ProbeFailure;
import dev.weir.cli.doctor.probe.ProbeRequest;
import dev.weir.cli.doctor.report.Check;
import dev.weir.cli.doctor.report.Findings;
import dev.weir.rule.book.Explanation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tries other paths, and other spellings of the path, that count in a counter that is used up. */
final class PathCheck {
  private static final int MAX_PATHS = 16;

  private final Proof proof;
  private final Run run;
  private final CallerProbe probe;
  private final Expectations expectations;
  private final Findings findings;

  PathCheck(Proof proof, Run run, CallerProbe probe, Expectations expectations, Findings findings) {
    this.proof = proof;
    this.run = run;
    this.probe = probe;
    this.expectations = expectations;
    this.findings = findings;
  }

  /** Tries paths that may belong to the rule, and spellings of the path that was tried. */
  void check(List<String> paths) throws ProbeFailure, BudgetSpent, InterruptedException {
    attempt(Check.PATH_LIMITED, paths);
    attempt(Check.SPELLINGS, spellings(run.request().target()));
  }

  /** Spellings that many servers take for the same path. */
  private static List<String> spellings(String path) {
    int last = path.length() - 1;
    List<String> all = new ArrayList<>(List.of("/" + path, "/." + path, path + "?weir-doctor=1"));
    if (last > 0) {
      all.add(path + "/");
      all.add(path + ";weir=doctor");
      all.add(path.substring(0, last) + String.format("%%%02X", (int) path.charAt(last)));
      all.add("/weir-doctor/.." + path);
    }
    return all;
  }

  private void attempt(Check check, List<String> paths)
      throws ProbeFailure, BudgetSpent, InterruptedException {
    if (!findings.wants(check)) {
      return;
    }
    Optional<List<LimitKey>> counters = counters(run.request());
    List<String> tried = new ArrayList<>();
    List<String> unlimited = new ArrayList<>();
    for (String path : paths) {
      ProbeRequest other = run.request().withTarget(path);
      if (path.equals(run.request().target())
          || tried.size() == MAX_PATHS
          || !counters(other).equals(counters)) {
        continue;
      }
      tried.add(path);
      if (probe.passes(run, () -> other, true) == CallerProbe.Passing.YES) {
        unlimited.add(path);
      }
    }
    if (!unlimited.isEmpty()) {
      String evidence = "a caller that was denied is served at " + String.join(", ", unlimited);
      findings.add(check, proof.subject(), FAULT, evidence);
    } else if (!tried.isEmpty()) {
      String evidence = "nothing is served at " + String.join(", ", tried);
      findings.add(check, proof.subject(), OK, evidence);
    }
  }

  /** The counters of the rule that a request is charged to; empty if the rule does not apply. */
  private Optional<List<LimitKey>> counters(ProbeRequest request) {
    Explanation explained = expectations.explain(proof.rule(), request);
    List<LimitKey> keys =
        explained.match().charges().stream().map(one -> one.claim().key()).toList();
    return explained.applies() ? Optional.of(keys) : Optional.empty();
  }
}
