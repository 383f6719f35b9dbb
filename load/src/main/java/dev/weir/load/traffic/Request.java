package dev.weir.load.traffic;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A request as it goes over the wire. Immutable and thread-safe. */
public final class Request {
  private final byte[] bytes;
  private final boolean isHead;

  Request(byte[] bytes, boolean isHead) {
    this.bytes = bytes;
    this.isHead = isHead;
  }

  /** Head and body, read-only. */
  public ByteBuffer bytes() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  /** Whether its method is HEAD, whose answers have no body. */
  public boolean isHead() {
    return isHead;
  }

  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
