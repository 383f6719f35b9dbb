package dev.weir.operations;

import dev.weir.testkit.Repository;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The board for Grafana. */
final class Board {
  static final Path FILE = Repository.path("deploy/grafana/weir.json");

  private final JsonObject json;

  private Board(JsonObject json) {
    this.json = json;
  }

  /**
   * A query of a panel, of an annotation or of a variable.
   *
   * @param instant whether it asks for one moment, not for a range
   */
  record Query(String where, String expression, boolean instant) {}

  static Board read() throws IOException {
    return new Board(new JsonObject(Files.readString(FILE)));
  }

  JsonObject json() {
    return json;
  }

  List<JsonObject> panels() {
    return objects(json.getJsonArray("panels"));
  }

  List<JsonObject> variables() {
    return objects(json.getJsonObject("templating").getJsonArray("list"));
  }

  /** All queries, with variables. */
  List<Query> queries() {
    List<Query> queries = new ArrayList<>();
    for (JsonObject panel : panels()) {
      if (!panel.getString("type").equals("row")) {
        for (JsonObject target : objects(panel.getJsonArray("targets"))) {
          String where = panel.getString("title") + " " + target.getString("refId");
          queries.add(new Query(where, target.getString("expr"), target.getBoolean("instant")));
        }
      }
    }
    for (JsonObject annotation : objects(json.getJsonObject("annotations").getJsonArray("list"))) {
      if (annotation.containsKey("expr")) {
        String where = "annotation " + annotation.getString("name");
        queries.add(new Query(where, annotation.getString("expr"), false));
      }
    }
    return queries;
  }

  static List<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast).toList();
  }
}
