package dev.weir.testkit.redis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** One direction of a connection: the chunks that were read and are not yet due, in order. */
final class ProxyStream {
  private static final int CHUNK = 16 << 10;
  private static final int MAX_BYTES = 4 << 20;
  private static final int MAX_CHUNKS = 64 << 10;

  private final SocketChannel from;
  private final SocketChannel to;
  private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
  private final Deque<Chunk> waiting = new ArrayDeque<>();
  private int waitingBytes;
  private boolean ended;
  private boolean gap;

  private record Chunk(ByteBuffer bytes, long dueNanos) {}

  ProxyStream(SocketChannel from, SocketChannel to) {
    this.from = from;
    this.to = to;
  }

  void read(long dueNanos) throws IOException {
    ended = from.read(buffer.clear()) < 0;
    byte[] bytes = Arrays.copyOf(buffer.array(), buffer.position());
    // An end of stream, too, is forwarded when it is due.
    waiting.add(new Chunk(ByteBuffer.wrap(bytes), dueNanos));
    waitingBytes += bytes.length;
  }

  void write(long now) throws IOException {
    while (isDue(now)) {
      ByteBuffer bytes = waiting.getFirst().bytes();
      waitingBytes -= to.write(bytes);
      if (bytes.hasRemaining()) {
        return;
      }
      waiting.removeFirst();
    }
  }

  /** Drops all waiting chunks. */
  void drop() {
    gap |= !waiting.isEmpty();
    waiting.clear();
    waitingBytes = 0;
  }

  /** Whether chunks were dropped. */
  boolean hasGap() {
    return gap;
  }

  /** Whether one side has closed its connection and the other has received everything. */
  boolean isDone() {
    return ended && waiting.isEmpty() && !gap;
  }

  int readInterest() {
    boolean full = waitingBytes >= MAX_BYTES || waiting.size() >= MAX_CHUNKS;
    return ended || full ? 0 : SelectionKey.OP_READ;
  }

  /** Write interest while a due chunk did not fit into the socket. */
  int writeInterest(long now) {
    return isDue(now) ? SelectionKey.OP_WRITE : 0;
  }

  /** Nanoseconds until a chunk is due; unlimited while one is due, which awaits writability. */
  long nanosToNext(long now) {
    return waiting.isEmpty() || isDue(now) ? Long.MAX_VALUE : waiting.getFirst().dueNanos() - now;
  }

  private boolean isDue(long now) {
    return !waiting.isEmpty() && waiting.getFirst().dueNanos() - now <= 0;
  }
}
