package dev.weir.cli.doctor.report;

import dev.weir.cli.doctor.plan.Plan;
import dev.weir.cli.doctor.plan.Proof;
import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Terminal;
import dev.weir.cli.terminal.Wording;
import java.util.List;

/** Prints plans and findings as text. */
public final class DoctorText {
  private static final int CHECK_WIDTH = 24;
  private static final int VERDICT_WIDTH = 15;

  private final Terminal out;

  /** Prints to a terminal. */
  public DoctorText(Terminal out) {
    this.out = out;
  }

  /** Prints what will be sent, and what will not be tried. */
  public void plan(Plan plan, String url, long maxRequests, long seed) {
    out.line(
        Style.BOLD.of("Plan: " + Wording.count(plan.proofs().size(), "proof")),
        ", about " + Wording.count(plan.requests(), "request") + " to " + url,
        ", " + maxRequests + " at most; seed " + seed);
    for (Proof proof : plan.proofs()) {
      String passing = Wording.count(proof.admitted(), "request") + " of a new caller pass";
      out.line("  ", Style.GREEN.of(proof.subject()), ": ", passing, ", the next does not");
    }
    for (Plan.Open open : plan.open()) {
      String verdict = open.enforced() ? "not tried, " : "not enforcing, ";
      out.line("  ", Style.YELLOW.of(open.subject()), ": ", verdict, open.why());
    }
  }

  /** Prints all findings, faults with what to do about them. */
  public void findings(Findings findings, int sent) {
    findings
        .bySubject()
        .forEach(
            (subject, all) -> {
              out.line();
              out.line(Style.BOLD.of(subject));
              all.forEach(this::finding);
            });
    out.line();
    out.line(summary(findings), sent > 0 ? "; " + Wording.count(sent, "request") + " sent" : "");
  }

  private void finding(Finding one) {
    String verdict = padded(one.verdict().toString(), VERDICT_WIDTH);
    out.line(
        "  ",
        style(one.verdict()).of(verdict),
        padded(one.check().id(), CHECK_WIDTH),
        one.evidence());
    if (one.verdict() == Verdict.FAULT) {
      String margin = " ".repeat(2 + VERDICT_WIDTH);
      out.line(margin, Style.DIM.of(one.check().remedy() + "; see " + one.check().page()));
    }
  }

  private static Style style(Verdict verdict) {
    return switch (verdict) {
      case OK -> Style.GREEN;
      case FAULT -> Style.RED;
      case UNPROVEN, NOT_ENFORCING -> Style.YELLOW;
    };
  }

  private static String summary(Findings findings) {
    List<String> parts =
        List.of(
            Wording.count(findings.count(Verdict.FAULT), "fault"),
            findings.count(Verdict.OK) + " ok",
            findings.count(Verdict.UNPROVEN) + " not proven",
            findings.count(Verdict.NOT_ENFORCING) + " not enforcing");
    return String.join(", ", parts);
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }
}
