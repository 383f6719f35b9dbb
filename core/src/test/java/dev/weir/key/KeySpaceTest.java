package dev.weir.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.LimitKey;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
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
  void aCodeDependsOnTheSecretThePurposeAndEveryByte() {
    byte[] message = {1, 2, 3};
    byte[] code = space.code("permit", message);
    assertThat(code).hasSize(KeySpace.CODE_BYTES);
    assertThat(KeySpace.withSecret(SECRET).code("permit", message)).isEqualTo(code);
    assertThat(KeySpace.random().code("permit", message)).isNotEqualTo(code);
    assertThat(space.code("permits", message)).isNotEqualTo(code);
    assertThat(space.code("permi", new byte[] {'t', 1, 2, 3})).isNotEqualTo(code);
    assertThat(space.code("permit", new byte[] {1, 2, 4})).isNotEqualTo(code);
    assertThat(space.code("permit", new byte[] {1, 2})).isNotEqualTo(code);
  }

  @Test
  void differentPartsGiveDifferentKeysWhateverTheyContain() {
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
      String[] owner = Arrays.copyOfRange(tuple, 1, tuple.length);
      assertThat(keys.add(space.key(tuple[0], owner))).as(String.join("|", tuple)).isTrue();
    }
    for (String owner : List.of("", "a", "abc", "abcd")) {
      assertThat(keys.add(space.key(owner))).as(owner).isTrue();
    }
  }

  @Test
  void theCountersOfOneOwnerShareTheUpperHalfAndNoOthersDo() {
    KeySpace.Owner acme = space.owner("tenant", "acme");
    LimitKey second = acme.key(space.name("per-second"));
    LimitKey day = acme.key(space.name("per-day"));
    assertThat(second).isEqualTo(space.key("per-second", "tenant", "acme")).isNotEqualTo(day);
    assertThat(second.high()).isEqualTo(day.high());
    assertThat(space.key("per-day", "tenant", "bolt").high()).isNotEqualTo(day.high());
    assertThat(space.key("per-day", "tenantacme").high()).isNotEqualTo(day.high());
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
  void adoptedSecretChangesAllKeysToThoseOfTheOthers() {
    KeySecret theirs = KeySecret.parse("00112233445566778899aabbccddeeff").orElseThrow();
    KeySpace others = theirs.keys();
    KeySpace own = KeySpace.random();
    KeySpace.Name day = own.name("per-day");
    KeySpace.Owner before = own.owner("tenant", "acme");
    LimitKey formerKey = before.key(day);
    byte[] formerCode = own.code("permit", new byte[3]);
    own.adopt(theirs);
    assertThat(own.isCode("permit", new byte[3], formerCode)).as("issued before").isTrue();
    assertThat(own.isCode("permit", new byte[3], others.code("permit", new byte[3]))).isTrue();
    assertThat(own.isCode("other", new byte[3], formerCode)).isFalse();
    assertThat(others.isCode("permit", new byte[3], formerCode)).isFalse();
    KeySpace.Owner after = own.owner("tenant", "acme");
    KeySpace.Name otherDay = others.name("per-day");
    assertThat(after.key(day)).isEqualTo(others.owner("tenant", "acme").key(otherDay));
    assertThat(after.lot(day)).isEqualTo(others.owner("tenant", "acme").lot(otherDay));
    assertThat(own.key("acme")).isEqualTo(others.key("acme"));
    assertThat(own.code("permit", new byte[3])).isEqualTo(others.code("permit", new byte[3]));
    assertThat(before.key(day)).as("an owner keeps its secret").isEqualTo(formerKey);
  }

  @Test
  void aKeyPrintsAsThirtyTwoHexDigits() {
    assertThat(new LimitKey(1, -1)).hasToString("0000000000000001ffffffffffffffff");
  }
}
