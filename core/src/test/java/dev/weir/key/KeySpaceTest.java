package dev.weir.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.LimitKey;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeySpaceTest {
  private static final byte[] SECRET =
      "0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  private final KeySpace space = KeySpace.withSecret(SECRET);

  @Test
  void theSameSecretGivesTheSameKeys() {
    assertThat(KeySpace.withSecret(SECRET).key("plan", "acme"))
        .isEqualTo(space.key("plan", "acme"));
    assertThat(KeySpace.random().key("plan", "acme")).isNotEqualTo(space.key("plan", "acme"));
  }

  @Test
  void partsAreKeptApartWhateverTheyContain() {
    Set<LimitKey> keys = new HashSet<>();
    String[][] tuples = {
      {"a", "b_c"},
      {"a_b", "c"},
      {"a", "b", "c"},
      {"abc"},
      {"ab", "c"},
      {"a", "bc"},
      {"", "abc"},
      {"abc", ""},
      {""},
      {"", ""},
      {},
      {"a}", "{b"},
      {"a", "}{b"},
      {"\0"},
      {"\0\0"},
      {"\0", ""},
      {"\ud800"},
      {"\ud801"},
      {"?"},
      {"\ufffd"},
      {"abcd"},
      {"abcde"},
      {"abcd", "e"},
    };
    for (String[] tuple : tuples) {
      assertThat(keys.add(space.key(tuple))).as(String.join("|", tuple)).isTrue();
    }
  }

  @Test
  void theShortFormsAreTheLongForm() {
    assertThat(space.key("one")).isEqualTo(space.key(new String[] {"one"}));
    assertThat(space.key("one", "two")).isEqualTo(space.key(new String[] {"one", "two"}));
  }

  @Test
  void aMillionIdsHaveAMillionKeysInEitherHalf() {
    Set<Long> high = new HashSet<>();
    Set<Long> low = new HashSet<>();
    for (int i = 0; i < 1_000_000; i++) {
      LimitKey key = space.key("customer", Integer.toString(i));
      high.add(key.high());
      low.add(key.low());
    }
    assertThat(high).hasSize(1_000_000);
    assertThat(low).hasSize(1_000_000);
  }

  @Test
  void aKeyPrintsAsThirtyTwoHexDigits() {
    assertThat(new LimitKey(1, -1)).hasToString("0000000000000001ffffffffffffffff");
  }
}
