package dev.weir.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PackerTest {
  @Test
  void packedNumbersAreUnpacked() {
    long seed = Long.getLong("weir.seed", new SplittableRandom().nextLong());
    SplittableRandom random = new SplittableRandom(seed);
    List<Long> numbers = new ArrayList<>();
    for (int bits = 0; bits < 63; bits++) {
      numbers.add(1L << bits);
      numbers.add((1L << bits) - 1);
      numbers.add(random.nextLong(1L << bits));
    }
    numbers.add(Long.MAX_VALUE);
    Packer packer = new Packer();
    numbers.forEach(packer::number);
    Unpacker unpacker = new Unpacker(packer.toByteArray());
    for (long number : numbers) {
      assertThat(unpacker.number()).as("seed %d", seed).isEqualTo(number);
    }
    assertThatThrownBy(unpacker::number).isInstanceOf(BufferUnderflowException.class);
  }

  @Test
  void invalidNumbersAndTypesAreRejected() {
    assertThatThrownBy(() -> new Packer().number(-1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> new Unpacker(new byte[] {(byte) 0xc0}))
        .hasMessage("answer: 192 (expected: an array)");
    assertThatThrownBy(() -> new Unpacker(new byte[] {(byte) 0x91, (byte) 0xc3}).number())
        .hasMessage("answer: 195 (expected: a number)");
    assertThat(new Unpacker(new byte[] {(byte) 0x91, (byte) 0xff}).number()).isEqualTo(-1);
  }
}
