package dev.weir.server.warmup;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** A client connection to a port of this server. For one thread at a time. */
interface Caller extends Closeable {

  /**
   * Sends requests, all at once if the protocol supports it, and waits for all responses.
   *
   * @throws IOException if a request gets no response
   */
  void call(List<Call> calls) throws IOException;
}
