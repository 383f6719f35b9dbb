/** {@code weir gateway} under load, beside NGINX, Spring Cloud Gateway and Envoy. */
@NullMarked
package dev.weir.benchmarks.gateway;

import org.jspecify.annotations.NullMarked;
