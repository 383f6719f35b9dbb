package dev.weir.yaml;

import dev.weir.domain.DomainBook;
import dev.weir.http.HttpSettings;
import dev.weir.key.KeySpace;
import dev.weir.rule.Rule;
import dev.weir.rule.RuleBook;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Turns the text of rules files into rules: all of it, or none.
 *
 * <p>A file that names a {@code domain} is in the format of Envoy's rate limit service; all others
 * are in ours. Both kinds may stand side by side.
 *
 * <p>Several files are read as one. Rules apply in the order of the files; a name, of a rule, a
 * tier or an identity, and a setting stand in one of them only.
 */
public final class RulesLoader {
  static final Set<String> PARTS = Set.of("identity", "tiers", "rules", "lint-ignore");

  private final KeySpace keys;
  private final Map<String, String> environment;
  private final DomainDefaults domains;

  /**
   * @param keys makes the keys of counters; the same for every version of the rules, so that
   *     counters outlive them
   * @param environment where secrets may come from
   */
  public RulesLoader(KeySpace keys, Map<String, String> environment) {
    this(keys, environment, DomainDefaults.USUAL);
  }

  private RulesLoader(KeySpace keys, Map<String, String> environment, DomainDefaults domains) {
    this.keys = keys;
    this.environment = Map.copyOf(environment);
    this.domains = domains;
  }

  /** The same loader with other defaults for domains. */
  public RulesLoader with(DomainDefaults defaults) {
    return new RulesLoader(keys, environment, defaults);
  }

  /** No rules at all. */
  RuleSet none() {
    RuleBook empty = RuleBook.of(List.of(), keys);
    return new RuleSet(
        empty, HttpSettings.DEFAULT, DomainBook.EMPTY, version(List.of()), List.of());
  }

  public RuleSet load(List<Source> sources) throws RulesRefused {
    Problems problems = new Problems();
    EnvoyFiles envoy = new EnvoyFiles(domains, problems);
    List<Section> files = new ArrayList<>();
    List<Source> read = new ArrayList<>();
    Set<String> known = new HashSet<>(PARTS);
    known.addAll(SettingsSyntax.KEYS);
    boolean unread = false;
    for (Source source : sources) {
      Node root =
          source.text(problems).map(text -> Tree.read(source.name(), text, problems)).orElse(null);
      unread |= !(root instanceof Node.Fields);
      if (root != null && EnvoyFiles.isOne(root)) {
        envoy.add(root);
      } else if (root instanceof Node.Text || root instanceof Node.Items) {
        String expected = "a mapping with rules, and perhaps identity and tiers";
        problems.error(root.place(), "rules file", root.kind(), expected);
      } else if (root != null) {
        files.add(Section.of(root, "rules file", known, problems));
        read.add(source);
      }
    }
    SettingsSyntax.refuseSecond(files, problems);
    HttpSettings http = settings(files, read, problems);
    DomainBook book = envoy.read();
    List<RuleSyntax.Read> rules = rules(files, unread, envoy.isEmpty(), http, problems);
    boolean keysTold = unread || isTold(files, "jwt");
    boolean proxiesTold =
        unread || isTold(files, "trusted-proxies") || isTold(files, "trusted-hops");
    Lint lint = new Lint(rules, keysTold, proxiesTold, problems);
    lint.run();
    new TrustLint(problems).checkHeaders(files, lint.trustedHeaders());
    new EffectLint(problems).checkAll(files, rules, book);
    Set<String> ignored = ignored(files, problems);
    ignored.addAll(envoy.ignored());
    List<Problem> found =
        problems.sorted().stream().filter(one -> !ignored.contains(one.code())).toList();
    if (problems.hasErrors()) {
      throw new RulesRefused(found);
    }
    List<Rule> all = rules.stream().map(RuleSyntax.Read::rule).toList();
    return new RuleSet(RuleBook.of(all, keys), http, book, version(sources), found);
  }

  /** Whether the files say something of it, be it wrong. */
  private static boolean isTold(List<Section> files, String key) {
    return files.stream().anyMatch(file -> !file.lacks(key));
  }

  private HttpSettings settings(List<Section> files, List<Source> sources, Problems problems) {
    HttpSettings settings = HttpSettings.DEFAULT;
    for (int i = 0; i < files.size(); i++) {
      if (SettingsSyntax.isIn(files.get(i))) {
        JwtSyntax tokens = new JwtSyntax(sources.get(i).directory(), environment, problems);
        settings = new SettingsSyntax(problems).read(files.get(i), settings, tokens);
      }
    }
    return settings;
  }

  private static List<RuleSyntax.Read> rules(
      List<Section> files, boolean unread, boolean needed, HttpSettings http, Problems problems) {
    Identities identities = new Identities(problems);
    TierSyntax tiers = new TierSyntax(identities, problems);
    if (unread) {
      identities.incomplete();
      tiers.incomplete();
    }
    for (Section file : files) {
      Node identity = file.node("identity");
      if (identity == null && !file.lacks("identity")) {
        identities.incomplete();
      } else if (identity != null) {
        identities.define(Section.open(identity, "identity", problems));
      }
    }
    identities.resolveAll();
    for (Section file : files) {
      Node tier = file.node("tiers");
      if (tier == null && !file.lacks("tiers")) {
        tiers.incomplete();
      } else if (tier != null) {
        tiers.define(Section.open(tier, "tiers", problems));
      }
    }
    MatchSyntax matches = new MatchSyntax(identities, http.pathCaseSensitive(), problems);
    RuleSyntax syntax = new RuleSyntax(identities, tiers, matches, problems);
    List<RuleSyntax.Read> rules = new ArrayList<>();
    Map<String, Place> names = new HashMap<>();
    boolean none = files.stream().noneMatch(file -> file.has("rules"));
    if (none && needed && !files.isEmpty() && !problems.hasErrors()) {
      // The first half of a file that is being written looks like this; it must not lift all
      // limits.
      problems.error(files.get(0).place(), "rules", "nothing", "a list of rules");
    }
    for (Section file : files) {
      for (Node node : list(file, problems)) {
        if (!problems.isFull()) {
          syntax.read(node).ifPresent(rules::add);
        }
      }
    }
    if (rules.size() > RuleBook.MAX_RULES) {
      Place last = rules.get(rules.size() - 1).section().place();
      String expected = "at most " + RuleBook.MAX_RULES + " in all files";
      problems.error(last, "rules", rules.size() + " rules", expected);
    }
    for (RuleSyntax.Read read : rules) {
      Place place = read.section().place("name");
      Place first = names.putIfAbsent(read.rule().name(), place);
      if (first != null) {
        // An alias repeats the very same name; what can be mended is where it stands.
        Place second = place.equals(first) ? read.section().place() : place;
        problems.error(
            second, "name", read.rule().name(), "each name once; the first is at " + first);
      }
    }
    return rules;
  }

  private static List<Node> list(Section file, Problems problems) {
    Node node = file.node("rules");
    if (node instanceof Node.Items items && items.items().size() <= RuleBook.MAX_RULES) {
      return items.items();
    }
    if (node instanceof Node.Items items) {
      String expected = "at most " + RuleBook.MAX_RULES;
      problems.error(node.place(), "rules", items.items().size() + " rules", expected);
    } else if (node != null) {
      problems.error(node.place(), "rules", node.kind(), "a list of rules");
    } else if (file.lacks("rules", "identity", "tiers") && !SettingsSyntax.isIn(file)) {
      problems.error(file.place(), "rules", "nothing", "a list of rules");
    }
    return List.of();
  }

  private static Set<String> ignored(List<Section> files, Problems problems) {
    Set<String> ignored = new HashSet<>();
    for (Section file : files) {
      for (Node.Text text : file.texts("lint-ignore")) {
        if (Lint.CODES.contains(text.value())) {
          ignored.add(text.value());
        } else {
          String expected = Words.expected(text.value(), Lint.CODES);
          problems.error(text.place(), "lint-ignore", text.value(), expected);
        }
      }
    }
    return ignored;
  }

  /**
   * The version of a text, good or bad: 12 hexadecimal digits of a hash of the files' bytes, in
   * order, and of nothing else. So the same files have the same version on every machine, and
   * {@code weir validate} prints what a server will tell as {@link RuleSet#version()}.
   */
  public static String version(List<Source> sources) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Source source : sources) {
        digest.update(digest(source));
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 6);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] digest(Source source) throws NoSuchAlgorithmException {
    return MessageDigest.getInstance("SHA-256").digest(source.bytes());
  }
}
