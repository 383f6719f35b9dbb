/** The exact reference model, and random limits and requests. */
@NullMarked
package dev.weir.testkit.model;

import org.jspecify.annotations.NullMarked;
