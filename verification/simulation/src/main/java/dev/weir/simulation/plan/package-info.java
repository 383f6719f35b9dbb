/** What a seed decides before a run starts: servers, clients, rules and timeouts. */
@NullMarked
package dev.weir.simulation.plan;

import org.jspecify.annotations.NullMarked;
