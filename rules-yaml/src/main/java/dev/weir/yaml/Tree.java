package dev.weir.yaml;

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
 * Builds a tree of nodes from YAML text.
 *
 * <p>It works on the parser's events instead of the library's own tree, so that depth and size are
 * bounded before anything is built: nesting cannot overflow the stack, and aliases of aliases are
 * counted for what they stand for, not for what they take to write.
 */
final class Tree {
  static final int MAX_DEPTH = 24;
  static final long MAX_SIZE = 1_000_000;

  private static final int MAX_WORDS = 200;

  private final String file;
  private final Problems problems;
  private final Map<String, Node> anchors = new HashMap<>();
  private final Deque<Open> open = new ArrayDeque<>();
  private @Nullable Node root;
  private long size;
  private boolean failed;

  /** A list or a mapping that has not ended. */
  private record Open(Event.ID end, @Nullable String anchor, Place place, List<Node> children) {}

  private Tree(String file, Problems problems) {
    this.file = file;
    this.problems = problems;
  }

  /** The only document of a file, or null if there is none that can be read: problems say why. */
  static @Nullable Node read(String file, String text, Problems problems) {
    Tree tree = new Tree(file, problems);
    try {
      LoadSettings settings =
          LoadSettings.builder().setLabel(file).setCodePointLimit(Integer.MAX_VALUE).build();
      Iterator<Event> events = new Parse(settings).parseString(text).iterator();
      while (events.hasNext() && tree.accept(events.next())) {}
    } catch (MarkedYamlEngineException e) {
      tree.error(tree.place(e.getProblemMark()), "not YAML: " + words(e));
      return null;
    } catch (ReaderException e) {
      String found = String.format("character 0x%04X", e.getCodePoint());
      tree.error(tree.place(text, e.getPosition()), "not YAML: " + found + " (expected: text)");
      return null;
    } catch (YamlVersionException e) {
      String version = e.getSpecVersion().getMajor() + "." + e.getSpecVersion().getMinor();
      Place place = tree.place(text, Math.max(0, text.indexOf("%YAML")));
      tree.error(place, "%YAML: " + version + " (expected: 1.2, or no such line)");
      return null;
    } catch (YamlEngineException e) {
      tree.error(
          new Place(file, 1, 1), "not YAML: " + Problems.shown(String.valueOf(e.getMessage())));
      return null;
    }
    if (tree.root == null && !tree.failed) {
      tree.error(new Place(file, 1, 1), "rules: nothing (expected: a mapping with rules)");
    }
    return tree.failed ? null : tree.root;
  }

  private static String words(MarkedYamlEngineException e) {
    String context = e.getContext() == null ? "" : e.getContext() + ", ";
    String said = Problems.printable((context + e.getProblem()).replace('\n', ' '));
    String remedy = "";
    if (said.contains("TAB")) {
      remedy = " (expected: spaces, not tabs)";
    } else if (said.contains("scanning an alias") || said.contains("scanning an anchor")) {
      remedy = " (expected: quotes around a value that begins with * or &)";
    } else if (said.contains("mapping values are not allowed")) {
      remedy = " (expected: quotes around a value with a colon, or another indentation)";
    } else if (said.contains("block")) {
      remedy = " (expected: the indentation of the lines before)";
    }
    return (said.length() > MAX_WORDS ? said.substring(0, MAX_WORDS) + "…" : said) + remedy;
  }

  /** Whether to go on. */
  private boolean accept(Event event) {
    Place place = place(event.getStartMark());
    switch (event.getEventId()) {
      case DocumentStart -> {
        if (root != null) {
          error(place, "document: a second one (expected: one document in a file)");
          return false;
        }
      }
      case Scalar -> {
        ScalarEvent scalar = (ScalarEvent) event;
        refuseTag(scalar.getTag(), place);
        add(
            new Node.Text(place, scalar.getValue(), scalar.isPlain()),
            scalar.getAnchor().map(Object::toString).orElse(null));
      }
      case Alias -> {
        String name = Problems.shown(((AliasEvent) event).getAlias().toString());
        Node node = anchors.get(((AliasEvent) event).getAlias().toString());
        if (node == null) {
          error(
              place,
              "alias: *"
                  + name
                  + " (expected: an anchor &"
                  + name
                  + " before it, and not around it)");
          return false;
        }
        problems.alias(place, node.place());
        add(node.at(place), null);
      }
      case SequenceStart, MappingStart -> {
        CollectionStartEvent start = (CollectionStartEvent) event;
        refuseTag(start.getTag(), place);
        boolean list = event.getEventId() == Event.ID.SequenceStart;
        Event.ID end = list ? Event.ID.SequenceEnd : Event.ID.MappingEnd;
        open.push(
            new Open(
                end,
                start.getAnchor().map(Object::toString).orElse(null),
                place,
                new ArrayList<>()));
        if (open.size() > MAX_DEPTH) {
          error(place, "nesting: " + open.size() + " (expected: at most " + MAX_DEPTH + ")");
          return false;
        }
      }
      case SequenceEnd, MappingEnd -> close();
      default -> {
        // Ends of documents and streams, comments.
      }
    }
    if (size > MAX_SIZE) {
      error(
          place,
          "size: more than "
              + MAX_SIZE
              + " values, aliases counted for what they stand for (expected: less)");
      return false;
    }
    return true;
  }

  private void refuseTag(Optional<String> tag, Place place) {
    tag.filter(one -> !one.equals("!"))
        .map(one -> Problems.shown(one.replace("tag:yaml.org,2002:", "!!")))
        .ifPresent(one -> error(place, "tag: " + one + " (expected: no tag)"));
  }

  private void close() {
    Open closed = open.pop();
    long total = 1;
    for (Node child : closed.children) {
      total += child.size();
    }
    size -= total - 1; // counted already, and again below as a whole
    if (closed.end == Event.ID.SequenceEnd) {
      add(new Node.Items(closed.place, closed.children, total), closed.anchor);
      return;
    }
    List<Node.Field> fields = new ArrayList<>();
    for (int i = 0; i + 1 < closed.children.size(); i += 2) {
      if (closed.children.get(i) instanceof Node.Text key) {
        fields.add(new Node.Field(key, closed.children.get(i + 1)));
      } else {
        error(
            closed.children.get(i).place(),
            "key: " + closed.children.get(i).kind() + " (expected: a word)");
      }
    }
    add(new Node.Fields(closed.place, fields, total), closed.anchor);
  }

  private void add(Node node, @Nullable String anchor) {
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

  private void error(Place place, String message) {
    failed = true;
    problems.error(place, message);
  }

  /** Where the character of that number is. */
  private Place place(String text, int position) {
    int end = text.offsetByCodePoints(0, Math.min(position, text.codePointCount(0, text.length())));
    String before = text.substring(0, end);
    int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
    return new Place(file, line, before.length() - before.lastIndexOf('\n'));
  }

  private Place place(Optional<Mark> mark) {
    return mark.map(at -> new Place(file, at.getLine() + 1, at.getColumn() + 1))
        .orElse(new Place(file, 1, 1));
  }
}
