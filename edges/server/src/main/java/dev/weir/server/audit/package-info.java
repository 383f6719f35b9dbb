/** The audit log: who did what on the administration port. */
@NullMarked
package dev.weir.server.audit;

import org.jspecify.annotations.NullMarked;
