package dev.weir.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The published vectors: key 00 01 … 0f, input 00 01 … of each length. To reproduce them: {@code
 * openssl mac -macopt hexkey:000102030405060708090a0b0c0d0e0f -macopt size:16 SIPHASH}.
 */
class SipHashTest {

  @ParameterizedTest
  @CsvSource({
    "0, a3817f04ba25a8e66df67214c7550293",
    "1, da87c1d86b99af44347659119b22fc45",
    "7, a1f1ebbed8dbc153c0b84aa61ff08239",
    "8, 3b62a9ba6258f5610f83e264f31497b4",
    "15, 5493e99933b0a8117e08ec0f97cfc3d9",
    "16, 6ee2a4ca67b054bbfd3315bf85230577",
    "63, 5150d1772f50834a503e069a973fbd7c"
  })
  void agreesWithThePublishedVectors(int length, String expected) {
    SipHash hash = new SipHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
    ByteBuffer input = ByteBuffer.allocate(length / 8 * 8 + 8).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < length; i++) {
      input.put(i, (byte) i);
    }
    for (int i = 0; i < length / 8; i++) {
      hash.word(input.getLong());
    }
    hash.finish(input.getLong(), length);
    ByteBuffer result = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    result.putLong(hash.firstHalf()).putLong(hash.secondHalf());
    assertThat(HexFormat.of().formatHex(result.array())).isEqualTo(expected);
  }
}
