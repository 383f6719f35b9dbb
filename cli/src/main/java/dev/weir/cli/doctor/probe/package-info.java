/** Requests of synthetic callers to a gateway, bounded in number, time and size. */
@NullMarked
package dev.weir.cli.doctor.probe;

import org.jspecify.annotations.NullMarked;
