/** What people ask about the files of a workspace, and what its drone answers. */
@NullMarked
package dev.gadget.model.file;

import org.jspecify.annotations.NullMarked;
