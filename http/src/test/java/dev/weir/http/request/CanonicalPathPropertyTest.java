package dev.weir.http.request;

import static org.assertj.core.api.Assertions.fail;

import dev.weir.Descriptor;
import dev.weir.testkit.Effort;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Properties of every canonical path, checked on random targets. */
public class CanonicalPathPropertyTest {
  private static final int ROUNDS = Effort.of(50_000, 200_000);

  @Test
  void canonicalPathIsItsOwnCanonicalPath() {
    long seed = 6_874_839;
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      String target = randomTarget(random);
      boolean caseSensitive = random.nextBoolean();
      String once = CanonicalPath.of(target, caseSensitive).path();
      if (Descriptor.isUnusable(once)) {
        continue;
      }
      CanonicalPath twice = CanonicalPath.of(once, caseSensitive);
      if (!twice.path().equals(once) || !looksCanonical(once)) {
        fail("seed %d, round %d: %s became %s, then %s", seed, i, target, once, twice);
      }
    }
  }

  /** Rules fold the case of their paths separately, requests fold it while they are read. */
  @Test
  void foldingAPathIsReadingItInAnyCase() {
    long seed = 20_261_116;
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      String target = randomTarget(random);
      CanonicalPath plain = CanonicalPath.of(target, true);
      CanonicalPath anyCase = CanonicalPath.of(target, false);
      List<String> others = plain.otherReadings().stream().map(CanonicalPath::foldCase).toList();
      boolean same =
          Descriptor.isUnusable(plain.path())
              ? Descriptor.isUnusable(anyCase.path())
              : CanonicalPath.foldCase(plain.path()).equals(anyCase.path());
      if (!same || !others.equals(anyCase.otherReadings())) {
        fail("seed %d, round %d: %s is %s, in any case %s", seed, i, target, plain, anyCase);
      }
    }
  }

  public static boolean looksCanonical(String path) {
    boolean clean = ";?#\\".chars().noneMatch(c -> path.indexOf(c) >= 0);
    String closed = path + "/";
    return path.equals("*")
        || Descriptor.isUnusable(path)
        || path.equals("/")
        || (clean
            && path.startsWith("/")
            && !closed.contains("//")
            && !closed.contains("/./")
            && !closed.contains("/../"));
  }

  /** Needless escapes and dot segments never make another path. */
  @Test
  void respelledPathHasTheSameCanonicalPath() {
    long seed = 99_173;
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS / 4; i++) {
      boolean dots = random.nextBoolean(); // together with parameters the path is unusable
      StringBuilder plain = new StringBuilder();
      StringBuilder spelled = new StringBuilder();
      for (int segments = 1 + random.nextInt(4); segments > 0; segments--) {
        plain.append('/');
        spelled.append("/".repeat(1 + random.nextInt(2)));
        if (random.nextInt(4) == 0) {
          spelled.append(dots ? random.nextBoolean() ? "./" : "x/%2e%2E/" : "/");
        }
        for (int letters = 1 + random.nextInt(5); letters > 0; letters--) {
          String letter = new String[] {"a", "b", "é", "€", "😀", "~"}[random.nextInt(6)];
          plain.append(letter);
          spelled.append(random.nextBoolean() ? letter : escaped(letter, random));
        }
        spelled.append(!dots && random.nextInt(4) == 0 ? ";v=" + random.nextInt(9) : "");
      }
      spelled.append(random.nextBoolean() ? "/" : "").append(random.nextBoolean() ? "?q" : "");
      if (!path(spelled.toString()).equals(plain.toString())) {
        fail("seed %d, round %d: %s is not %s", seed, i, spelled, plain);
      }
    }
  }

  static String randomTarget(Random random) {
    String[] parts = {
      "/",
      "/",
      "//",
      "a",
      "B",
      "..",
      ".",
      "%2e",
      "%2E",
      "%2f",
      "%2F",
      "%5C",
      "\\",
      ";",
      ";x=1",
      "%25",
      "%252e",
      "%",
      "%4",
      "%zz",
      "%C3%A9",
      "%c3",
      "%a9",
      "%FF",
      "%00",
      "\u0001",
      "\u0085",
      "é",
      "\ud83d\ude00",
      "\ud83d",
      "\ude00",
      "%3F",
      "%23",
      "%3b",
      "*",
      "İ",
      "ẞ",
      "Σ",
      "\u212A",
      "%E2%84%AA",
      "𐐀",
      "http://h",
      ":",
      "%F0%9F%98%80",
      "%ED%A0%80",
      " "
    };
    StringBuilder target = new StringBuilder(random.nextInt(8) == 0 ? "" : "/");
    for (int n = random.nextInt(12); n > 0; n--) {
      target.append(parts[random.nextInt(parts.length)]);
    }
    return target.append(random.nextInt(6) == 0 ? "?a=/../b" : "").toString();
  }

  private static String escaped(String letter, Random random) {
    StringBuilder text = new StringBuilder();
    for (byte b : letter.getBytes(StandardCharsets.UTF_8)) {
      text.append(String.format(random.nextBoolean() ? "%%%02x" : "%%%02X", b));
    }
    return text.toString();
  }

  private static String path(String target) {
    return CanonicalPath.of(target, true).path();
  }
}
