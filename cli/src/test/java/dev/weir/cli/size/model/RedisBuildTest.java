package dev.weir.cli.size.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisBuildTest {
  @ParameterizedTest
  @CsvSource({
    "1, 8, 16",
    "24, 24, 32",
    "28, 32, 32",
    "44, 48, 48",
    "52, 56, 64",
    "64, 64, 64",
    "65, 80, 80",
    "112, 112, 112",
    "129, 160, 160",
    "1630, 1792, 1792",
    "16384, 16384, 16384",
    "16385, 20480, 20480"
  })
  void piecesTakeTheNextSizeClass(long bytes, long own, long ofTheSystem) {
    MeasuredTables tables = MeasuredTables.load();
    assertThat(tables.build("6.2.11").allocated(bytes)).isEqualTo(own);
    assertThat(tables.build("7.0.15").allocated(bytes)).isEqualTo(ofTheSystem);
  }

  @Test
  void tablesHaveAPowerOfTwoOfSlots() {
    assertThat(RedisKeyBytes.tables(65_536)).isEqualTo(16L * 65_536);
    assertThat(RedisKeyBytes.tables(65_537)).isEqualTo(16L * 131_072);
    assertThat(RedisKeyBytes.tables(1)).isEqualTo(64);
  }
}
