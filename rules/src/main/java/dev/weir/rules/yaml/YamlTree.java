package dev.weir.rules.yaml;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlVersionException;

/**
 * Builds a tree of nodes from untrusted YAML text.
 *
 * <p>It works on the parser's events instead of the library's own tree, so that depth and size are
 * bounded before anything is built: nesting cannot overflow the stack, and an alias counts as much
 * as the nodes it stands for, so that aliases of aliases cannot exhaust the memory.
 */
public final class YamlTree {
  static final int MAX_DEPTH = 24;
  static final long MAX_SIZE = 1_000_000;

  private static final int MAX_DESCRIPTION = 200;

  private final String file;
  private final Problems problems;
  private final Map<String, YamlNode> anchors = new HashMap<>();
  private final Deque<Open> open = new ArrayDeque<>();
  private @Nullable YamlNode root;
  private long size;
  private boolean failed;

  /** A sequence or a mapping whose end event has not come yet. */
  private record Open(
      Event.ID end, @Nullable String anchor, SourceLocation location, List<YamlNode> children) {}

  private YamlTree(String file, Problems problems) {
    this.file = file;
    this.problems = problems;
  }

  /** The only document of a file; null if it cannot be read, which {@code problems} then says. */
  public static @Nullable YamlNode read(String file, String text, Problems problems) {
    YamlTree tree = new YamlTree(file, problems);
    try {
      LoadSettings settings =
          LoadSettings.builder().setLabel(file).setCodePointLimit(Integer.MAX_VALUE).build();
      Iterator<Event> events = new Parse(settings).parseString(text).iterator();
      while (events.hasNext() && tree.accept(events.next())) {}
    } catch (MarkedYamlEngineException e) {
      tree.error(tree.location(e.getProblemMark()), "not YAML: " + describe(e));
      return null;
    } catch (ReaderException e) {
      String found = String.format("character 0x%04X", e.getCodePoint());
      tree.error(tree.location(text, e.getPosition()), "not YAML: " + found + " (expected: text)");
      return null;
    } catch (YamlVersionException e) {
      String version = e.getSpecVersion().getMajor() + "." + e.getSpecVersion().getMinor();
      SourceLocation location = tree.location(text, Math.max(0, text.indexOf("%YAML")));
      tree.error(location, "%YAML: " + version + " (expected: 1.2, or no such line)");
      return null;
    } catch (YamlEngineException e) {
      tree.error(
          new SourceLocation(file, 1, 1),
          "not YAML: " + Problems.shown(String.valueOf(e.getMessage())));
      return null;
    }
    if (tree.root == null && !tree.failed) {
      tree.error(new SourceLocation(file, 1, 1), "rules: nothing (expected: a mapping with rules)");
    }
    return tree.failed ? null : tree.root;
  }

  private static String describe(MarkedYamlEngineException e) {
    String context = e.getContext() == null ? "" : e.getContext() + ", ";
    String description = Problems.printable((context + e.getProblem()).replace('\n', ' '));
    String remedy = "";
    if (description.contains("TAB")) {
      remedy = " (expected: spaces, not tabs)";
    } else if (description.contains("scanning an alias")
        || description.contains("scanning an anchor")) {
      remedy = " (expected: quotes around a value that begins with * or &)";
    } else if (description.contains("mapping values are not allowed")) {
      remedy = " (expected: quotes around a value with a colon, or another indentation)";
    } else if (description.contains("block")) {
      remedy = " (expected: the indentation of the lines before)";
    }
    String shortened =
        description.length() > MAX_DESCRIPTION
            ? description.substring(0, MAX_DESCRIPTION) + "…"
            : description;
    return shortened + remedy;
  }

  /** Handles one event; false stops the parser. */
  private boolean accept(Event event) {
    SourceLocation location = location(event.getStartMark());
    switch (event.getEventId()) {
      case DocumentStart -> {
        if (root != null) {
          error(location, "document: a second one (expected: one document in a file)");
          return false;
        }
      }
      case Scalar -> {
        ScalarEvent scalar = (ScalarEvent) event;
        refuseTag(scalar.getTag(), location);
        add(
            new YamlNode.Text(location, scalar.getValue(), scalar.isPlain()),
            scalar.getAnchor().map(Object::toString).orElse(null));
      }
      case Alias -> {
        if (!resolve((AliasEvent) event, location)) {
          return false;
        }
      }
      case SequenceStart, MappingStart -> {
        CollectionStartEvent start = (CollectionStartEvent) event;
        refuseTag(start.getTag(), location);
        boolean list = event.getEventId() == Event.ID.SequenceStart;
        Event.ID end = list ? Event.ID.SequenceEnd : Event.ID.MappingEnd;
        open.push(
            new Open(
                end,
                start.getAnchor().map(Object::toString).orElse(null),
                location,
                new ArrayList<>()));
        if (open.size() > MAX_DEPTH) {
          error(location, "nesting: " + open.size() + " (expected: at most " + MAX_DEPTH + ")");
          return false;
        }
      }
      case SequenceEnd, MappingEnd -> close();
      default -> {
        // Ends of documents and streams, comments.
      }
    }
    if (size > MAX_SIZE) {
      error(location, "size: more than " + MAX_SIZE + " values, aliases expanded (expected: less)");
      return false;
    }
    return true;
  }

  /** Adds a copy of what the alias stands for; false if its anchor is unknown. */
  private boolean resolve(AliasEvent event, SourceLocation location) {
    String alias = event.getAlias().toString();
    YamlNode node = anchors.get(alias);
    if (node == null) {
      String name = Problems.shown(alias);
      String expected = "an anchor &" + name + " before it, and not around it";
      error(location, "alias: *" + name + " (expected: " + expected + ")");
      return false;
    }
    problems.registerAlias(location, node.location());
    add(node.at(location), null);
    return true;
  }

  private void refuseTag(Optional<String> tag, SourceLocation location) {
    tag.filter(one -> !one.equals("!"))
        .map(one -> Problems.shown(one.replace("tag:yaml.org,2002:", "!!")))
        .ifPresent(one -> error(location, "tag: " + one + " (expected: no tag)"));
  }

  private void close() {
    Open closed = open.pop();
    long total = 1;
    for (YamlNode child : closed.children) {
      total += child.size();
    }
    size -= total - 1; // the children are counted already; add() counts the whole
    if (closed.end == Event.ID.SequenceEnd) {
      add(new YamlNode.Items(closed.location, closed.children, total), closed.anchor);
      return;
    }
    List<YamlNode.Field> fields = new ArrayList<>();
    for (int i = 0; i + 1 < closed.children.size(); i += 2) {
      if (closed.children.get(i) instanceof YamlNode.Text key) {
        fields.add(new YamlNode.Field(key, closed.children.get(i + 1)));
      } else {
        error(
            closed.children.get(i).location(),
            "key: " + closed.children.get(i).kind() + " (expected: a word)");
      }
    }
    add(new YamlNode.Fields(closed.location, fields, total), closed.anchor);
  }

  private void add(YamlNode node, @Nullable String anchor) {
    size += node.size();
    if (anchor != null) {
      anchors.put(anchor, node);
    }
    if (open.isEmpty()) {
      root = node;
    } else {
      open.element().children.add(node);
    }
  }

  private void error(SourceLocation location, String message) {
    failed = true;
    problems.error(location, message);
  }

  /** The location of a code point by its index. */
  private SourceLocation location(String text, int position) {
    int end = text.offsetByCodePoints(0, Math.min(position, text.codePointCount(0, text.length())));
    String before = text.substring(0, end);
    int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
    return new SourceLocation(file, line, before.length() - before.lastIndexOf('\n'));
  }

  private SourceLocation location(Optional<Mark> mark) {
    return mark.map(at -> new SourceLocation(file, at.getLine() + 1, at.getColumn() + 1))
        .orElse(new SourceLocation(file, 1, 1));
  }
}
