package dev.weir.gateway.cost;

import java.nio.charset.StandardCharsets;

/**
 * Replaces a few bytes of a body.
 *
 * @param from offset of the first byte to replace
 * @param to offset behind the last one; {@code from} to insert
 */
record BodyEdit(int from, int to, String replacement) {
  byte[] apply(byte[] body) {
    byte[] inserted = replacement.getBytes(StandardCharsets.UTF_8);
    byte[] edited = new byte[body.length - (to - from) + inserted.length];
    System.arraycopy(body, 0, edited, 0, from);
    System.arraycopy(inserted, 0, edited, from, inserted.length);
    System.arraycopy(body, to, edited, from + inserted.length, body.length - to);
    return edited;
  }
}
