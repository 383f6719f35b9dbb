package dev.weir.http.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.weir.Descriptor;
import dev.weir.LimitKey;
import dev.weir.http.FakeRequest;
import dev.weir.http.Readers;
import dev.weir.key.KeySpace;
import dev.weir.testkit.Effort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** One identity has one key, however it is spelled; two identities never share one. */
class IdentityPropertyTest {
  private static final long SEED = 71_077_345_734L;
  private static final int ROUNDS = Effort.of(20_000, 50_000);

  private static final String[] NAMES = {
    "method", "host", "path", "ip", "header x-key", "cookie id"
  };

  private final KeySpace space = KeySpace.random();
  private final HttpReader reader = Readers.reader(Readers.trusting("10.0.0.0/8"), NAMES);

  /** The content of a request, independent of its spelling. All addresses of a /64 are one. */
  private record Identity(
      String method, String host, String path, int network, boolean v6, String key, String id) {
    static Identity random(Random random) {
      return new Identity(
          new String[] {"GET", "POST"}[random.nextInt(2)],
          new String[] {"a.example", "b.example"}[random.nextInt(2)],
          new String[] {"/a", "/a/b", "/a b", "/é"}[random.nextInt(4)],
          random.nextInt(300),
          random.nextBoolean(),
          new String[] {"k", "k_1", "1_k", "{k}"}[random.nextInt(4)],
          new String[] {"s", "S", "s=1"}[random.nextInt(3)]);
    }

    FakeRequest spell(Random random) {
      String client = v6 ? spellV6(random) : spellV4(random);
      FakeRequest request;
      String target = spellPath(random);
      if (random.nextBoolean()) {
        request = FakeRequest.get(target).peer(client);
      } else {
        String blank = " ".repeat(random.nextInt(3));
        String spoof = random.nextBoolean() ? "198.51.100." + random.nextInt(256) + "," : "";
        String port = client.indexOf(':') < 0 && random.nextBoolean() ? ":443" : "";
        String shown =
            client.indexOf(':') >= 0 && random.nextBoolean() ? "[" + client + "]" : client;
        request = FakeRequest.get(target).peer("10.0.0." + random.nextInt(256));
        request.header(
            random.nextBoolean() ? "X-Forwarded-For" : "x-forwarded-for",
            spoof + blank + shown + port + blank + ", 10.1.2.3");
      }
      boolean upper = random.nextBoolean();
      request.method(upper ? method : method.toLowerCase(Locale.ROOT));
      request.authority((upper ? host.toUpperCase(Locale.ROOT) : host) + (upper ? ":443" : "."));
      request.header(upper ? "X-KEY" : "x-key", upper ? " " + key : key + "\t");
      return request.header(
          "cookie", (upper ? "x=y;" : "") + "id=" + (upper ? "\"" + id + "\"" : id));
    }

    private String spellPath(Random random) {
      boolean dots = random.nextBoolean(); // together with parameters the path is unusable
      StringBuilder text = new StringBuilder(dots && random.nextBoolean() ? "/x/.." : "");
      for (int i = 0; i < path.length(); i++) {
        char c = path.charAt(i);
        text.append(
            switch (c) {
              case '/' -> random.nextBoolean() ? "/" : dots ? "/.//" : "//";
              case ' ' -> "%20";
              case 'é' -> random.nextBoolean() ? "%c3%A9" : "%C3%a9";
              default -> random.nextBoolean() ? "" + c : "%" + Integer.toHexString(c);
            });
      }
      return text.append(dots || random.nextBoolean() ? "/" : ";p")
          .append("?q=" + random.nextInt())
          .toString();
    }

    private String spellV4(Random random) {
      int third = network >> 8;
      int fourth = network & 0xFF;
      return switch (random.nextInt(4)) {
        case 0 -> "::ffff:203.0." + third + "." + fourth;
        case 1 -> String.format("::FFFF:cb00:%x", third << 8 | fourth);
        case 2 -> String.format("64:ff9b::203.0.%d.%d", third, fourth);
        default -> "203.0." + third + "." + fourth;
      };
    }

    private String spellV6(Random random) {
      int rest = random.nextInt(0x10000);
      return switch (random.nextInt(3)) {
        case 0 -> String.format("2001:db8:0:%x::%x", network, rest);
        case 1 -> String.format("2001:0DB8:0000:%04X:0:0:%x:1", network, rest);
        default -> String.format("2001:db8::%x:%x:0:0:9", network, rest);
      };
    }
  }

  @Test
  void identitiesAndKeysMapOneToOne() {
    Random random = new Random(SEED);
    Map<Identity, LimitKey> keys = new HashMap<>();
    Map<LimitKey, Identity> owners = new HashMap<>();
    for (int i = 0; i < ROUNDS; i++) {
      Identity identity = Identity.random(random);
      for (int spelling = 0; spelling < 2; spelling++) {
        FakeRequest request = identity.spell(random);
        LimitKey key = key(reader.read(request));
        LimitKey before = keys.putIfAbsent(identity, key);
        Identity owner = owners.putIfAbsent(key, identity);
        if ((before != null && !before.equals(key)) || (owner != null && !owner.equals(identity))) {
          fail("seed %d, round %d: %s as %s is taken for %s", SEED, i, identity, request, owner);
        }
      }
    }
    assertThat(keys).hasSizeGreaterThan(ROUNDS / 2);
  }

  private LimitKey key(Descriptor read) {
    List<String> parts = new ArrayList<>();
    for (String name : NAMES) {
      String value = read.value(name);
      if (value == null) {
        fail("seed %d: no %s in %s", SEED, name, read);
      } else {
        parts.add(value);
      }
    }
    return space.key("rule", parts.toArray(String[]::new));
  }
}
