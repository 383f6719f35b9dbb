package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.nimbusds.jose.JWSAlgorithm;
import dev.weir.Descriptor;
import dev.weir.http.address.ForwardedHeader;
import dev.weir.http.address.Network;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.identity.HttpSettings;
import dev.weir.http.jwt.JwtKeys;
import dev.weir.http.jwt.JwtSettings;
import dev.weir.http.request.CanonicalPathPropertyTest;
import dev.weir.testkit.Effort;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads mutated requests, as an attacker might send them. */
class FuzzTest {
  private static final long SEED = 4_816_230_599L;
  private static final int ROUNDS = Effort.of(20_000, 100_000);
  private static final Duration MAX_DURATION = Duration.ofSeconds(Effort.of(30, 2));

  private static final String[] NAMES = {
    "method",
    "host",
    "path",
    "path other-readings",
    "ip",
    "ip exact",
    "header x-key",
    "trusted-header x-user",
    "cookie id",
    "jwt sub",
    "entry x"
  };

  private static final String[] SCRAPS = {
    "",
    " ",
    ",",
    ";",
    "\"",
    "\\",
    "=",
    "[",
    "]",
    ":",
    "::",
    "%",
    "%00",
    "%2f",
    "..",
    "/",
    "@",
    "*",
    "for=",
    "for=\"",
    "unknown",
    "_x",
    "10.0.0.1",
    "::ffff:1.2.3.4",
    "fe80::1%eth0",
    "\u0000",
    "\r\n",
    "é",
    "\ud83d",
    "{",
    "}",
    "Bearer ",
    "a.b.c",
    "connection",
    "x-forwarded-for",
    "id=",
    "\t",
    "?",
    "#",
    "http://",
    "99999999999999999999",
    "-1"
  };

  private final String token = Tokens.sign(Tokens.SECRET, JWSAlgorithm.HS256, Tokens.ann().build());
  private final ManualClock clock = new ManualClock();

  @Test
  @Timeout(300)
  void randomRequestsNeverBreakTheReader() {
    Random random = new Random(SEED);
    HttpReader[] readers = {
      reader(Readers.trusting("10.0.0.0/8", "::/0")),
      reader(Readers.hops(2).withForwardedHeader(ForwardedHeader.FORWARDED)),
      reader(HttpSettings.DEFAULT.withPathCaseSensitive(false)),
    };
    int accepted = 0;
    for (int i = 0; i < ROUNDS; i++) {
      FakeRequest request = request(random);
      HttpReader reader = readers[random.nextInt(readers.length)];
      long start = System.nanoTime();
      Descriptor read;
      try {
        read = reader.read(request);
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError("seed " + SEED + ", round " + i + ": " + request, e);
      }
      long nanos = System.nanoTime() - start;
      String problem = problem(read);
      if (nanos > MAX_DURATION.toNanos() || problem != null) {
        fail("seed %d, round %d took %d ns, %s: %s", SEED, i, nanos, problem, request);
      }
      accepted += read.value("jwt sub") == null ? 0 : 1;
    }
    assertThat(accepted).as("requests with a valid token").isGreaterThan(ROUNDS / 100);
  }

  /** The value that is not canonical; null if all are. */
  private static @Nullable String problem(Descriptor read) {
    String path = read.value("path");
    if (path == null || !CanonicalPathPropertyTest.looksCanonical(path)) {
      return "path " + path;
    }
    String host = read.value("host");
    if (host != null && (host.isEmpty() || !host.equals(host.toLowerCase(Locale.ROOT)))) {
      return "host " + host;
    }
    String exact = read.value("ip exact");
    if (exact != null && !Readers.ip(exact).toString().equals(exact)) {
      return "ip exact " + exact;
    }
    String network = read.value("ip");
    if ((network == null) != (exact == null)
        || (network != null && !Network.parse(network).toString().equals(network))) {
      return "ip " + network;
    }
    for (String name : new String[] {"header x-key", "cookie id", "jwt sub", "method"}) {
      String value = read.value(name);
      boolean mayBeUnusable = name.startsWith("header ") || name.startsWith("cookie ");
      if (value != null && ((value.isEmpty() && !mayBeUnusable) || !value.equals(value.trim()))) {
        return name + " " + value;
      }
    }
    return read.value("entry x");
  }

  private FakeRequest request(Random random) {
    FakeRequest request =
        FakeRequest.get(mutated("/api/v1/orders/42?x=y", random))
            .peer(random.nextInt(20) == 0 ? null : mutated("10.0.0.1", random))
            .method(mutated("GET", random))
            .authority(random.nextInt(20) == 0 ? null : mutated("api.example.com:443", random));
    for (int lines = random.nextInt(3); lines > 0; lines--) {
      request.header("X-Forwarded-For", mutated("203.0.113.7, 10.0.0.2, [fd00::1]:80", random));
      request.header("Forwarded", mutated("for=203.0.113.7;by=\"_x\", for=\"[::1]:80\"", random));
      request.header("X-Key", mutated("key", random));
      request.header("X-User", mutated("ann", random));
      request.header("Cookie", mutated("a=b; id=\"1\"; c", random));
      request.header("Connection", mutated("keep-alive", random));
    }
    if (random.nextInt(4) == 0) {
      request.header("Authorization", mutated("Bearer " + token, random));
    }
    return request;
  }

  private static String mutated(String text, Random random) {
    if (random.nextInt(3) == 0) {
      return text;
    }
    StringBuilder mutant = new StringBuilder(text);
    for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
      int at = random.nextInt(mutant.length() + 1);
      switch (random.nextInt(5)) {
        case 0 -> mutant.insert(at, SCRAPS[random.nextInt(SCRAPS.length)]);
        case 1 -> mutant.setLength(at);
        case 2 -> mutant.insert(at, (char) random.nextInt(random.nextBoolean() ? 128 : 65_536));
        case 3 -> mutant.replace(at, Math.min(at + 3, mutant.length()), "");
        default ->
            mutant.insert(
                at,
                SCRAPS[random.nextInt(SCRAPS.length)].repeat(
                    random.nextInt(200) == 0 ? 5000 : random.nextInt(40)));
      }
    }
    return mutant.toString();
  }

  private HttpReader reader(HttpSettings settings) {
    JwtSettings jwt = JwtSettings.of(JwtKeys.secret(Tokens.SECRET));
    return new HttpReader(settings.withJwt(jwt), Descriptor.Names.of(List.of(NAMES)), clock, null);
  }
}
