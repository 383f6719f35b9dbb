package dev.weir.benchmarks.rules;

import dev.weir.rules.RuleSet;

/** Many rules that differ in one kind of condition; the first matches the sample request. */
public enum RulesOfKind {
  NETWORKS("ip: %s", "203.0.113.0/24", "100.%d.%d.0/24"),
  HOSTS("host: '%s'", "*.example.com", "*.tenant-%d-%d.example.org"),
  HEADERS("header: {User-Agent: '%s'}", "bench/*", "agent-%d-%d/*"),
  HEADERS_WITHIN("header: {User-Agent: '%s'}", "*ench*", "*agent-%d-%d*"),
  PARTIAL_SEGMENTS("path: '%s'", "/api/ri*/request", "/api/img-%d-%d*/request"),
  PATHS_BELOW("path: '%s'", "/**/request", "/**/thing-%d-%d"),
  PATHS_BETWEEN("path: '%s'", "/**/rides/**", "/**/thing-%d-%d/**"),
  OVERRIDES("", "203.0.113.0/24", "100.%d.%d.0/24");

  private final String match;
  private final String first;
  private final String others;

  RulesOfKind(String match, String first, String others) {
    this.match = match;
    this.first = first;
    this.others = others;
  }

  private String value(int number) {
    return number == 0 ? first : others.formatted(number / 200, number % 200);
  }

  RuleSet load(int count) {
    StringBuilder text = new StringBuilder("trusted-proxies: [10.0.0.0/8]\nrules:\n");
    if (this == OVERRIDES) {
      text.append("  - name: one\n    per: ip\n    limit: 10/second\n    overrides:\n");
    }
    for (int i = 0; i < count; i++) {
      text.append(
          this == OVERRIDES
              ? "      %s: %d/minute%n".formatted(value(i), i + 1)
              : "  - {name: rule-%d, match: {%s}, per: ip, limit: 10/second}%n"
                  .formatted(i, match.formatted(value(i))));
    }
    return SampleRules.load(text.toString());
  }
}
