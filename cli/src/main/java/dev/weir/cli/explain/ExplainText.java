package dev.weir.cli.explain;

import dev.weir.cli.command.SyntheticRequest;
import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Terminal;
import dev.weir.cli.terminal.Wording;
import dev.weir.http.HttpMeters.Event;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Explanation;
import dev.weir.rule.book.Twin;
import dev.weir.rule.condition.PathReadings;
import java.util.List;
import java.util.Objects;

/** Prints an explanation as text. */
final class ExplainText {
  private final Terminal out;
  private final PageLayout page;
  private final RequestExplanation explained;
  private final List<RuleExplanation> rules;

  ExplainText(Terminal out, RequestExplanation explained, ValueRedactor redactor) {
    this.out = out;
    this.page = new PageLayout(out);
    this.explained = explained;
    this.rules =
        explained.each().stream()
            .map((Explanation one) -> new RuleExplanation(one, explained.values(), redactor))
            .toList();
  }

  /**
   * Prints the explanation.
   *
   * @param ownSecret whether the keys are derived from a secret that the user gave
   */
  void print(boolean ownSecret) {
    request();
    page.heading("Rules that apply");
    rules.stream().filter(one -> one.explanation().applies()).forEach(this::applying);
    page.heading("Rules that do not");
    rules.stream().filter(one -> !one.explanation().applies()).forEach(this::notApplying);
    claims();
    if (!ownSecret) {
      out.line();
      out.line(
          Style.DIM.of(
              "Keys depend on a secret. These are of a secret of zeros; for those of your"
                  + " servers give --key-secret-file."));
    }
  }

  private void request() {
    SyntheticRequest request = explained.request();
    if (request == null) {
      out.line(Style.BOLD.of("No HTTP request, only entries"));
      return;
    }
    out.line(Style.BOLD.of(value("method") + " " + value("path")));
    PathReadings.split(explained.values().value(PathReadings.NAME))
        .forEach(other -> page.field("or", other));
    page.field("host", value("host"));
    boolean unusable = explained.meters().of(Event.FORWARDED_UNUSABLE) > 0;
    String client = explained.values().value("ip exact");
    String why = RequestNotes.client(explained.rules().http(), request, client, unusable);
    String counted = Objects.equals(client, value("ip")) ? "" : ", counted as " + value("ip");
    page.field("client", value("ip exact") + counted + ": " + why);
    RequestNotes.of(explained.meters()).forEach(note -> page.field("note", note));
  }

  private String value(String name) {
    return Objects.requireNonNullElse(explained.values().value(name), "absent");
  }

  private void applying(RuleExplanation rule) {
    out.line("  ", Style.GREEN.of(rule.rule().name()));
    page.detail("counts", rule.caller());
    Grant grant = rule.grant();
    if (!grant.why().isEmpty()) {
      page.detail(grant.kind(), grant.why());
    }
    List<Counter> counters = rule.counters();
    if (counters.isEmpty()) {
      boolean denied = rule.explanation().match().blockedBy().isPresent();
      String allowed = rule.explanation().allowance().blocked() ? "shadow only" : "not limited";
      boolean forbidden = rule.rule().blockedStatus() == Rule.FORBIDDEN;
      page.detail("result", !denied ? allowed : forbidden ? "denied with 403" : "denied");
      rule.explanation().match().twins().forEach(this::twin);
      return;
    }
    for (Counter counter : counters) {
      boolean partial = rule.rollout() != null && rule.rule().enforced() > 0;
      String suffix = !partial ? "" : counter.enforced() ? " (enforced)" : " (shadow)";
      page.detail("limit", counter.limit() + suffix);
      page.detail("key", counter.key());
      if (counter.note() != null) {
        page.detail("note", counter.note());
      }
    }
    rule.explanation().match().twins().forEach(this::twin);
    page.detail("cost", rule.cost(counters.get(0).claim().cost()));
    String rollout = rule.rollout();
    if (rollout != null) {
      page.detail("rollout", rollout);
    }
    page.detail("mode", Wording.mode(rule.mode(), rule.share()));
    page.detail("store fails", Objects.requireNonNullElse(rule.whenStoreFails(), "not used"));
  }

  private void twin(Twin twin) {
    boolean inForce = !twin.ofCandidate();
    page.detail("candidate", inForce ? "in force for this caller, instead of" : "not in force");
    if (twin.charges().isEmpty()) {
      page.detail("limit", "unlimited");
    }
    for (Counter counter : Counter.of(twin)) {
      page.detail("limit", counter.limit());
      page.detail("key", counter.key());
    }
  }

  private void notApplying(RuleExplanation rule) {
    out.line("  ", Style.YELLOW.of(rule.rule().name()));
    rule.reasons().forEach(reason -> out.line("    ", reason));
  }

  private void claims() {
    explained
        .match()
        .blockedBy()
        .ifPresent(
            rule -> {
              page.heading("Blocked");
              out.line("  ", Style.RED.of(rule.name()), " denies it; the store is not called");
            });
    page.heading("Claims, all or none, in this order");
    list(Counter.enforced(explained.match()));
    List<Counter> shadows = Counter.shadows(explained.match());
    if (!shadows.isEmpty()) {
      page.heading("Shadow claims, each counted separately");
      list(shadows);
    }
  }

  private void list(List<Counter> counters) {
    if (counters.isEmpty()) {
      out.line("  none");
    }
    for (int i = 0; i < counters.size(); i++) {
      Counter counter = counters.get(i);
      String cost = "  cost " + counter.claim().cost() + "  ";
      out.line(
          "  " + (i + 1) + ". ",
          counter.key(),
          cost,
          counter.rule().name() + ": ",
          counter.limit());
    }
  }
}
