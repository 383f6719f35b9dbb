/** The settings of a server, checked when they are created. */
@NullMarked
package dev.weir.server.settings;

import org.jspecify.annotations.NullMarked;
