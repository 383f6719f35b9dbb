/** Finds annotated methods of beans, and puts limits around them. */
@NullMarked
package dev.weir.spring.method.proxy;

import org.jspecify.annotations.NullMarked;
