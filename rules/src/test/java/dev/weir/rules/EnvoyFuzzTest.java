package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.domain.DescriptorMatch;
import dev.weir.rules.domain.Domain;
import dev.weir.rules.domain.Entry;
import dev.weir.rules.envoy.DomainDefaults;
import dev.weir.rules.yaml.Problem;
import dev.weir.rules.yaml.RulesText;
import dev.weir.rules.yaml.SourceLocation;
import dev.weir.testkit.Effort;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Mutated files, twenty thousand in a thorough build: each is refused with a location, or loads.
 */
class EnvoyFuzzTest {
  private static final int FILES = Effort.of("weir.fuzz.files", 4_000, 20_000);
  private static final String[] TOKENS = {
    "domain",
    "descriptors",
    "key",
    "value",
    "rate_limit",
    "unit",
    "requests_per_unit",
    "unlimited",
    "replaces",
    "shadow_mode",
    "quota_mode",
    "detailed_metric",
    "value_to_metric",
    "metadata",
    "share_threshold",
    "unit_multiplier",
    "algorithm",
    "burst",
    "queue",
    "per",
    "priority",
    "when_store_fails",
    "accounting",
    "lint_ignore",
    "second",
    "month",
    "year",
    "4294967296",
    "4294967295",
    "0o17",
    "017",
    "089",
    ".inf",
    "yes",
    "'*'",
    "'a*b*'",
    "'**'",
    "'<<'",
    "<<: {}",
    "all_or_none",
    "token_bucket",
    "sliding_log",
    "day in Europe/Berlin",
    "10s",
    "9999999 weeks"
  };

  @Test
  void mutatedFileIsRefusedWithALocationOrLoads() throws Exception {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Random random = new Random(seed);
    Mutations mutations = new Mutations(random, seeds(), TOKENS);
    RulesLoader loader = TestRules.loader().with(new DomainDefaults(true, false));
    int accepted = 0;
    for (int i = 0; i < FILES; i++) {
      byte[] bytes = mutations.next();
      try {
        accepted += check(loader, bytes, random) ? 1 : 0;
      } catch (Throwable e) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        throw new AssertionError("-Dweir.seed=" + seed + ", file " + i + ":\n" + text, e);
      }
    }
    assertThat(accepted)
        .as("valid and invalid files, seed " + seed)
        .isBetween(FILES / 100, FILES - FILES / 5);
  }

  private static List<String> seeds() throws Exception {
    String everything = Files.readString(TestEnvoy.RESOURCES.resolve("everything.yaml"));
    List<String> seeds = new ArrayList<>(List.of(everything));
    String[] parts = everything.split("(?m)^  (?=- )", -1);
    for (int i = 1; i < parts.length; i++) {
      seeds.add(parts[0] + "  " + parts[i]);
    }
    try (Stream<Path> broken = Files.list(TestEnvoy.RESOURCES.resolve("broken"))) {
      for (Path file : broken.filter(one -> one.toString().endsWith(".yaml")).sorted().toList()) {
        seeds.add(Files.readString(file));
      }
    }
    return seeds;
  }

  /** Whether the file is accepted together with a valid one for the same domain. */
  private static boolean check(RulesLoader loader, byte[] bytes, Random random) {
    RulesText valid =
        RulesText.of("valid", TestEnvoy.shop("key: valid, rate_limit: {unlimited: true}"));
    RuleSet rules;
    try {
      rules = loader.load(List.of(valid, new RulesText("f", Path.of(""), bytes)));
    } catch (RulesRejected e) {
      int lines = 1 + new String(bytes, StandardCharsets.UTF_8).split("\\R", -1).length;
      if (e.problems().isEmpty()) {
        throw new AssertionError("refused without a problem", e);
      }
      for (Problem problem : e.problems()) {
        SourceLocation location = problem.location();
        boolean inside = location.line() >= 1 && location.line() <= lines && location.column() >= 1;
        if (!inside && !location.file().equals("valid")) {
          throw new AssertionError("outside of the file: " + problem, e);
        }
      }
      return false;
    }
    for (String name : rules.domains().names()) {
      Domain domain = rules.domains().domain(name).orElseThrow();
      domain
          .match(entries(random))
          .map(DescriptorMatch::metric)
          .ifPresent(one -> assertThat(one).isNotEmpty());
    }
    return true;
  }

  private static List<Entry> entries(Random random) {
    List<String> words = List.of("remote_address", "route", "/files/1/raw", "plan", "gold", "api");
    List<Entry> entries = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      entries.add(new Entry(words.get(random.nextInt(6)), words.get(random.nextInt(6))));
    }
    return entries;
  }
}
