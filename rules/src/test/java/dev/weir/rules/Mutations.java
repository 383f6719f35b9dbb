package dev.weir.rules;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Mutates rules files as typing errors, editors and disks do. */
final class Mutations {
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_./%-]+");
  private static final List<String> TOKENS =
      List.of(
          "0",
          "-1",
          "1",
          "9223372036854775807",
          "9223372036854775808",
          "2251799813685248",
          "1e9",
          "0x7f",
          "1_0",
          "NaN",
          "~",
          "null",
          "true",
          "",
          "\"\"",
          "''",
          "''''",
          "\"",
          "'",
          "[]",
          "{}",
          "[[]]",
          "{a: b}",
          "[a, b]",
          "*a",
          "&a",
          "&a [*a]",
          "!!int 1",
          "!x",
          "<<: *a",
          "%",
          "@",
          "`",
          "|",
          ">",
          "- ",
          ": ",
          "? ",
          "# ",
          "---",
          "...",
          "\t",
          "\r",
          "\u0085",
          "\u2028",
          "\uFEFF",
          "\uD83D\uDE00",
          "é",
          "0/s",
          "1/0s",
          "999999999999999999/ms",
          "1/999999999weeks",
          "5/month from day 31 in Pacific/Apia",
          "5/day in X",
          "unlimited",
          "blocked",
          "token-bucket",
          "leaky-bucket",
          "sliding-log",
          "sliding-counter",
          "fixed-window",
          "concurrent",
          "expires",
          "9999999 weeks",
          "burst",
          "queue",
          "tier",
          "default-tier",
          "overrides",
          "for",
          "allow",
          "block",
          "all",
          "ip",
          "path",
          "host",
          "method",
          "caller",
          "pair",
          "header",
          "header X",
          "trusted-header X",
          "cookie c",
          "jwt sub",
          "jwt",
          "entry e",
          "10.0.0.0/8",
          "10.0.0.1/8",
          "::/0",
          "::ffff:1.2.3.4",
          "/**",
          "/**/a/**",
          "/{a}/*b*",
          "/%2e",
          "//",
          "/..",
          "100%",
          "100.01%",
          "0%",
          "name",
          "rules",
          "limit",
          "match",
          "per",
          "cost",
          "rollout",
          "shadow",
          "mode",
          "share",
          "strict",
          "leased",
          "automatic",
          "local",
          "0.01%",
          "when-absent",
          "skip");

  private final Random random;
  private final List<String> seeds;
  private final List<String> words = new ArrayList<>(TOKENS);

  Mutations(Random random, List<String> seeds, String... words) {
    this.random = random;
    this.seeds = seeds;
    this.words.addAll(Arrays.asList(words));
  }

  byte[] next() {
    String text = pick(seeds);
    int times = 1 + random.nextInt(4);
    for (int i = 0; i < times; i++) {
      text =
          switch (random.nextInt(5)) {
            case 0 -> lines(text);
            case 1 -> splice(text);
            case 2 -> truncate(text);
            default -> token(text);
          };
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return random.nextInt(4) == 0 ? flip(bytes) : bytes;
  }

  private String lines(String text) {
    List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
    int line = random.nextInt(lines.size());
    int other = random.nextInt(lines.size());
    switch (random.nextInt(5)) {
      case 0 -> lines.remove(line);
      case 1 -> lines.add(other, lines.get(line));
      case 2 -> Collections.swap(lines, line, other);
      case 3 -> lines.set(line, "  " + lines.get(line));
      default -> lines.set(line, lines.get(line).strip());
    }
    return String.join("\n", lines);
  }

  private String token(String text) {
    Matcher tokens = TOKEN.matcher(text);
    if (text.isEmpty() || !tokens.find(random.nextInt(text.length()))) {
      return text + pick(words);
    }
    return text.substring(0, tokens.start()) + pick(words) + text.substring(tokens.end());
  }

  private String splice(String text) {
    String other = pick(seeds);
    int from = random.nextInt(other.length());
    int to = Math.min(other.length(), from + random.nextInt(200));
    int at = random.nextInt(text.length() + 1);
    return text.substring(0, at) + other.substring(from, to) + text.substring(at);
  }

  private String truncate(String text) {
    int at = random.nextInt(text.length() + 1);
    return random.nextBoolean() ? text.substring(0, at) : text.substring(at);
  }

  private byte[] flip(byte[] bytes) {
    for (int i = 0; bytes.length > 0 && i < 1 + random.nextInt(3); i++) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return bytes;
  }

  private String pick(List<String> from) {
    return from.get(random.nextInt(from.size()));
  }
}
