/**
 * What an HTTP request says to a rate limiter, whatever the server: who asks, through which
 * proxies, for which path.
 *
 * <p>A {@linkplain dev.weir.http.HttpReader reader} turns a {@linkplain dev.weir.http.HttpRequest
 * request} into the named values that rules ask for. One caller, however it writes its request, has
 * one value; two callers never share one.
 */
@NullMarked
package dev.weir.http;

import org.jspecify.annotations.NullMarked;
