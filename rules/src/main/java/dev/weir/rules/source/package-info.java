/** Sources of rules: files and directories, watched for changes. */
@NullMarked
package dev.weir.rules.source;

import org.jspecify.annotations.NullMarked;
