package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PackerTest {
  @Test
  void whatIsPackedIsUnpacked() {
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
    Unpacker unpacker = new Unpacker(packer.done());
    assertThat(unpacker.isSequence()).isFalse();
    for (long number : numbers) {
      assertThat(unpacker.number()).as("seed %d", seed).isEqualTo(number);
    }
    assertThatThrownBy(unpacker::number).isInstanceOf(BufferUnderflowException.class);
  }

  @Test
  void textsAreEnteredAndLeft() {
    byte[] sequence = {7, (byte) 0xc2, (byte) 0xa2, 1, 2, (byte) 0xd9, 1, 3, (byte) 0xda, 0, 0, 4};
    Unpacker unpacker = new Unpacker(sequence);
    assertThat(unpacker.isSequence()).isTrue();
    assertThat(unpacker.number()).isEqualTo(7);
    assertThat(unpacker.textEnd()).isEqualTo(-1);
    int end = unpacker.textEnd();
    assertThat(unpacker.number()).isEqualTo(1);
    unpacker.skipTo(end);
    assertThat(unpacker.textEnd()).isEqualTo(8);
    assertThat(unpacker.number()).isEqualTo(3);
    assertThat(unpacker.textEnd()).isEqualTo(11);
    assertThat(unpacker.number()).isEqualTo(4);
  }

  @Test
  void whatCannotBePackedOrUnpackedIsRefused() {
    assertThatThrownBy(() -> new Packer().number(-1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> new Unpacker(new byte[] {(byte) 0xc0}).number())
        .hasMessage("answer: 192 (expected: a number)");
    assertThatThrownBy(() -> new Unpacker(new byte[] {5}).textEnd())
        .hasMessage("answer: 5 (expected: a text)");
    assertThatThrownBy(() -> new Unpacker(new byte[] {(byte) 0x91, (byte) 0xc3}).number())
        .hasMessage("answer: 195 (expected: a number)");
    assertThat(new Unpacker(new byte[] {(byte) 0x91, (byte) 0xff}).number()).isEqualTo(-1);
  }
}
