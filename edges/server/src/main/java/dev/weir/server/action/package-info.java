/** Actions of operators, which end by themselves: kept in the store, and in force on the fleet. */
@NullMarked
package dev.weir.server.action;

import org.jspecify.annotations.NullMarked;
