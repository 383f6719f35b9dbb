package dev.weir.spring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import reactor.blockhound.BlockHound;

/** Records calls that block a thread that must not: an event loop of Netty, or one of Reactor. */
final class BlockingCalls {
  private static final int MAX_FRAMES = 60;
  private static final Queue<String> FOUND = new ConcurrentLinkedQueue<>();

  static {
    BlockHound.builder()
        .loadIntegrations()
        .blockingMethodCallback(method -> FOUND.add(method + stack()))
        .install();
  }

  private BlockingCalls() {}

  /** Begins anew. */
  static void forget() {
    FOUND.clear();
  }

  /** What blocked since the last {@link #forget}, with its stack. */
  static List<String> found() {
    return new ArrayList<>(FOUND);
  }

  private static String stack() {
    return Arrays.stream(Thread.currentThread().getStackTrace())
        .limit(MAX_FRAMES)
        .map(StackTraceElement::toString)
        .collect(
            Collectors.joining("\n  ", " on " + Thread.currentThread().getName() + "\n  ", ""));
  }
}
