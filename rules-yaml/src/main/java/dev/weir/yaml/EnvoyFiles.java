package dev.weir.yaml;

import dev.weir.domain.Branch;
import dev.weir.domain.Domain;
import dev.weir.domain.DomainBook;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads files in the format of Envoy's rate limit service: a domain each. */
final class EnvoyFiles {
  static final Set<String> KEYS = Set.of("domain", "descriptors", "accounting", "lint_ignore");

  /** Whether limits are taken all or none. */
  private static final Map<String, Boolean> ACCOUNTING = Map.of("all_or_none", true, "each", false);

  private final DomainDefaults defaults;
  private final Problems problems;
  private final Map<String, List<EnvoySection>> files = new LinkedHashMap<>();
  private final Set<String> ignored = new HashSet<>();

  EnvoyFiles(DomainDefaults defaults, Problems problems) {
    this.defaults = defaults;
    this.problems = problems;
  }

  /** Whether a file is of this format: what limits a domain begins with its name. */
  static boolean isOne(@Nullable Node root) {
    return root instanceof Node.Fields file
        && file.fields().stream()
            .map(field -> field.key().value())
            .anyMatch(key -> key.equals("domain") || key.equals("descriptors"));
  }

  void add(Node root) {
    EnvoySection file = EnvoySection.of(root, "file", KEYS, problems);
    for (Node.Text text : file.section().texts("lint_ignore")) {
      ignored.add(text.value());
      if (!EnvoyLint.CODES.contains(text.value())) {
        String expected = Words.expected(text.value(), EnvoyLint.CODES);
        problems.error(text.place(), "lint_ignore", text.value(), expected);
      }
    }
    String domain = file.text("domain");
    if (file.isMissing("domain")) {
      problems.error(file.valuePlace("domain"), "domain", "nothing", "a name");
    }
    List<EnvoySection> before = files.computeIfAbsent(domain, name -> new ArrayList<>());
    if (!before.isEmpty() && !defaults.merge() && !domain.isEmpty()) {
      String expected =
          "each domain in one file only; the first is at " + before.get(0).place("domain");
      problems.error(file.place("domain"), "domain", domain, expected);
    }
    before.add(file);
  }

  boolean isEmpty() {
    return files.isEmpty();
  }

  /** The codes of warnings that nobody wants to see. */
  Set<String> ignored() {
    return ignored;
  }

  DomainBook read() {
    List<Domain> domains = new ArrayList<>();
    files.forEach(
        (name, some) -> {
          long errors = problems.errors();
          boolean strict = isStrict(some);
          EnvoyDescriptors syntax = new EnvoyDescriptors(name, strict, problems);
          List<Branch> branches = syntax.read(descriptors(some));
          if (problems.errors() == errors) {
            Domain domain = Domain.of(name, branches, strict);
            new EnvoyLint(problems).check(domain, syntax);
            domains.add(domain);
          }
        });
    return DomainBook.of(domains);
  }

  private List<Node> descriptors(List<EnvoySection> some) {
    List<Node> nodes = new ArrayList<>();
    for (EnvoySection file : some) {
      long errors = problems.errors();
      List<Node> own = file.list("descriptors", "a list of descriptors");
      if (own.isEmpty() && problems.errors() == errors) {
        String message = "descriptors: nothing, so nothing is limited";
        problems.warning(file.place("descriptors"), EnvoyLint.NO_LIMIT, message);
      }
      nodes.addAll(own);
    }
    return nodes;
  }

  private boolean isStrict(List<EnvoySection> some) {
    Boolean strict = null;
    for (EnvoySection file : some) {
      Boolean own = file.choice("accounting", ACCOUNTING).orElse(null);
      if (strict != null && own != null && !strict.equals(own)) {
        problems.error(file.place("accounting"), "accounting", "again", "the same in all files");
      }
      strict = strict == null ? own : strict;
    }
    return strict == null ? defaults.allOrNone() : strict;
  }
}
