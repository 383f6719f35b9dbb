/** The admin port: metrics, rules, explain, reset. */
@NullMarked
package dev.weir.server.admin;

import org.jspecify.annotations.NullMarked;
