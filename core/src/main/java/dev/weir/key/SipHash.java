package dev.weir.key;

/**
 * SipHash-2-4 with a result of 128 bits (Aumasson and Bernstein): a keyed hash for short input,
 * whose results cannot be predicted, nor made to collide, without the key.
 *
 * <p>Feed it whole little-endian words, then {@link #finish} with the last, partial one. A hash is
 * not safe for use by several threads.
 */
final class SipHash {
  private long v0;
  private long v1;
  private long v2;
  private long v3;

  SipHash(long key0, long key1) {
    v0 = key0 ^ 0x736f6d6570736575L;
    v1 = key1 ^ 0x646f72616e646f6dL ^ 0xee;
    v2 = key0 ^ 0x6c7967656e657261L;
    v3 = key1 ^ 0x7465646279746573L;
  }

  /** A copy of another hash in its current state. */
  SipHash(SipHash other) {
    v0 = other.v0;
    v1 = other.v1;
    v2 = other.v2;
    v3 = other.v3;
  }

  void word(long word) {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }

  /** Adds the last word: up to seven bytes, and the length of the input in the highest byte. */
  void finish(long rest, long lengthBytes) {
    word(rest | lengthBytes << 56);
    v2 ^= 0xee;
    rounds4();
  }

  /** The first half of the hash; call once, after {@link #finish}. */
  long firstHalf() {
    return v0 ^ v1 ^ v2 ^ v3;
  }

  /** The second half of the hash; call once, after {@link #firstHalf}. */
  long secondHalf() {
    v1 ^= 0xdd;
    rounds4();
    return v0 ^ v1 ^ v2 ^ v3;
  }

  private void rounds4() {
    round();
    round();
    round();
    round();
  }

  private void round() {
    v0 += v1;
    v1 = Long.rotateLeft(v1, 13) ^ v0;
    v0 = Long.rotateLeft(v0, 32);
    v2 += v3;
    v3 = Long.rotateLeft(v3, 16) ^ v2;
    v0 += v3;
    v3 = Long.rotateLeft(v3, 21) ^ v0;
    v2 += v1;
    v1 = Long.rotateLeft(v1, 17) ^ v2;
    v2 = Long.rotateLeft(v2, 32);
  }
}
