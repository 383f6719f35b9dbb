package dev.weir.cli.top;

import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.TextWidth;
import dev.weir.cli.terminal.Wording;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a server says of itself, below the verdict: names and values, packed into lines. */
final class Facts {
  private static final String GAP = "   ";

  private final Instant now;
  private final ZoneId zone;
  private final List<Fact> facts = new ArrayList<>();

  /**
   * A fact.
   *
   * @param alarm what is wrong with it; empty if nothing is
   */
  private record Fact(String name, String value, String alarm) {
    int width() {
      return name.length() + 1 + TextWidth.of(value) + TextWidth.of(alarm);
    }
  }

  private Facts(Instant now, ZoneId zone) {
    this.now = now;
    this.zone = zone;
  }

  static List<List<Object>> lines(
      LiveState state, SidePages.@Nullable Rows actions, ZoneId zone, int columns) {
    Facts facts = new Facts(state.time(), zone);
    facts.read(state.second().at("status"));
    if (actions != null && !actions.rows().isEmpty()) {
      facts.add("actions", actions.rows().size() + " in force", "");
    }
    return facts.packed(columns);
  }

  private void read(Fields status) {
    Fields store = status.at("store");
    boolean embedded = store.text("kind").equals("embedded");
    boolean answers = store.isTrue("answers");
    String where = embedded ? "in this process" : store.text("kind") + " " + store.text("address");
    String lost = since(store.objects("outages").stream().findFirst());
    add("store", where.strip(), answers ? "" : " no answer" + lost);
    if (!embedded) {
      String breaker = store.text("breaker");
      add("breaker", breaker, breaker.equals("closed") ? "" : " requests skip the store");
    }
    add("mode", answers ? "normal" : "", answers ? "" : "degraded");
    if (!embedded) {
      add("servers", Numbers.count(Math.max(1, store.count("servers"))), "");
    }
    add("p99", status.has("p99Micros") ? Numbers.latency(status.count("p99Micros")) : "-", "");
    String rules = status.text("rules");
    String since = rules.isEmpty() ? "" : since(status.text("rulesSince"));
    add("rules", rules + since, rules.isEmpty() ? "none" : "");
    long pending = store.count("pendingKeys");
    if (pending > 0) {
      add("pending charges", "", Wording.count(pending, "key"));
    }
  }

  private String since(Optional<Fields> outage) {
    return outage.map(one -> since(one.text("since"))).orElse("");
  }

  private String since(String instant) {
    try {
      return " since " + Numbers.moment(Instant.parse(instant), now, zone);
    } catch (DateTimeParseException e) {
      return "";
    }
  }

  private void add(String name, String value, String alarm) {
    facts.add(new Fact(name, value, alarm));
  }

  private List<List<Object>> packed(int columns) {
    List<List<Object>> lines = new ArrayList<>();
    List<Object> line = new ArrayList<>(List.of("  "));
    int width = 2;
    for (Fact fact : facts) {
      if (line.size() > 1 && width + GAP.length() + fact.width() > columns) {
        lines.add(line);
        line = new ArrayList<>(List.of("  "));
        width = 2;
      }
      String gap = line.size() > 1 ? GAP : "";
      line.add(Style.DIM.of(gap + fact.name() + " "));
      line.add(fact.value());
      line.add(Style.RED.of(fact.alarm()));
      width += gap.length() + fact.width();
    }
    lines.add(line);
    return lines;
  }
}
