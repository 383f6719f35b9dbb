package dev.weir.cli.doctor.check;

import static dev.weir.cli.doctor.report.Verdict.FAULT;
import static dev.weir.cli.doctor.report.Verdict.NOT_ENFORCING;
import static dev.weir.cli.doctor.report.Verdict.OK;
import static dev.weir.cli.doctor.report.Verdict.UNPROVEN;

import dev.weir.cli.doctor.plan.Callers;
import dev.weir.cli.doctor.plan.Expectations;
import dev.weir.cli.doctor.plan.PathSample;
import dev.weir.cli.doctor.plan.Plan;
import dev.weir.cli.doctor.plan.Proof;
import dev.weir.cli.doctor.plan.Unsendable;
import dev.weir.cli.doctor.probe.BudgetSpent;
import dev.weir.cli.doctor.probe.Gateway;
import dev.weir.cli.doctor.probe.ProbeFailure;
import dev.weir.cli.doctor.report.Check;
import dev.weir.cli.doctor.report.Findings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Carries out a plan: all checks of all rules, one request after the other. */
public final class Examination {
  private final Gateway gateway;
  private final List<Server> servers;
  private final Expectations expectations;
  private final Callers callers;
  private final Findings findings;
  private final Diagnosis diagnosis;
  private int failed;
  private String failure = "";

  /**
   * An examination of a gateway.
   *
   * @param servers behind the gateway, by their administration ports; may be empty
   */
  public Examination(
      Gateway gateway,
      List<Server> servers,
      Expectations expectations,
      Callers callers,
      Findings findings) {
    this.gateway = gateway;
    this.servers = List.copyOf(servers);
    this.expectations = expectations;
    this.callers = callers;
    this.findings = findings;
    this.diagnosis = new Diagnosis(this.servers, findings);
  }

  /**
   * Carries out a plan.
   *
   * @param paths that the user names, beside those of the rules
   * @param outage how to stop the store, if that is to be tried
   * @param progress gets the name of each proof before it begins
   */
  public void run(Plan plan, List<String> paths, Optional<Outage> outage, Consumer<String> progress)
      throws InterruptedException {
    String version = expectations.rules().version();
    servers.forEach(server -> ready(server, version));
    List<String> all = new ArrayList<>(paths);
    all.addAll(PathSample.all(expectations.rules().book().rules(), callers.name()));
    for (Proof proof : plan.proofs()) {
      progress.accept(proof.subject());
      prove(proof, all);
    }
    for (Plan.Open open : plan.open()) {
      findings.add(
          open.enforced() ? Check.DENIES : Check.RULE_MATCHES,
          open.subject(),
          open.enforced() ? UNPROVEN : NOT_ENFORCING,
          open.why());
    }
    if (failed > 0 && failed == plan.proofs().size()) {
      String evidence = failure + ", and so did every rule's: nothing passes the gateway";
      findings.add(Check.LIMITER_ANSWERS, "gateway", FAULT, evidence);
    }
    diagnosis.conclude(version);
    if (findings.wants(Check.SERVERS_SHARE)) {
      new SharingCheck(servers, expectations, findings).check(plan.proofs());
    }
    if (outage.isPresent()) {
      progress.accept("the store's failure");
      new StoreFailureCheck(gateway, findings).check(plan.proofs(), outage.get());
    }
  }

  private void ready(Server server, String version) {
    Optional<String> trouble = server.trouble(version);
    findings.add(
        Check.LIMITER_ANSWERS,
        server.name(),
        trouble.isPresent() ? FAULT : OK,
        trouble.orElse("ready, with rules " + version));
  }

  private void prove(Proof proof, List<String> paths) throws InterruptedException {
    RuleCheck rule = new RuleCheck(gateway, proof, findings);
    try {
      Optional<Server.Counts> before = Server.counts(servers, proof.rule().name());
      Optional<Run> result = rule.limit();
      if (result.isEmpty()) {
        diagnosis.limited();
        return;
      }
      Run run = result.get();
      if (run.denial().isEmpty()) {
        Optional<Server.Counts> after = Server.counts(servers, proof.rule().name());
        diagnosis.unlimited(proof, run, after.flatMap(now -> before.map(now::minus)));
        return;
      }
      diagnosis.limited();
      rule.headers(run);
      rule.apart(run);
      new ForgeryCheck(proof, run, rule.probe(), callers, findings).check();
      new PathCheck(proof, run, rule.probe(), expectations, findings).check(paths);
    } catch (GatewayFailure | ProbeFailure e) {
      failed++;
      failure = String.valueOf(e.getMessage());
      rule.unproven(Check.DENIES, failure);
    } catch (BudgetSpent | Unsendable e) {
      rule.unproven(Check.DENIES, String.valueOf(e.getMessage()));
    }
  }
}
