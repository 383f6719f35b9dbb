/** The callers that send most, by rule and outcome, in bounded memory. */
@NullMarked
package dev.weir.server.callers;

import org.jspecify.annotations.NullMarked;
