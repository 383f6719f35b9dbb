/** Adapters for the HTTP clients of Spring. */
@NullMarked
package dev.weir.client.spring;

import org.jspecify.annotations.NullMarked;
