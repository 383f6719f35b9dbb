package dev.weir.cli;

import dev.weir.http.HttpMeters.Event;
import dev.weir.rule.Explanation;
import dev.weir.rule.PathReadings;
import dev.weir.rule.Rule;
import java.util.List;
import java.util.Objects;

/** Tells people what the rules make of a request. */
final class ExplainText {
  private final Terminal out;
  private final Page page;
  private final Explained explained;
  private final List<RuleStory> stories;

  ExplainText(Terminal out, Explained explained, Values values) {
    this.out = out;
    this.page = new Page(out);
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
    page.heading("Rules that apply");
    stories.stream().filter(one -> one.explanation().applies()).forEach(this::applying);
    page.heading("Rules that do not");
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
    PathReadings.split(explained.values().value(PathReadings.NAME))
        .forEach(other -> page.field("or", other));
    page.field("host", value("host"));
    boolean unusable = explained.meters().of(Event.FORWARDED_UNUSABLE) > 0;
    String client = explained.values().value("ip exact");
    String why = Notes.client(explained.rules().http(), request, client, unusable);
    String counted = Objects.equals(client, value("ip")) ? "" : ", counted as " + value("ip");
    page.field("client", value("ip exact") + counted + ": " + why);
    Notes.of(explained.meters()).forEach(note -> page.field("note", note));
  }

  private String value(String name) {
    return Objects.requireNonNullElse(explained.values().value(name), "absent");
  }

  private void applying(RuleStory story) {
    out.line("  ", Style.GREEN.of(story.rule().name()));
    page.detail("counts", story.caller());
    Grant grant = story.grant();
    if (!grant.why().isEmpty()) {
      page.detail(grant.kind(), grant.why());
    }
    List<Counter> counters = story.counters();
    if (counters.isEmpty()) {
      boolean denied = story.explanation().match().blockedBy().isPresent();
      String spared = story.explanation().allowance().blocked() ? "only watched" : "not limited";
      boolean forbidden = story.rule().blockedStatus() == Rule.FORBIDDEN;
      page.detail("result", !denied ? spared : forbidden ? "denied with 403" : "denied");
      return;
    }
    for (Counter counter : counters) {
      boolean partly = story.rollout() != null && story.rule().enforced() > 0;
      String side = !partly ? "" : counter.enforced() ? " (enforced)" : " (only watched)";
      page.detail("limit", counter.limit() + side);
      page.detail("key", counter.key());
      if (counter.note() != null) {
        page.detail("note", counter.note());
      }
    }
    page.detail("cost", story.cost(counters.get(0).claim().cost()));
    String rollout = story.rollout();
    if (rollout != null) {
      page.detail("rollout", rollout);
    }
    page.detail("mode", Words.mode(story.mode(), story.share()));
    page.detail("store fails", Objects.requireNonNullElse(story.whenStoreFails(), "not asked"));
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
              page.heading("Blocked");
              out.line("  ", Style.RED.of(rule.name()), " denies it; the store is not asked");
            });
    page.heading("Claims, all or none, in this order");
    list(Counter.enforced(explained.match()));
    List<Counter> watching = Counter.watching(explained.match());
    if (!watching.isEmpty()) {
      page.heading("Counted only, each by itself");
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
}
