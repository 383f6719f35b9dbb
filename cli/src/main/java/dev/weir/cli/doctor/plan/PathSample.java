package dev.weir.cli.doctor.plan;

import dev.weir.rule.Rule;
import dev.weir.rule.condition.Condition;
import dev.weir.rule.condition.PathPattern;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Paths that match patterns, encoded as in a request line. */
public final class PathSample {
  private static final String PLAIN = "-._~!$&'()*+,;=:@";

  private PathSample() {}

  /** A path that matches the pattern, with {@code name} wherever the pattern leaves a choice. */
  static String of(PathPattern pattern, String name) {
    StringBuilder path = new StringBuilder();
    for (String segment : pattern.toString().split("/", -1)) {
      if (!segment.isEmpty()) {
        path.append('/').append(encoded(filled(segment, name)));
      }
    }
    return path.length() == 0 ? "/" : path.toString();
  }

  /** A path for each pattern of the rules. */
  public static List<String> all(List<Rule> rules, String name) {
    List<String> paths = new ArrayList<>();
    for (Rule rule : rules) {
      for (Condition condition : rule.match()) {
        if (condition instanceof Condition.Path path) {
          path.patterns().forEach(pattern -> paths.add(of(pattern, name)));
        }
      }
    }
    return paths.stream().distinct().toList();
  }

  /** A text that matches a glob. */
  static String filled(String glob, String name) {
    return glob.equals("**") ? name : glob.replaceAll("\\{[A-Za-z0-9_-]+}", "*").replace("*", name);
  }

  private static String encoded(String segment) {
    StringBuilder out = new StringBuilder();
    for (byte b : segment.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xFF);
      boolean letter = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
      if (letter || PLAIN.indexOf(c) >= 0) {
        out.append(c);
      } else {
        out.append(String.format("%%%02X", (int) c));
      }
    }
    return out.toString();
  }
}
