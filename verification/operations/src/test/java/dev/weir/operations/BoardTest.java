package dev.weir.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.operations.Board.Query;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The shape of the board; {@link BoardQueriesTest} runs its queries. */
class BoardTest {
  private static final int COLUMNS = 24;
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{?(\\w+)");

  private final Board board;

  BoardTest() throws Exception {
    board = Board.read();
  }

  @Test
  void rowsAreInTheOrderInWhichToLookDuringAnIncident() {
    assertThat(board.panels())
        .filteredOn(panel -> panel.getString("type").equals("row"))
        .extracting(panel -> panel.getString("title"))
        .containsExactly(
            "Is Weir deciding?",
            "Decisions by outcome",
            "Denied by rule, beside one hour ago",
            "Store",
            "Latency",
            "Fleet",
            "Process");
  }

  @Test
  void panelsHaveTitleExplanationUnitAndTheChosenDatasource() {
    Set<Integer> ids = new HashSet<>();
    for (JsonObject panel : board.panels()) {
      String title = panel.getString("title");
      assertThat(title).isNotBlank();
      assertThat(ids.add(panel.getInteger("id"))).as(title).isTrue();
      if (!panel.getString("type").equals("row")) {
        assertThat(panel.getString("description")).as(title).isNotBlank();
        JsonObject defaults = panel.getJsonObject("fieldConfig").getJsonObject("defaults");
        assertThat(defaults.getString("unit")).as(title).isNotBlank();
        List<JsonObject> sources = new ArrayList<>(List.of(panel));
        sources.addAll(Board.objects(panel.getJsonArray("targets")));
        assertThat(sources)
            .as(title)
            .allMatch(
                one -> one.getJsonObject("datasource").getString("uid").equals("${datasource}"));
      }
    }
    assertThat(ids).hasSizeGreaterThan(40);
  }

  @Test
  void panelsFillTheBoardAndDoNotOverlap() {
    Set<String> cells = new HashSet<>();
    for (JsonObject panel : board.panels()) {
      JsonObject at = panel.getJsonObject("gridPos");
      int right = at.getInteger("x") + at.getInteger("w");
      assertThat(right).as(panel.getString("title")).isLessThanOrEqualTo(COLUMNS);
      for (int x = at.getInteger("x"); x < right; x++) {
        for (int y = at.getInteger("y"); y < at.getInteger("y") + at.getInteger("h"); y++) {
          assertThat(cells.add(x + "," + y)).as(panel.getString("title")).isTrue();
        }
      }
    }
    int bottom =
        cells.stream().mapToInt(one -> Integer.parseInt(one.split(",", 2)[1])).max().orElse(0) + 1;
    assertThat(cells).as("no gaps").hasSize(bottom * COLUMNS);
  }

  @Test
  void queriesUseVariablesOfTheBoardAndDocumentedMetrics() throws Exception {
    Set<String> known = new HashSet<>(Set.of("__rate_interval"));
    board.variables().forEach(one -> known.add(one.getString("name")));
    assertThat(known).contains("datasource", "job", "instance");
    Set<String> documented = Metrics.documented();
    assertThat(board.queries()).hasSizeGreaterThan(60);
    for (Query query : board.queries()) {
      assertThat(query.expression()).as(query.where()).contains("$job");
      VARIABLE
          .matcher(query.expression())
          .results()
          .forEach(found -> assertThat(known).as(query.where()).contains(found.group(1)));
      assertThat(Metrics.used(query.expression())).as(query.where()).isSubsetOf(documented);
    }
  }
}
