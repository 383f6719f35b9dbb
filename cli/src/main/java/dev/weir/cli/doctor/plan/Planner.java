package dev.weir.cli.doctor.plan;

import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.cli.doctor.plan.Plan.Open;
import dev.weir.cli.doctor.probe.ProbeRequest;
import dev.weir.rule.Percent;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Explanation;
import dev.weir.rule.book.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Plans a proof of each rule within a number of requests. */
public final class Planner {
  /** Above that, a limit refills about as fast as requests are sent. */
  private static final long MAX_PER_SECOND = 50;

  /**
   * What the user permits.
   *
   * @param only the rules to try; empty for all
   * @param requests the maximum number of requests
   * @param shared whether to use up counters that other callers share
   */
  public record Permitted(Set<String> only, long requests, boolean shared) {
    /** Copies the names. */
    public Permitted {
      only = Set.copyOf(only);
    }
  }

  private final Expectations expectations;
  private final RequestTemplate template;
  private final Callers callers;
  private final Permitted permitted;
  private final List<Proof> proofs = new ArrayList<>();
  private final List<Open> open = new ArrayList<>();
  private long requests;

  /** A planner for the rules of the expectations. */
  public Planner(
      Expectations expectations, RequestTemplate template, Callers callers, Permitted permitted) {
    this.expectations = expectations;
    this.template = template;
    this.callers = callers;
    this.permitted = permitted;
  }

  /** The plan; call it once. */
  public Plan plan() {
    for (Rule rule : expectations.rules().book().rules()) {
      if (!permitted.only().isEmpty() && !permitted.only().contains(rule.name())) {
        continue;
      }
      if (rule.enforced() == 0) {
        open.add(new Open(rule, rule.name(), false, "shadow: it counts, and denies nobody"));
      } else if (rule.enforced() < Rule.WHOLE) {
        String share = Percent.of(rule.enforced());
        open.add(
            new Open(rule, rule.name(), false, "rollout: enforced for " + share + " of callers"));
      } else {
        Trial.of(rule, template, callers).forEach(this::plan);
      }
    }
    return new Plan(proofs, open);
  }

  private void plan(Trial trial) {
    Rule rule = trial.rule();
    String subject = rule.name() + " (" + trial + ")";
    try {
      Proof proof = proof(trial);
      if (requests + proof.requests() > permitted.requests()) {
        throw new Unsendable("it needs " + proof.requests() + " requests (--max-requests)");
      }
      requests += proof.requests();
      proofs.add(proof);
    } catch (NotEnforcing e) {
      open.add(new Open(rule, subject, false, String.valueOf(e.getMessage())));
    } catch (Unsendable e) {
      open.add(new Open(rule, subject, true, String.valueOf(e.getMessage())));
    }
  }

  private static final class NotEnforcing extends Exception {
    private static final long serialVersionUID = 1;

    NotEnforcing(String why) {
      super(why);
    }
  }

  private Proof proof(Trial trial) throws Unsendable, NotEnforcing {
    Rule rule = trial.rule();
    ProbeRequest request = trial.fresh();
    Explanation explained = expectations.explain(rule, request);
    if (!explained.applies()) {
      throw new Unsendable(whyNot(explained));
    }
    Match all = expectations.match(request);
    String blocking = all.blockedBy().map(Rule::name).orElse("");
    if (blocking.equals(rule.name())) {
      return new Proof(trial, List.of(), 1, 0, true);
    }
    if (!blocking.isEmpty()) {
      throw new Unsendable("rule " + blocking + " blocks such requests");
    }
    List<Charge> charges = explained.match().charges();
    if (charges.isEmpty()) {
      throw new NotEnforcing(
          explained.allowance().limits().isEmpty()
              ? "such callers are not limited"
              : "gateways do not report the end of requests, so limits on concurrency have no"
                  + " effect");
    }
    long admitted = charges.stream().mapToLong(Planner::admitted).min().orElseThrow();
    rejectEarlierDenial(rule, admitted, all);
    rejectFastRefill(charges, admitted);
    boolean shared = keys(charges).equals(keys(rule, trial.fresh()));
    if (shared && !permitted.shared()) {
      throw new Unsendable(
          "others use the same counter, and would be denied while it is used up (--shared)");
    }
    List<Limit> limits = charges.stream().map(one -> rule.perServer(one.claim().limit())).toList();
    return new Proof(trial, limits, charges.get(0).claim().cost(), admitted, shared);
  }

  private static String whyNot(Explanation explained) {
    if (explained.failed().isEmpty()) {
      return "it skips callers without " + explained.rule().per().get(0).name();
    }
    Explanation.Failed failed = explained.failed().get(0);
    String expected = failed.condition().expected();
    return "it applies only where " + failed.condition().name() + " is " + expected;
  }

  private static long admitted(Charge charge) {
    Limit limit = charge.rule().perServer(charge.claim().limit());
    return limit.capacity() / Math.max(1, charge.claim().cost());
  }

  private static void rejectEarlierDenial(Rule rule, long admitted, Match all) throws Unsendable {
    for (Charge other : all.charges()) {
      if (!other.rule().name().equals(rule.name()) && admitted(other) <= admitted) {
        throw new Unsendable(
            "rule "
                + other.rule().name()
                + " admits "
                + admitted(other)
                + " such requests, and this one "
                + admitted);
      }
    }
  }

  private static void rejectFastRefill(List<Charge> charges, long admitted) throws Unsendable {
    for (Charge charge : charges) {
      Limit limit = charge.claim().limit();
      double perSecond = limit.permits() * 1e6 / limit.windowMicros() / charge.claim().cost();
      if (admitted(charge) == admitted && perSecond > MAX_PER_SECOND) {
        throw new Unsendable("it refills faster than synthetic callers can use it up");
      }
    }
  }

  private List<LimitKey> keys(Rule rule, ProbeRequest request) {
    return keys(expectations.explain(rule, request).match().charges());
  }

  private static List<LimitKey> keys(List<Charge> charges) {
    return charges.stream().map(one -> one.claim().key()).toList();
  }
}
