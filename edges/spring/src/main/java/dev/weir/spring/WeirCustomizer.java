package dev.weir.spring;

import dev.weir.library.WeirBuilder;

/** Changes settings of the {@link dev.weir.library.Weir} that have no property. Declare a bean. */
@FunctionalInterface
public interface WeirCustomizer {
  /** Changes the builder, after the properties were applied. */
  void customize(WeirBuilder weir);
}
