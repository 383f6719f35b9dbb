package dev.weir.yaml;

import java.util.List;

/** A piece of a YAML document, with its place. */
sealed interface Node {
  Place place();

  /** How many pieces it consists of, those repeated by aliases counted each time. */
  long size();

  /** How an error message calls it. */
  String kind();

  /**
   * A scalar.
   *
   * @param plain whether it was written without quotes, so that it may mean a number or nothing
   */
  record Text(Place place, String value, boolean plain) implements Node {
    @Override
    public long size() {
      return 1;
    }

    @Override
    public String kind() {
      return isNothing() ? "nothing" : value;
    }

    boolean isNothing() {
      return plain && (value.isEmpty() || value.equals("~") || value.equals("null"));
    }
  }

  /** A sequence. */
  record Items(Place place, List<Node> items, long size) implements Node {
    @Override
    public String kind() {
      return "a list";
    }
  }

  /** A mapping. */
  record Fields(Place place, List<Field> fields, long size) implements Node {
    @Override
    public String kind() {
      return "a mapping";
    }
  }

  /** One entry of a mapping. */
  record Field(Text key, Node value) {}
}
