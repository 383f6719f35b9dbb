/** The ride-hailing service on servlets. */
@NullMarked
package dev.weir.examples.ridehailing.servlet;

import org.jspecify.annotations.NullMarked;
