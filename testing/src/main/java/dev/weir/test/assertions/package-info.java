/** Assertions for AssertJ: {@link dev.weir.test.assertions.WeirAssertions}. */
@NullMarked
package dev.weir.test.assertions;

import org.jspecify.annotations.NullMarked;
