package dev.weir.cli.doctor.check;

import static dev.weir.cli.doctor.report.Verdict.FAULT;

import dev.weir.cli.doctor.plan.Proof;
import dev.weir.cli.doctor.probe.ProbeResponse;
import dev.weir.cli.doctor.report.Check;
import dev.weir.cli.doctor.report.Findings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Says why requests were never denied: from the headers of the responses, from what the servers
 * counted meanwhile, and from whether anything else behind this gateway was limited.
 */
final class Diagnosis {
  private static final String GATEWAY = "gateway";

  private record Unlimited(Proof proof, Run run, Optional<Server.Counts> counts) {}

  private final List<Server> servers;
  private final Findings findings;
  private final List<Unlimited> unlimited = new ArrayList<>();
  private boolean limited;

  Diagnosis(List<Server> servers, Findings findings) {
    this.servers = servers;
    this.findings = findings;
  }

  /** Notes a caller whose requests were denied in the end, or stated a limit. */
  void limited() {
    limited = true;
  }

  /**
   * Notes a caller whose requests were never denied.
   *
   * @param counts what the servers counted meanwhile, if they say so
   */
  void unlimited(Proof proof, Run run, Optional<Server.Counts> counts) {
    limited |= run.hasLimitHeaders();
    unlimited.add(new Unlimited(proof, run, counts));
  }

  void conclude(String version) {
    if (!unlimited.isEmpty() && !limited) {
      List<String> troubles = new ArrayList<>();
      for (Server server : servers) {
        server.trouble(version).ifPresent(why -> troubles.add(server.name() + ": " + why));
      }
      boolean asked =
          unlimited.stream().anyMatch(one -> one.counts().filter(c -> c.checks() > 0).isPresent());
      if (!asked) {
        String evidence =
            "no request was denied or stated a limit, and "
                + unlimited.get(0).run().request()
                + " got "
                + unlimited.get(0).run().status()
                + ": the gateway fails open while its limiter does not answer, or asks nobody";
        String also = troubles.isEmpty() ? "" : "; " + String.join("; ", troubles);
        findings.add(Check.LIMITER_ANSWERS, GATEWAY, FAULT, evidence + also);
      }
    }
    unlimited.forEach(this::conclude);
  }

  private void conclude(Unlimited one) {
    String rule = one.proof().rule().name();
    String passed =
        one.run().request()
            + ": "
            + one.run().passed()
            + " passed, the limit admits "
            + one.proof().admitted();
    Optional<String> policies = one.run().lastPassed().flatMap(ProbeResponse::policies);
    Optional<Server.Counts> counts = one.counts();
    Check check;
    String why;
    if (policies.filter(names -> names.contains('"' + rule)).isPresent()) {
      check = Check.DENIES;
      why = "the responses name the rule, so it counts, and does not deny";
    } else if (one.run().hasLimitHeaders()) {
      check = Check.RULE_MATCHES;
      why = "the responses state limits of other rules only: the limiter gets other values";
    } else if (counts.filter(c -> c.decisions() > 0).isPresent()) {
      check = Check.DENIES;
      why = "the servers denied " + counts.get().denied() + " by this rule meanwhile";
    } else if (counts.filter(c -> c.checks() > 0).isPresent()) {
      check = Check.RULE_MATCHES;
      why = "the servers were asked meanwhile, and the rule never applied: they get other values";
    } else if (counts.isPresent() && limited) {
      check = Check.PATH_LIMITED;
      why = "the servers were not asked meanwhile";
    } else if (limited && readsHeaders(one.proof())) {
      check = Check.RULE_MATCHES;
      why =
          "other rules deny: the gateway does not ask about such requests, or does not send "
              + "the headers that this rule reads";
    } else {
      check = limited ? Check.PATH_LIMITED : Check.DENIES;
      why = limited ? "other rules deny: the gateway does not ask about this path" : "none denied";
    }
    findings.add(check, one.proof().subject(), FAULT, passed + "; " + why);
  }

  private static boolean readsHeaders(Proof proof) {
    return proof.rule().match().stream()
        .anyMatch(condition -> condition.name().matches("(header|cookie|jwt|trusted-header) .*"));
  }
}
