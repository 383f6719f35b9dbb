package dev.weir.rules;

import dev.weir.rules.domain.DescriptorMatch;
import dev.weir.rules.domain.Domain;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.domain.Entry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Loads descriptors in the format of Envoy's rate limit service. */
public final class TestEnvoy {
  static final Path RESOURCES = Path.of("src/test/resources/envoy");

  private TestEnvoy() {}

  /** A domain {@code shop} with these descriptors, in flow style, one in a line from line 3. */
  public static String shop(String... descriptors) {
    StringBuilder yaml = new StringBuilder("domain: shop\ndescriptors:\n");
    for (String one : descriptors) {
      yaml.append("  - {").append(one).append("}\n");
    }
    return yaml.toString();
  }

  public static Domain load(String... descriptors) throws RulesRejected {
    return TestRules.load(shop(descriptors)).domains().domain("shop").orElseThrow();
  }

  /** The rule of a descriptor with one key, {@code a}, and this rate. */
  static DomainRule rate(String rate) throws RulesRejected {
    return load("key: a, rate_limit: {" + rate + "}").rules().get(0);
  }

  /** The match of a descriptor such as {@code "a=b c=d"}. */
  static Optional<DescriptorMatch> match(Domain domain, String descriptor) {
    List<Entry> entries = new ArrayList<>();
    for (String one : descriptor.split(" ", -1)) {
      String[] parts = one.split("=", 2);
      entries.add(new Entry(parts[0], parts[1]));
    }
    return domain.match(entries);
  }

  public static List<String> errors(String name, String yaml) {
    return BrokenFilesContract.errors(name, yaml.getBytes(StandardCharsets.UTF_8));
  }

  /** The warnings about some descriptors, without the file's name. */
  public static List<String> warnings(String... descriptors) throws RulesRejected {
    return TestRules.load(shop(descriptors)).warnings().stream()
        .map(one -> one.toString().replaceFirst("^rules.yaml:", ""))
        .toList();
  }
}
