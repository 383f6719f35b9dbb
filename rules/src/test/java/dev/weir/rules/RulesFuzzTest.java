package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.http.identity.HttpReader;
import dev.weir.rule.book.Match;
import dev.weir.rules.yaml.Problem;
import dev.weir.rules.yaml.RulesText;
import dev.weir.rules.yaml.SourceLocation;
import dev.weir.testkit.Effort;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Mutated files, a hundred thousand in a thorough build: each is refused with a location, or loads.
 */
class RulesFuzzTest {
  private static final int FILES = Effort.of("weir.fuzz.files", 10_000, 100_000);
  private static final long MAX_NANOS = 1_000_000_000;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  @Test
  void fileWithEveryFeatureLoads() throws Exception {
    String everything = Files.readString(TestRules.RESOURCES.resolve("everything.yaml"));
    assertThat(TestRules.load(everything).warnings()).isEmpty();
  }

  @Test
  void mutatedFileIsRefusedWithALocationOrLoads() throws Exception {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Random random = new Random(seed);
    List<String> seeds = new ArrayList<>();
    seeds.addAll(parts(TestRules.sample()));
    seeds.addAll(parts(Files.readString(TestRules.RESOURCES.resolve("everything.yaml"))));
    Mutations mutations = new Mutations(random, seeds);
    RulesLoader loader = TestRules.loader();
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
    assertThat(accepted).as("valid and invalid files, seed " + seed).isBetween(FILES / 100, FILES);
  }

  /**
   * A file, and a smaller one for each of its rules: most mistakes need no more, and they are fast.
   */
  private static List<String> parts(String yaml) {
    List<String> parts = new ArrayList<>(List.of(yaml));
    String[] rules = yaml.split("(?m)^  (?=- )", -1);
    for (int i = 1; i < rules.length; i++) {
      parts.add(rules[0] + "  " + rules[i]);
    }
    return parts;
  }

  /** Whether the file is accepted. */
  private boolean check(RulesLoader loader, byte[] bytes, Random random) {
    long start = threads.getCurrentThreadCpuTime();
    RuleSet rules;
    try {
      rules = loader.load(List.of(new RulesText("f", Path.of(""), bytes)));
    } catch (RulesRejected e) {
      checkTime(start);
      int lines = 1 + new String(bytes, StandardCharsets.UTF_8).split("\\R", -1).length;
      if (e.problems().isEmpty()) {
        throw new AssertionError("refused without a problem", e);
      }
      for (Problem problem : e.problems()) {
        SourceLocation location = problem.location();
        if (location.line() < 1 || location.line() > lines || location.column() < 1) {
          throw new AssertionError("outside of the file: " + problem, e);
        }
      }
      return false;
    }
    try (HttpReader reader = new HttpReader(rules.http(), rules.book().names())) {
      Match match = new RulesSnapshot(rules, reader).match(request(random), random.nextInt(2));
      Claim.request(match.claims());
    }
    checkTime(start);
    return true;
  }

  private void checkTime(long start) {
    long nanos = threads.getCurrentThreadCpuTime() - start;
    if (nanos > MAX_NANOS) {
      throw new AssertionError("took " + nanos / 1_000_000 + " ms");
    }
  }

  private static FakeRequest request(Random random) {
    List<String> paths = List.of("/", "/login", "/up/7", "/img/a.png", "/api/x", "/%2e%2e//a", "*");
    FakeRequest request =
        FakeRequest.of(random.nextBoolean() ? "POST" : "GET", paths.get(random.nextInt(7)));
    request = random.nextBoolean() ? request.from("10.0.0.1") : request.from("fd00::1");
    request =
        random.nextBoolean() ? request.with("X-API-Key", "acme") : request.at("a.example.com");
    return random.nextBoolean() ? request.with("X-Tenant", "acme") : request;
  }
}
