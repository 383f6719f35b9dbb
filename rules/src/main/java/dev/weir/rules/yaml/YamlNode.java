package dev.weir.rules.yaml;

import java.util.List;

/** A node of a YAML document, with its location. Immutable. */
public sealed interface YamlNode {
  /** Where the node starts. */
  SourceLocation location();

  /** The number of nodes it consists of, those repeated by aliases counted each time. */
  long size();

  /** What an error message calls it. */
  String kind();

  /** A copy at the location of an alias; inner nodes keep their own locations. */
  YamlNode at(SourceLocation alias);

  /**
   * A scalar.
   *
   * @param value without quotes and escapes
   * @param plain whether it was written without quotes, so that it may mean a number or null
   */
  record Text(SourceLocation location, String value, boolean plain) implements YamlNode {
    @Override
    public long size() {
      return 1;
    }

    @Override
    public String kind() {
      return isNull() ? "nothing" : value;
    }

    @Override
    public YamlNode at(SourceLocation alias) {
      return new Text(alias, value, plain);
    }

    /** Whether it is YAML's null: plain, and empty, {@code ~} or {@code null}. */
    public boolean isNull() {
      return plain && (value.isEmpty() || value.equals("~") || value.equals("null"));
    }
  }

  /** A sequence. */
  record Items(SourceLocation location, List<YamlNode> items, long size) implements YamlNode {
    @Override
    public String kind() {
      return "a list";
    }

    @Override
    public YamlNode at(SourceLocation alias) {
      return new Items(alias, items, size);
    }
  }

  /** A mapping. */
  record Fields(SourceLocation location, List<Field> fields, long size) implements YamlNode {
    @Override
    public String kind() {
      return "a mapping";
    }

    @Override
    public YamlNode at(SourceLocation alias) {
      return new Fields(alias, fields, size);
    }
  }

  /** One entry of a mapping. */
  record Field(Text key, YamlNode value) {}
}
