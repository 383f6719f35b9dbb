/** IP addresses, networks, and the chain of proxies in a forwarded header. */
@NullMarked
package dev.weir.http.address;

import org.jspecify.annotations.NullMarked;
