/** The quick part of the contract of stores, without a test framework. */
@NullMarked
package dev.weir.contract;

import org.jspecify.annotations.NullMarked;
