package dev.weir.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.weir.cli.terminal.Screen;
import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.TextWidth;
import dev.weir.testkit.Repository;
import java.nio.file.Files;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the page shows for what a server sent. */
class PageTest {
  private static final Instant NOW = Instant.parse("2026-11-16T09:30:00Z");
  private static final Page PAGE = new Page("127.0.0.1:6070", ZoneOffset.UTC);
  private static final Pattern SAMPLE = Pattern.compile("(?s)```\n(weir top  .*?)```");

  private static final String STATUS =
      """
      'status': {'ready': true, 'rules': 'eb5bfe9401a5', 'rulesSince': '2026-11-16T09:24:31Z',
        'problems': [], 'p99Micros': 1240, 'store': {'kind': 'redis', 'address': '10.0.0.7:6379',
        'answers': true, 'breaker': 'closed', 'servers': 3, 'pendingKeys': 0}}
      """;

  private static final String OUTAGE =
      """
      'status': {'ready': true, 'rules': 'eb5bfe9401a5', 'rulesSince': '2026-11-16T09:24:31Z',
        'problems': ['10.0.0.7:6379 does not answer since 09:29:12'],
        'store': {'kind': 'redis', 'address': '10.0.0.7:6379', 'answers': false, 'breaker': 'open',
        'servers': 3, 'pendingKeys': 812, 'whenStoreFails': {'allow': 2, 'deny': 0, 'local': 5}}}
      """;

  private static final String LISTS =
      """
      'denials': [
        {'rule': 'login', 'perSecond': 31.2, 'hourAgo': 0.4, 'seconds': [%s]},
        {'rule': 'search', 'perSecond': 0.2, 'hourAgo': 0.2, 'seconds': [0, 0, 6, 0, 0, 6]}],
      'callers': [
        {'rule': 'login', 'caller': 'be08a458cc4421cd', 'count': 1512, 'error': 3},
        {'rule': 'login', 'caller': '1f0e2d3c4b5a6978', 'count': 240, 'error': 3},
        {'rule': 'search', 'caller': '93d1c07a55e2b604', 'count': 12, 'error': 0}],
      'utilisation': [{'rule': 'login', 'percent': 100}, {'rule': 'plan', 'percent': 84},
        {'rule': 'whole-site', 'percent': 7}],
      'events': [
        {'time': 1794820000000, 'kind': 'server', 'level': 'info', 'text': 'Started with rules 9'},
        {'time': 1794821071000, 'kind': 'rules', 'level': 'info',
         'text': 'Rules eb5bfe9401a5 are active, 0c1d2e3f4a5b before'},
        {'time': 1794821152000, 'kind': 'store', 'level': 'error', 'text': 'Redis does not answer'},
        {'time': 1794821160000, 'kind': 'store', 'level': 'info', 'text': 'The store answers again'}]
      """;

  private static String numbers(int count, IntUnaryOperator value) {
    return IntStream.range(0, count)
        .mapToObj(i -> Integer.toString(value.applyAsInt(i)))
        .collect(Collectors.joining(", "));
  }

  private static LiveState state(String status) throws Exception {
    String seconds =
        "'history': {'seconds': {'allowed': ["
            + numbers(900, i -> 180 + i % 300 / 4)
            + "], 'denied': ["
            + numbers(900, i -> i < 720 ? 1 : (i - 720) / 6)
            + "], 'shadow-denied': ["
            + numbers(900, i -> i % 450 == 7 ? 9 : 0)
            + "]}}";
    String lists = LISTS.formatted(numbers(60, i -> i / 2));
    String parts = String.join(", ", status, lists, seconds);
    String json = "{'time': 1794821400000, 'second': 90000, " + parts + "}";
    Fields data = Fields.of(JSONObjectUtils.parse(json.replace('\'', '"')));
    return LiveState.after(null, new EventReader.Event("snapshot", data), NOW);
  }

  private static SidePages.Content side() throws Exception {
    String action =
        "{'action': 'multiply', 'rule': 'search', 'factor': '2', 'remainingMillis': 754000,"
            + " 'why': 'marketing campaign', 'taken': {'by': 'Ann'}}";
    Fields fields = Fields.of(JSONObjectUtils.parse(action.replace('\'', '"')));
    return new SidePages.Content(
        CallerQuery.DEFAULT, null, new SidePages.Rows(List.of(fields), ""));
  }

  private static List<List<Object>> lines(LiveState state, Instant now, int lines, int columns)
      throws Exception {
    return PAGE.lines(state, side(), now, "no route", new Screen.Size(lines, columns));
  }

  private static String text(List<List<Object>> lines) {
    StringBuilder text = new StringBuilder();
    for (List<Object> line : lines) {
      StringBuilder one = new StringBuilder();
      line.forEach(one::append);
      text.append(one.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  @Test
  void docsShowWhatIsPrinted() throws Exception {
    String docs = Files.readString(Repository.path("docs/cli.md"));
    Matcher sample = SAMPLE.matcher(docs);
    assertThat(sample.find()).isTrue();
    assertThat(text(lines(state(STATUS), NOW, 34, 80))).isEqualTo(sample.group(1));
  }

  @Test
  void outageIsSaidInWordsFirst() throws Exception {
    String page = text(lines(state(OUTAGE), NOW, 40, 100));
    assertThat(page.lines().skip(1).limit(5))
        .containsExactly(
            "✗ The store does not answer, and requests pass uncounted. By failure mode: 2 rules let everything",
            "pass, 5 rules count on each server alone.",
            "  - 10.0.0.7:6379 does not answer since 09:29:12",
            "  store redis 10.0.0.7:6379 no answer   breaker open requests skip the store   mode degraded",
            "  servers 3   p99 -   rules eb5bfe9401a5 since 09:24:31   pending charges 812 keys");
    assertThat(Page.decides(state(OUTAGE))).isFalse();
    LiveState local = state(OUTAGE.replace("'allow': 2", "'allow': 0"));
    assertThat(text(lines(local, NOW, 24, 80)))
        .contains("\n! The store does not answer: each server counts alone. ");
    assertThat(Page.decides(local)).isTrue();
    LiveState denying = state(OUTAGE.replace("'allow': 2, 'deny': 0", "'allow': 0, 'deny': 1"));
    assertThat(text(lines(denying, NOW, 24, 80))).contains("and requests are denied.");
  }

  @Test
  void otherStatesAreSaidInWords() throws Exception {
    assertThat(text(lines(state(STATUS.replace("'closed'", "'half-open'")), NOW, 24, 80)))
        .contains("\n! Weir decides, and tests its store. ");
    assertThat(
            text(
                lines(
                    state(STATUS.replace("'problems': []", "'problems': ['a', 'b']")),
                    NOW,
                    24,
                    80)))
        .contains("\n! Weir decides; 2 problems need a look. ", "\n  - a\n  - b\n");
    assertThat(
            text(lines(state(STATUS.replace("{'ready': true", "{'draining': 'x'")), NOW, 24, 80)))
        .contains("\n! This server is about to stop. ");
    assertThat(text(lines(state(STATUS.replace("{'ready': true", "{'ready': false")), NOW, 24, 80)))
        .contains("\n✗ This server takes no traffic. ");
  }

  @Test
  void staleNumbersDoNotLookLive() throws Exception {
    LiveState state = state(STATUS);
    List<List<Object>> fresh = lines(state, NOW.plusMillis(3_500), 40, 80);
    assertThat(text(fresh)).contains("✓ Weir decides every request").doesNotContain("no route");
    List<List<Object>> stale = lines(state, NOW.plusMillis(3_501), 40, 80);
    assertThat(text(stale))
        .contains("\n? Unknown whether Weir decides: no data since 09:30:00. Everything below is")
        .contains("\n  - no route\n")
        .doesNotContain("✓");
    assertThat(stale.stream().skip(5).flatMap(List::stream))
        .isNotEmpty()
        .allMatch(piece -> piece instanceof Style.Piece one && one.style() == Style.DIM);
  }

  @Test
  void everySizeIsFilledAndNoneIsExceeded() throws Exception {
    for (String status : List.of(STATUS, OUTAGE)) {
      for (int columns = 20; columns <= 200; columns += 7) {
        for (int room = 6; room <= 60; room += 3) {
          List<List<Object>> lines = lines(state(status), NOW, room, columns);
          assertThat(lines.size()).as(room + "x" + columns).isLessThanOrEqualTo(Math.max(room, 14));
        }
      }
    }
    String small = text(lines(state(STATUS), NOW, 12, 40));
    assertThat(small.lines()).hasSize(12).allMatch(line -> TextWidth.of(line) <= 40);
    assertThat(small).contains("✓ Weir decides every request.\n", "\nDecisions/s", "\n  denied ");
    assertThat(small).contains("Denied by rule (1 of 2)");
    String usual = text(lines(state(STATUS), NOW, 24, 80));
    assertThat(usual.lines()).hasSize(24).allMatch(line -> TextWidth.of(line) <= 80);
    assertThat(usual).contains("login ", "be08a458cc4421cd", "Actions in force", "Events");
  }

  @Test
  void secondsAfterTheSnapshotAreAdded() throws Exception {
    LiveState before = state(STATUS);
    String next =
        "{'time': 1794821401000, 'second': 90001, %s, 'recent': {'denied': [0, 0, 60]}, 'events':"
            + " [{'time': 1794821401000, 'kind': 'fleet', 'level': 'warning', 'text': 'One left'}]}";
    Fields data = Fields.of(JSONObjectUtils.parse(next.formatted(STATUS).replace('\'', '"')));
    LiveState after = LiveState.after(before, new EventReader.Event("second", data), NOW);
    assertThat(after.events()).hasSize(5);
    assertThat(after.timeline().mean("denied", 1)).isEqualTo(60);
    assertThat(text(lines(after, NOW, 60, 120)))
        .containsPattern("\nEvents\n  09:30:01  fleet warning +One left\n  09:26:00 ");
    String again =
        next.formatted(STATUS).replace("{'time': 1794821401000, 's", "{'eventCount': %d, 's");
    for (int count : List.of(7, 8, 8)) {
      Fields counted = Fields.of(JSONObjectUtils.parse(again.formatted(count).replace('\'', '"')));
      after = LiveState.after(after, new EventReader.Event("second", counted), NOW);
    }
    assertThat(after.events()).as("each event once, by their count").hasSize(7);
    LiveState fresh = LiveState.after(after, new EventReader.Event("snapshot", data), NOW);
    assertThat(fresh.events()).as("a snapshot has all events").hasSize(1);
  }
}
