package dev.weir.rules.envoy;

import dev.weir.rules.domain.Branch;
import dev.weir.rules.domain.Domain;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Spelling;
import dev.weir.rules.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads files in the format of Envoy's rate limit service, each of one domain. Not thread-safe. */
public final class EnvoyFiles {
  static final Set<String> KEYS = Set.of("domain", "descriptors", "accounting", "lint_ignore");

  /** The words for {@link DomainDefaults#allOrNone}. */
  private static final Map<String, Boolean> ACCOUNTING = Map.of("all_or_none", true, "each", false);

  private final DomainDefaults defaults;
  private final Problems problems;
  private final Map<String, List<EnvoySection>> files = new LinkedHashMap<>();
  private final Set<String> ignoredWarnings = new HashSet<>();

  /** A reader without files. */
  public EnvoyFiles(DomainDefaults defaults, Problems problems) {
    this.defaults = defaults;
    this.problems = problems;
  }

  /** Whether a file is in this format: it has the key {@code domain} or {@code descriptors}. */
  public static boolean isEnvoyFormat(@Nullable YamlNode root) {
    return root instanceof YamlNode.Fields file
        && file.fields().stream()
            .map(field -> field.key().value())
            .anyMatch(key -> key.equals("domain") || key.equals("descriptors"));
  }

  /** Adds a file. */
  public void add(YamlNode root) {
    EnvoySection file = EnvoySection.of(root, "file", KEYS, problems);
    for (YamlNode.Text text : file.section().texts("lint_ignore")) {
      ignoredWarnings.add(text.value());
      if (!LintCodes.OF_ENVOY.contains(text.value())) {
        String expected = Spelling.expected(text.value(), LintCodes.OF_ENVOY);
        problems.error(text.location(), "lint_ignore", text.value(), expected);
      }
    }
    String domain = file.text("domain");
    if (file.isMissing("domain")) {
      problems.error(file.valueLocation("domain"), "domain", "nothing", "a name");
    }
    List<EnvoySection> before = files.computeIfAbsent(domain, name -> new ArrayList<>());
    if (!before.isEmpty() && !defaults.merge() && !domain.isEmpty()) {
      String expected =
          "each domain in one file only; the first is at " + before.get(0).location("domain");
      problems.error(file.location("domain"), "domain", domain, expected);
    }
    before.add(file);
  }

  /** Whether no file was added. */
  public boolean isEmpty() {
    return files.isEmpty();
  }

  /** The codes of warnings that the files ignore. */
  public Set<String> ignoredWarnings() {
    return ignoredWarnings;
  }

  /** Reads the domains of all files; those with errors are left out. */
  public DomainBook read() {
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

  private List<YamlNode> descriptors(List<EnvoySection> some) {
    List<YamlNode> nodes = new ArrayList<>();
    for (EnvoySection file : some) {
      long errors = problems.errors();
      List<YamlNode> own = file.list("descriptors", "a list of descriptors");
      if (own.isEmpty() && problems.errors() == errors) {
        String message = "descriptors: nothing, so nothing is limited";
        problems.warning(file.location("descriptors"), LintCodes.NO_LIMIT, message);
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
        problems.error(file.location("accounting"), "accounting", "again", "the same in all files");
      }
      strict = strict == null ? own : strict;
    }
    return strict == null ? defaults.allOrNone() : strict;
  }
}
