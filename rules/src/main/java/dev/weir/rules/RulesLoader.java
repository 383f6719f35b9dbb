package dev.weir.rules;

import dev.weir.http.identity.HttpSettings;
import dev.weir.key.KeySpace;
import dev.weir.rule.Rule;
import dev.weir.rule.book.RuleBook;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.envoy.DomainDefaults;
import dev.weir.rules.envoy.EnvoyFiles;
import dev.weir.rules.gateway.GatewaySettings;
import dev.weir.rules.gateway.syntax.GatewaySyntax;
import dev.weir.rules.lint.CallLint;
import dev.weir.rules.lint.ConditionLint;
import dev.weir.rules.lint.EffectLint;
import dev.weir.rules.lint.Lint;
import dev.weir.rules.syntax.JwtSyntax;
import dev.weir.rules.syntax.RuleSyntax;
import dev.weir.rules.syntax.SettingsSyntax;
import dev.weir.rules.syntax.TrustLint;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problem;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.RulesText;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.Spelling;
import dev.weir.rules.yaml.YamlNode;
import dev.weir.rules.yaml.YamlTree;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compiles the text of rules files: all of it, or nothing. Immutable and safe for concurrent use.
 *
 * <p>A file with the key {@code domain} is in the format of Envoy's rate limit service; all others
 * are in Weir's. Both kinds may be mixed.
 *
 * <p>Several files are read as one. Rules apply in the order of the files. Each setting, and each
 * name of a rule, a tier or an identity, may be defined in one file only.
 */
public final class RulesLoader {
  /** The keys of a rules file, without those of its settings. */
  public static final Set<String> PARTS =
      Set.of("identity", "tiers", "prices", "rules", "calls", "lint-ignore");

  /** The warnings that do not concern a gateway. */
  private static final Set<String> NOT_FOR_GATEWAYS =
      Set.of(LintCodes.NEEDS_GATEWAY, LintCodes.NEEDS_RELEASE);

  /** The warnings that do not concern an application. */
  private static final Set<String> NOT_FOR_APPLICATIONS =
      Set.of(LintCodes.NEEDS_APPLICATION, LintCodes.NEEDS_RELEASE);

  private final KeySpace keys;
  private final Map<String, String> environment;
  private final DomainDefaults domains;
  private final boolean needsUpstreams;
  private final Service service;

  /** What the rules are for. */
  private enum Service {
    SERVER,
    GATEWAY,
    APPLICATION,
    /** A gateway if the files have upstreams, else a server. */
    BY_CONTENT
  }

  /**
   * A loader with the defaults of Envoy's rate limit service for domains.
   *
   * @param keys makes the keys of counters; the same for every version of the rules, so that
   *     counters outlive them
   * @param environment the variables that {@code secret-env} may name
   */
  public RulesLoader(KeySpace keys, Map<String, String> environment) {
    this(keys, environment, DomainDefaults.DEFAULT, false, Service.SERVER);
  }

  private RulesLoader(
      KeySpace keys,
      Map<String, String> environment,
      DomainDefaults domains,
      boolean needsUpstreams,
      Service service) {
    this.keys = keys;
    this.environment = Map.copyOf(environment);
    this.domains = domains;
    this.needsUpstreams = needsUpstreams;
    this.service = service;
  }

  /**
   * A copy of this loader for a gateway, which sees bodies, responses and the end of requests: it
   * omits the warnings that other edges do not.
   *
   * @param needsUpstreams whether to refuse files without an upstream
   */
  public RulesLoader forGateway(boolean needsUpstreams) {
    return new RulesLoader(keys, environment, domains, needsUpstreams, Service.GATEWAY);
  }

  /**
   * A copy of this loader for rules inside an application, which knows its users and sees the end
   * of requests: it omits the warnings that other edges do not.
   */
  public RulesLoader forApplication() {
    return new RulesLoader(keys, environment, domains, false, Service.APPLICATION);
  }

  /** A copy of this loader for any service: files with upstreams are for a gateway. */
  public RulesLoader forAnyService() {
    return new RulesLoader(keys, environment, domains, false, Service.BY_CONTENT);
  }

  /** A copy of this loader with other defaults for domains. */
  public RulesLoader with(DomainDefaults defaults) {
    return new RulesLoader(keys, environment, defaults, needsUpstreams, service);
  }

  /** A set without rules. */
  RuleSet empty() {
    RuleBook empty = RuleBook.of(List.of(), keys);
    return new RuleSet(
        empty,
        List.of(),
        HttpSettings.DEFAULT,
        DomainBook.EMPTY,
        GatewaySettings.NONE,
        version(List.of()),
        List.of());
  }

  /**
   * Loads the files.
   *
   * @throws RulesRejected if there is any error in them
   */
  public RuleSet load(List<RulesText> texts) throws RulesRejected {
    Problems problems = new Problems();
    EnvoyFiles envoy = new EnvoyFiles(domains, problems);
    List<Section> files = new ArrayList<>();
    List<RulesText> read = new ArrayList<>();
    Set<String> known = new HashSet<>(PARTS);
    known.addAll(SettingsSyntax.KEYS);
    known.addAll(GatewaySyntax.KEYS);
    boolean incomplete = false;
    for (RulesText text : texts) {
      YamlNode root =
          text.text(problems).map(yaml -> YamlTree.read(text.name(), yaml, problems)).orElse(null);
      incomplete |= !(root instanceof YamlNode.Fields);
      if (root != null && EnvoyFiles.isEnvoyFormat(root)) {
        envoy.add(root);
      } else if (root instanceof YamlNode.Text || root instanceof YamlNode.Items) {
        String expected = "a mapping with rules, and perhaps identity and tiers";
        problems.error(root.location(), "rules file", root.kind(), expected);
      } else if (root != null) {
        files.add(Section.of(root, "rules file", known, problems));
        read.add(text);
      }
    }
    SettingsSyntax.refuseSecond(files, SettingsSyntax.KEYS, problems);
    HttpSettings http = readSettings(files, read, problems);
    DomainBook book = envoy.read();
    RulesReader reader = new RulesReader(files, incomplete, problems);
    RulesReader.Parsed parsed = reader.read(envoy.isEmpty(), http.pathCaseSensitive());
    boolean jwtConfigured = incomplete || isConfigured(files, "jwt");
    boolean proxiesConfigured =
        incomplete || isConfigured(files, "trusted-proxies") || isConfigured(files, "trusted-hops");
    ConditionLint conditions = new ConditionLint(jwtConfigured, proxiesConfigured, problems);
    GatewaySettings gateway =
        new GatewaySyntax(reader.matches(http.pathCaseSensitive()), conditions, problems)
            .read(files, read, incomplete);
    if (needsUpstreams && gateway.upstreams().isEmpty() && !files.isEmpty() && !incomplete) {
      problems.error(
          files.get(0).location(), "upstreams", "nothing", "upstreams, or --upstream URL");
    }
    new Lint(parsed.rules(), conditions, problems).run();
    new CallLint(problems).check(files, parsed.calls());
    new TrustLint(problems).checkHeaders(files, conditions.trustedHeaders());
    new EffectLint(problems).checkAll(files, parsed.all(), book);
    Set<String> ignored = ignoredWarnings(files, problems);
    ignored.addAll(envoy.ignoredWarnings());
    ignored.addAll(notConcerning(gateway));
    List<Problem> found =
        problems.sorted().stream().filter(one -> !ignored.contains(one.code())).toList();
    if (problems.hasErrors()) {
      throw new RulesRejected(found);
    }
    RuleBook compiled = RuleBook.of(rules(parsed.rules()), keys, gateway.names());
    List<Rule> calls = rules(parsed.calls());
    return new RuleSet(compiled, calls, http, book, gateway, version(texts), found);
  }

  private static List<Rule> rules(List<RuleSyntax.ParsedRule> parsed) {
    return parsed.stream().map(RuleSyntax.ParsedRule::rule).toList();
  }

  /** The warnings that do not concern the service that the rules are for. */
  private Set<String> notConcerning(GatewaySettings gateway) {
    return switch (service) {
      case SERVER -> Set.of();
      case GATEWAY -> NOT_FOR_GATEWAYS;
      case APPLICATION -> NOT_FOR_APPLICATIONS;
      case BY_CONTENT -> gateway.upstreams().isEmpty() ? Set.of() : NOT_FOR_GATEWAYS;
    };
  }

  /** Whether a file has the key, be it invalid or misspelt. */
  private static boolean isConfigured(List<Section> files, String key) {
    return files.stream().anyMatch(file -> !file.lacks(key));
  }

  private HttpSettings readSettings(List<Section> files, List<RulesText> texts, Problems problems) {
    HttpSettings settings = HttpSettings.DEFAULT;
    for (int i = 0; i < files.size(); i++) {
      if (SettingsSyntax.isConfiguredIn(files.get(i))) {
        JwtSyntax tokens = new JwtSyntax(texts.get(i).directory(), environment, problems);
        settings = new SettingsSyntax(problems).read(files.get(i), settings, tokens);
      }
    }
    return settings;
  }

  private static Set<String> ignoredWarnings(List<Section> files, Problems problems) {
    Set<String> ignored = new HashSet<>();
    for (Section file : files) {
      for (YamlNode.Text text : file.texts("lint-ignore")) {
        if (LintCodes.OF_RULES.contains(text.value())) {
          ignored.add(text.value());
        } else {
          String expected = Spelling.expected(text.value(), LintCodes.OF_RULES);
          problems.error(text.location(), "lint-ignore", text.value(), expected);
        }
      }
    }
    return ignored;
  }

  /**
   * The version of a text, valid or not: 12 hexadecimal digits of a hash of the files' bytes, in
   * order, and of nothing else. So the same files have the same version on every machine, and
   * {@code weir validate} prints what a server will report as {@link RuleSet#version()}.
   */
  public static String version(List<RulesText> texts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (RulesText text : texts) {
        digest.update(digest(text));
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 6);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every Java has SHA-256
    }
  }

  private static byte[] digest(RulesText text) throws NoSuchAlgorithmException {
    return MessageDigest.getInstance("SHA-256").digest(text.bytes());
  }
}
