package dev.weir.yaml;

import java.util.List;

/** A piece of a YAML document, with its place. */
sealed interface Node {
  Place place();

  /** How many pieces it consists of, those repeated by aliases counted each time. */
  long size();

  /** How an error message calls it. */
  String kind();

  /** The same where an alias stands for it; what is inside stays where it was written. */
  Node at(Place alias);

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

    @Override
    public Node at(Place alias) {
      return new Text(alias, value, plain);
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

    @Override
    public Node at(Place alias) {
      return new Items(alias, items, size);
    }
  }

  /** A mapping. */
  record Fields(Place place, List<Field> fields, long size) implements Node {
    @Override
    public String kind() {
      return "a mapping";
    }

    @Override
    public Node at(Place alias) {
      return new Fields(alias, fields, size);
    }
  }

  /** One entry of a mapping. */
  record Field(Text key, Node value) {}
}
