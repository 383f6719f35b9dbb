/** What operators watch: the decisions of the last day, events, and the page that shows them. */
@NullMarked
package dev.weir.server.live;

import org.jspecify.annotations.NullMarked;
