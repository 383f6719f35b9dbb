/** The contract that every store must pass. */
@NullMarked
package dev.weir.testkit.contract;

import org.jspecify.annotations.NullMarked;
