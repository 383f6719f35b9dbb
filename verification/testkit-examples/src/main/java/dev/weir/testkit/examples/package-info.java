/** What the tests of all examples share: real applications on random ports. */
@NullMarked
package dev.weir.testkit.examples;

import org.jspecify.annotations.NullMarked;
