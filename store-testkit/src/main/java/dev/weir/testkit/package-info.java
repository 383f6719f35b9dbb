/**
 * What a store is tested with: the contract, an exact model to compare with, a clock moved by hand.
 */
@NullMarked
package dev.weir.testkit;

import org.jspecify.annotations.NullMarked;
