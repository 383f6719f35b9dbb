package dev.weir.server.warmup;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** A connection to a port of this server. */
public interface Caller extends Closeable {

  /**
   * Sends requests, all at once if the protocol can, and waits for all answers.
   *
   * @throws IOException if one is not answered
   */
  void call(List<Call> calls) throws IOException;
}
