package dev.weir.cli.doctor.check;

import static dev.weir.cli.doctor.report.Verdict.FAULT;
import static dev.weir.cli.doctor.report.Verdict.OK;
import static dev.weir.cli.doctor.report.Verdict.UNPROVEN;

import dev.weir.cli.doctor.plan.Callers;
import dev.weir.cli.doctor.plan.Proof;
import dev.weir.cli.doctor.probe.BudgetSpent;
import dev.weir.cli.doctor.probe.ProbeFailure;
import dev.weir.cli.doctor.probe.ProbeRequest;
import dev.weir.cli.doctor.report.Check;
import dev.weir.cli.doctor.report.Findings;
import dev.weir.rule.Rule;
import dev.weir.rule.Tiers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Tries whether a caller whose limit is used up gains anything by headers that it forges. */
final class ForgeryCheck {
  private static final String TRUSTED = "trusted-header ";
  private static final int MAX_TIERS = 5;

  private final Proof proof;
  private final Run run;
  private final CallerProbe probe;
  private final Callers callers;
  private final Findings findings;

  ForgeryCheck(Proof proof, Run run, CallerProbe probe, Callers callers, Findings findings) {
    this.proof = proof;
    this.run = run;
    this.probe = probe;
    this.callers = callers;
    this.findings = findings;
  }

  void check() throws ProbeFailure, BudgetSpent, InterruptedException {
    if (proof.trial().isByAddress()) {
      attempt(Check.FORGED_ADDRESS, addresses());
    }
    attempt(Check.FORGED_HEADER, trusted());
    attempt(Check.FORGED_REQUEST, requests());
  }

  private Map<String, UnaryOperator<ProbeRequest>> addresses() {
    Map<String, UnaryOperator<ProbeRequest>> all = new LinkedHashMap<>();
    for (String name : List.of("X-Forwarded-For", "X-Real-IP", "True-Client-IP")) {
      all.put(name, request -> request.with(name, callers.elsewhere()));
    }
    all.put("Forwarded", request -> request.with("Forwarded", "for=" + callers.elsewhere()));
    return all;
  }

  /** Headers that rules trust because only the gateway can have set them. */
  private Map<String, UnaryOperator<ProbeRequest>> trusted() {
    Rule rule = proof.rule();
    Map<String, UnaryOperator<ProbeRequest>> all = new LinkedHashMap<>();
    rule.per().stream()
        .flatMap(one -> one.alternatives().stream().flatMap(List::stream))
        .filter(name -> name.startsWith(TRUSTED))
        .map(name -> name.substring(TRUSTED.length()))
        .forEach(name -> all.put(name, request -> request.with(name, callers.name())));
    rule.tiers()
        .filter(tiers -> tiers.value() != null && tiers.value().startsWith(TRUSTED))
        .ifPresent(tiers -> tiers(tiers, all));
    String cost = rule.cost().value();
    if (cost != null && cost.startsWith(TRUSTED) && proof.cost() > 1) {
      String name = cost.substring(TRUSTED.length());
      all.put(name, request -> request.with(name, "1"));
    }
    return all;
  }

  private static void tiers(Tiers tiers, Map<String, UnaryOperator<ProbeRequest>> all) {
    String name = String.valueOf(tiers.value()).substring(TRUSTED.length());
    new TreeMap<>(tiers.tiers())
        .keySet().stream()
            .filter(tier -> !tier.equals(tiers.fallback()))
            .limit(MAX_TIERS)
            .forEach(tier -> all.put(name + ": " + tier, request -> request.with(name, tier)));
  }

  /** The headers by which gateways describe requests to the limiter. */
  private Map<String, UnaryOperator<ProbeRequest>> requests() {
    Map<String, UnaryOperator<ProbeRequest>> all = new LinkedHashMap<>();
    for (String family : List.of("X-Forwarded-", "X-Original-")) {
      all.put(
          family + "Uri, -Method and -Host",
          request ->
              request
                  .with(family + "Uri", "/" + callers.name())
                  .with(family + "Method", "OPTIONS")
                  .with(family + "Host", callers.name() + ".invalid"));
    }
    return all;
  }

  private void attempt(Check check, Map<String, UnaryOperator<ProbeRequest>> forgeries)
      throws ProbeFailure, BudgetSpent, InterruptedException {
    if (forgeries.isEmpty() || !findings.wants(check)) {
      return;
    }
    List<String> helpful = new ArrayList<>();
    List<String> unsure = new ArrayList<>();
    for (Map.Entry<String, UnaryOperator<ProbeRequest>> forgery : forgeries.entrySet()) {
      switch (probe.passes(run, () -> forgery.getValue().apply(run.request()), false)) {
        case YES -> helpful.add(forgery.getKey());
        case UNSURE -> unsure.add(forgery.getKey());
        case NO -> {}
      }
    }
    if (!helpful.isEmpty()) {
      String by = String.join("; ", helpful);
      findings.add(check, proof.subject(), FAULT, "a caller that was denied passes with " + by);
    } else if (!unsure.isEmpty()) {
      String why = "the limit refills too fast to tell: " + String.join("; ", unsure);
      findings.add(check, proof.subject(), UNPROVEN, why);
    } else {
      String tried = String.join("; ", forgeries.keySet());
      findings.add(check, proof.subject(), OK, "denied all the same with " + tried);
    }
  }
}
