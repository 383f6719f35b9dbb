/** The quick part of the contract of stores, on the store of a user. */
@NullMarked
package dev.weir.cli.doctor.store;

import org.jspecify.annotations.NullMarked;
