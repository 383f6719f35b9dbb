package dev.weir.server.callers;

import dev.weir.sketch.FrequencySummary;
import dev.weir.sketch.FrequencySummary.Entry;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a server tells the others of its heaviest callers: for each rule, kind and window the first
 * few of them, as JSON of a bounded size. Immutable.
 *
 * <p>Callers are hashes, as they are in the keys of counters; what identifies them stays at the
 * server that saw them.
 */
final class CallerRecord {
  private static final int MAX_ENTRIES = 20;

  private static final String BEGIN = "{\"callers\":[";
  private static final String END = "]}";

  private final Map<Section, FrequencySummary> summaries;

  private record Section(String rule, Kind kind, Window window) {}

  private CallerRecord(Map<Section, FrequencySummary> summaries) {
    this.summaries = Map.copyOf(summaries);
  }

  /** The rules that it has callers of. */
  Set<String> rules() {
    Set<String> rules = new TreeSet<>();
    summaries.keySet().forEach(section -> rules.add(section.rule));
    return rules;
  }

  FrequencySummary callers(String rule, Kind kind, Window window) {
    return summaries.getOrDefault(new Section(rule, kind, window), FrequencySummary.EMPTY);
  }

  /**
   * Encodes the heaviest callers of a server; the kinds that matter most come first.
   *
   * @param maxBytes the size above which the rest is left out
   */
  static byte[] encode(CallerSource source, int maxBytes) {
    StringBuilder sections = new StringBuilder(BEGIN);
    int bytes = BEGIN.length() + END.length();
    for (Kind kind : Kind.values()) {
      for (Window window : Window.values()) {
        for (String rule : source.rules()) {
          FrequencySummary all = source.callers(rule, kind, window);
          if (all.total() > 0) {
            String section = section(rule, kind, window, all).encode();
            int size = section.getBytes(StandardCharsets.UTF_8).length + 1;
            if (bytes + size <= maxBytes) {
              bytes += size;
              sections.append(sections.length() == BEGIN.length() ? "" : ",").append(section);
            }
          }
        }
      }
    }
    return sections.append(END).toString().getBytes(StandardCharsets.UTF_8);
  }

  private static JsonArray section(String rule, Kind kind, Window window, FrequencySummary all) {
    FrequencySummary summary = FrequencySummary.merge(List.of(all), MAX_ENTRIES);
    JsonArray entries = new JsonArray();
    for (Entry entry : summary.top(MAX_ENTRIES)) {
      entries.add(TopCaller.id(entry.key())).add(entry.count()).add(entry.error());
    }
    return new JsonArray()
        .add(rule)
        .add(kind.label())
        .add(window.label())
        .add(summary.floor())
        .add(summary.total())
        .add(entries);
  }

  /**
   * Decodes what another server has encoded.
   *
   * @throws RuntimeException if it is nothing that a server encodes
   */
  static CallerRecord decode(byte[] bytes) {
    JsonObject json = new JsonObject(new String(bytes, StandardCharsets.UTF_8));
    Map<Section, FrequencySummary> summaries = new HashMap<>();
    for (Object one : json.getJsonArray("callers")) {
      JsonArray section = (JsonArray) one;
      summaries.put(
          new Section(
              section.getString(0),
              Kind.of(section.getString(1)).orElseThrow(),
              Window.of(section.getString(2)).orElseThrow()),
          new FrequencySummary(
              entries(section.getJsonArray(5)), section.getLong(3), section.getLong(4)));
    }
    return new CallerRecord(summaries);
  }

  private static List<Entry> entries(JsonArray flat) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i + 2 < flat.size() && entries.size() < MAX_ENTRIES; i += 3) {
      long caller = TopCaller.hash(flat.getString(i)).orElseThrow();
      entries.add(new Entry(caller, flat.getLong(i + 1), flat.getLong(i + 2), null));
    }
    return entries;
  }
}
