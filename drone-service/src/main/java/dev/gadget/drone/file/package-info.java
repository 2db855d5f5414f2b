/** What people see and change of the workspace through their page: its files, and how they differ from the last commit. */
@NullMarked
package dev.gadget.drone.file;

import org.jspecify.annotations.NullMarked;
