package dev.weir.load.engine;

/** Sends requests, and reports each end by one method of {@link Exchange}, on the same thread. */
public interface Transport {
  /** Sends a request. */
  void send(Exchange exchange);

  /** Drops a request whose client gave up; its end must not be reported any more. */
  void abandon(Exchange exchange);
}
