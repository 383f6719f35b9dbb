package dev.weir.spring.method.call;

/** What a call holds while it runs. Thread-safe. */
@FunctionalInterface
interface Held {
  /** For calls that hold nothing. */
  Held NOTHING = () -> {};

  /** Gives it back; a second time, nothing happens. */
  void release();
}
