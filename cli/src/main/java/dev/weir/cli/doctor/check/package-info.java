/** The checks: what was sent, what came, and what that proves. */
@NullMarked
package dev.weir.cli.doctor.check;

import org.jspecify.annotations.NullMarked;
