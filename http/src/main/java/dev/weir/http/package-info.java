/**
 * What an HTTP request means to a rate limiter, independent of the server: the caller, the proxies
 * in between, the path.
 *
 * <p>A {@linkplain dev.weir.http.identity.HttpReader reader} turns a {@linkplain
 * dev.weir.http.request.HttpRequest request} into the named values that rules read. One caller has
 * one value, however it spells its request; two callers never share one.
 */
@NullMarked
package dev.weir.http;

import org.jspecify.annotations.NullMarked;
