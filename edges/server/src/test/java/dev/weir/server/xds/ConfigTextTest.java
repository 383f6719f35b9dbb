package dev.weir.server.xds;

import static dev.weir.server.xds.TestConfigs.config;
import static dev.weir.server.xds.TestConfigs.descriptor;
import static dev.weir.server.xds.TestConfigs.limited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.weir.envoy.ratelimit.config.v3.RateLimitConfig;
import dev.weir.envoy.ratelimit.config.v3.RateLimitDescriptor;
import dev.weir.envoy.ratelimit.config.v3.RateLimitPolicy;
import dev.weir.envoy.ratelimit.config.v3.RateLimitReplace;
import dev.weir.envoy.ratelimit.config.v3.RateLimitUnit;
import dev.weir.key.KeySpace;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.domain.Entry;
import dev.weir.rules.domain.Unit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Configuration messages are converted to the YAML that a file would have. */
class ConfigTextTest {
  private static final RulesLoader LOADER = new RulesLoader(KeySpace.random(), Map.of());

  private static RuleSet load(RateLimitConfig config) throws RulesRejected {
    return LOADER.load(List.of(ConfigText.source(config, 1)));
  }

  private static DomainRule only(RateLimitConfig config) throws RulesRejected {
    RuleSet rules = load(config);
    assertThat(rules.warnings()).isEmpty();
    assertThat(rules.domains().rules()).hasSize(1);
    return rules.domains().rules().get(0);
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static Value number(double number) {
    return Value.newBuilder().setNumberValue(number).build();
  }

  @Test
  void everyFieldIsConverted() throws Exception {
    Struct inner =
        Struct.newBuilder().putFields("<<", text("no merge")).putFields("n", number(7)).build();
    Struct.Builder metadata =
        Struct.newBuilder()
            .putFields("text", text("yes"))
            .putFields("a: {long} name ".repeat(200), text("null"))
            .putFields("flag", Value.newBuilder().setBoolValue(true).build())
            .putFields("half", number(-0.5))
            .putFields("large", number(1e300))
            .putFields("whole", number(-3))
            .putFields("odd", number(Double.NaN))
            .putFields("null", Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build())
            .putFields("map", Value.newBuilder().setStructValue(inner).build())
            .putFields(
                "list",
                Value.newBuilder()
                    .setListValue(ListValue.newBuilder().addValues(text("a")).addValues(number(2)))
                    .build());
    RateLimitPolicy.Builder policy =
        RateLimitPolicy.newBuilder()
            .setUnit(RateLimitUnit.WEEK)
            .setRequestsPerUnit(-1)
            .setName("own")
            .addReplaces(RateLimitReplace.newBuilder().setName("own2"));
    RateLimitDescriptor.Builder full =
        descriptor("key", "value")
            .setShadowMode(true)
            .setQuotaMode(true)
            .setDetailedMetric(true)
            .setMetadata(metadata)
            .setRateLimit(policy);
    RateLimitDescriptor.Builder other =
        descriptor("other", "")
            .setRateLimit(RateLimitPolicy.newBuilder().setUnlimited(true).setName("own2"));
    RuleSet rules = load(config("", "shop", descriptor("outer", "").addDescriptors(full), other));
    assertThat(rules.warnings()).isEmpty();
    assertThat(rules.domains().rules()).hasSize(2);
    DomainRule rule = rules.domains().rules().get(0);
    assertThat(rule.path()).isEqualTo("shop.outer.key_value");
    assertThat(rule.enforcement().shadow() && rule.enforcement().quota()).isTrue();
    assertThat(rule.reporting().detailed()).isTrue();
    assertThat(rule.name()).isEqualTo("own");
    assertThat(rule.replaces()).containsExactly("own2");
    DomainRule.Rate rate = Objects.requireNonNull(rule.rate());
    assertThat(rate.requestsPerUnit()).isEqualTo(4_294_967_295L);
    assertThat(rate.unit()).isEqualTo(Unit.WEEK);
    Map<String, Object> expected = new HashMap<>();
    expected.put("text", "yes");
    expected.put("a: {long} name ".repeat(200), "null");
    expected.put("flag", true);
    expected.put("half", -0.5);
    expected.put("large", 1e300);
    expected.put("whole", -3L);
    expected.put("odd", "NaN");
    expected.put("map", Map.of("<<", "no merge", "n", 7L));
    expected.put("list", List.of("a", 2L));
    Map<String, Object> read = new HashMap<>(rule.reporting().metadata());
    assertThat(read).containsKey("null");
    assertThat(read.remove("null")).isNull();
    assertThat(read).isEqualTo(expected);
    assertThat(rules.domains().rules().get(1).isUnlimited()).isTrue();
  }

  @Test
  void unitsMatchTheirEnumNumbers() throws Exception {
    for (Unit unit : Unit.values()) {
      DomainRule rule = only(config("", "d", limited("k", 1, RateLimitUnit.valueOf(unit.name()))));
      DomainRule.Rate rate = Objects.requireNonNull(rule.rate());
      assertThat(rate.unit()).isEqualTo(unit);
    }
    RateLimitPolicy.Builder unknown = RateLimitPolicy.newBuilder().setUnitValue(99);
    assertThatThrownBy(() -> load(config("n", "d", descriptor("k", "").setRateLimit(unknown))))
        .hasMessageStartingWith("n:1:")
        .hasMessageContaining("unit: 99 (expected: ");
  }

  @Test
  void resourceIsNamedByNameDomainOrPosition() {
    assertThat(ConfigText.source(config("a\nb", "d"), 7).name()).isEqualTo("a?b");
    assertThat(ConfigText.source(config("", "d"), 7).name()).isEqualTo("d");
    assertThat(ConfigText.source(config("", ""), 7).name()).isEqualTo("resource 7");
    assertThat(ConfigText.source(config("x".repeat(9_000), ""), 7).name()).hasSize(201);
  }

  @Test
  void textsAreNeverReadAsOtherTypes() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    String alphabet = "\"\\{}[]:,#&*!|>'%@`-? \n\r\t\0\u0085\u2028\uFEFFäあ~nulltrue0x1<";
    int[] characters = (alphabet + "\uD83D\uDE00").codePoints().toArray();
    for (int i = 0; i < 2_000; i++) {
      String domain = "d" + any(random, characters);
      String key = "k" + any(random, characters).replace("*", "");
      String value = "v" + any(random, characters).replace("*", "");
      RateLimitDescriptor.Builder descriptor = limited(key, 3, RateLimitUnit.HOUR).setValue(value);
      RuleSet rules = load(config("", domain, descriptor));
      assertThat(rules.domains().names()).as("seed %s", seed).containsExactly(domain);
      assertThat(rules.domains().domain(domain).orElseThrow().match(List.of(new Entry(key, value))))
          .as("seed %s: %s %s", seed, key, value)
          .isPresent();
    }
  }

  private static String any(Random random, int[] characters) {
    int[] some =
        random.ints(random.nextInt(12), 0, characters.length).map(i -> characters[i]).toArray();
    return Arrays.stream(some)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  @Test
  void oversizedOrDeeplyNestedConfigIsRejected() {
    RateLimitDescriptor.Builder large = descriptor("k", "\n".repeat(1_000_000)).setShadowMode(true);
    assertThatThrownBy(() -> load(config("n", "d", large, descriptor("l", ""))))
        .hasMessage("n:1:1: size: more than 4194304 bytes (expected: at most that)");
    RateLimitDescriptor.Builder deep = descriptor("k", "");
    for (int i = 0; i < 40; i++) {
      deep = descriptor("k", "").addDescriptors(deep);
    }
    RateLimitDescriptor.Builder deepest = deep;
    assertThatThrownBy(() -> load(config("n", "d", deepest)))
        .hasMessageContaining("nesting: 25 (expected: at most 24)");
  }
}
