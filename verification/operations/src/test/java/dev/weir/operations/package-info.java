/** Tests of what operators get: alerts, the runbook, and the board. */
@NullMarked
package dev.weir.operations;

import org.jspecify.annotations.NullMarked;
