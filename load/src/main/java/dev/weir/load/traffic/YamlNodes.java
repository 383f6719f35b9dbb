package dev.weir.load.traffic;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads nodes of YAML, and makes errors that name file, line and column. */
final class YamlNodes {
  private final String file;

  YamlNodes(String file) {
    this.file = file;
  }

  MappingNode mapping(String field, Node node) {
    if (node instanceof MappingNode map) {
      return map;
    }
    throw invalid(node, field, shown(node), "keys with values");
  }

  /** A mapping with some of these keys and no others. */
  MappingNode mapping(String field, Node node, List<String> keys) {
    MappingNode map = mapping(field, node);
    for (NodeTuple entry : map.getValue()) {
      String key = text("key", entry.getKeyNode());
      if (!keys.contains(key)) {
        throw invalid(entry.getKeyNode(), "key", key, "one of " + String.join(", ", keys));
      }
    }
    return map;
  }

  List<Node> sequence(String field, Node node) {
    if (node instanceof SequenceNode list) {
      return list.getValue();
    }
    throw invalid(node, field, shown(node), "a list");
  }

  @Nullable Node value(MappingNode map, String key) {
    for (NodeTuple entry : map.getValue()) {
      if (entry.getKeyNode() instanceof ScalarNode name && name.getValue().equals(key)) {
        return entry.getValueNode();
      }
    }
    return null;
  }

  String text(String field, Node node) {
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    throw invalid(node, field, shown(node), "a text");
  }

  String text(MappingNode map, String key, String absent) {
    Node node = value(map, key);
    return node == null ? absent : text(key, node);
  }

  /** A whole number; {@code min} if it is absent. */
  int integer(MappingNode map, String key, int min, int max) {
    Node node = value(map, key);
    if (node == null) {
      return min;
    }
    String text = text(key, node);
    if (text.matches("[0-9]{1,9}")) {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return number;
      }
    }
    throw invalid(node, key, text, "a whole number between " + min + " and " + max);
  }

  private static String shown(Node node) {
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    return node instanceof SequenceNode ? "a list" : "keys with values";
  }

  IllegalArgumentException invalid(Node node, String field, String value, String expected) {
    String shown = value.isEmpty() ? "nothing" : value;
    return located(
        node, new IllegalArgumentException(field + ": " + shown + " (expected: " + expected + ")"));
  }

  /** An error with the place of a node, unless it has one already. */
  IllegalArgumentException located(Node node, IllegalArgumentException e) {
    String message = String.valueOf(e.getMessage());
    if (message.startsWith(file + ":")) {
      return e;
    }
    Optional<Mark> mark = node.getStartMark();
    String place = mark.map(at -> ":" + (at.getLine() + 1) + ":" + (at.getColumn() + 1)).orElse("");
    return new IllegalArgumentException(file + place + ": " + message, e);
  }
}
