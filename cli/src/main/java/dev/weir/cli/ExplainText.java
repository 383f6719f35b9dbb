package dev.weir.cli;

import dev.weir.http.HttpMeters.Event;
import dev.weir.rule.Explanation;
import java.util.List;
import java.util.Objects;

/** Tells people what the rules make of a request. */
final class ExplainText {
  private final Terminal out;
  private final Explained explained;
  private final List<RuleStory> stories;

  ExplainText(Terminal out, Explained explained, Values values) {
    this.out = out;
    this.explained = explained;
    this.stories =
        explained.each().stream()
            .map((Explanation one) -> new RuleStory(one, explained.values(), values))
            .toList();
  }

  /**
   * @param ownSecret whether the keys are those of a secret the user gave
   */
  void print(boolean ownSecret) {
    request();
    heading("Rules that apply");
    stories.stream().filter(one -> one.explanation().applies()).forEach(this::applying);
    heading("Rules that do not");
    stories.stream().filter(one -> !one.explanation().applies()).forEach(this::notApplying);
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
    AskedRequest request = explained.request();
    if (request == null) {
      out.line(Style.BOLD.of("No HTTP request, only entries"));
      return;
    }
    out.line(Style.BOLD.of(value("method") + " " + value("path")));
    String other = explained.values().value("path other-reading");
    if (other != null) {
      field("or", other);
    }
    field("host", value("host"));
    boolean unusable = explained.meters().of(Event.FORWARDED_UNUSABLE) > 0;
    String client = explained.values().value("ip exact");
    String why = Notes.client(explained.rules().http(), request, client, unusable);
    String counted = Objects.equals(client, value("ip")) ? "" : ", counted as " + value("ip");
    field("client", value("ip exact") + counted + ": " + why);
    Notes.of(explained.meters()).forEach(note -> field("note", note));
  }

  private String value(String name) {
    return Objects.requireNonNullElse(explained.values().value(name), "absent");
  }

  private void applying(RuleStory story) {
    out.line("  ", Style.GREEN.of(story.rule().name()));
    detail("counts", story.caller());
    Grant grant = story.grant();
    if (!grant.why().isEmpty()) {
      detail(grant.kind(), grant.why());
    }
    List<Counter> counters = story.counters();
    if (counters.isEmpty()) {
      boolean denied = story.explanation().match().blockedBy().isPresent();
      String spared = story.explanation().allowance().blocked() ? "only watched" : "not limited";
      detail("result", denied ? "denied" : spared);
      return;
    }
    for (Counter counter : counters) {
      boolean partly = story.rollout() != null && story.rule().enforced() > 0;
      String side = !partly ? "" : counter.enforced() ? " (enforced)" : " (only watched)";
      detail("limit", counter.limit() + side);
      detail("key", counter.key());
      if (counter.note() != null) {
        detail("note", counter.note());
      }
    }
    detail("cost", story.cost(counters.get(0).claim().cost()));
    String rollout = story.rollout();
    if (rollout != null) {
      detail("rollout", rollout);
    }
    detail("store fails", Words.lower(story.rule().whenStoreFails()));
  }

  private void notApplying(RuleStory story) {
    out.line("  ", Style.YELLOW.of(story.rule().name()));
    story.reasons().forEach(reason -> out.line("    ", reason));
  }

  private void claims() {
    explained
        .match()
        .blockedBy()
        .ifPresent(
            rule -> {
              heading("Blocked");
              out.line("  ", Style.RED.of(rule.name()), " denies it; the store is not asked");
            });
    heading("Claims, all or none, in this order");
    list(Counter.enforced(explained.match()));
    List<Counter> watching = Counter.watching(explained.match());
    if (!watching.isEmpty()) {
      heading("Counted only, each by itself");
      list(watching);
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

  private void heading(String text) {
    out.line();
    out.line(Style.BOLD.of(text));
  }

  private void field(String name, String value) {
    out.line("  ", Style.DIM.of(padded(name, 8)), value);
  }

  private void detail(String name, String value) {
    out.line("    ", Style.DIM.of(padded(name, 13)), value);
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }
}
