package dev.weir.test;

import dev.weir.library.Weir;
import dev.weir.library.WeirBuilder;
import java.util.function.Consumer;

/** What one test has. */
record TestWeir(Weir weir, WeirTime time, BreakableStore store) implements AutoCloseable {

  static TestWeir with(Consumer<WeirBuilder> settings) {
    WeirTime time = new WeirTime();
    BreakableStore store = new BreakableStore(time);
    WeirBuilder builder = Weir.builder();
    settings.accept(builder);
    store.applyTo(builder);
    return new TestWeir(builder.build(), time, store);
  }

  @Override
  public void close() {
    store.recover(); // so that closing need not wait for calls that hang
    weir.close();
  }
}
