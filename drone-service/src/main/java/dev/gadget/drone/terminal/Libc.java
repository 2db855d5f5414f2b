package dev.gadget.drone.terminal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The calls of the C library that a pseudo-terminal needs, with the numbers of Linux. The native program knows their shapes from
 * {@code reachability-metadata.json}, which {@code LibcTest} holds together with what is linked here.
 */
final class Libc {
    static final int AGAIN = 11;
    static final int INTERRUPTED = 4;
    static final int HANGUP = 1;
    static final short READABLE = 1;
    static final short WRITABLE = 4;

    /** Readable and writable, never the drone's own terminal, not inherited by programs, and never waiting. */
    private static final int OPEN_FLAGS = 2 | 0x100 | 0x80000 | 0x800;

    private static final long SET_WINDOW_SIZE = 0x5414;
    private static final int LONGEST_NAME = 128;

    // Nothing of this is static: in a native program that would be made where it is built.
    private final StructLayout stateLayout = Linker.Option.captureStateLayout();
    private final VarHandle errno = stateLayout.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private final List<Shape> shapes = new ArrayList<>();

    private final MethodHandle open = link("posix_openpt", whole(ValueLayout.JAVA_INT));
    private final MethodHandle grant = link("grantpt", whole(ValueLayout.JAVA_INT));
    private final MethodHandle unlock = link("unlockpt", whole(ValueLayout.JAVA_INT));
    private final MethodHandle close = link("close", whole(ValueLayout.JAVA_INT));
    private final MethodHandle kill = link("kill", whole(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private final MethodHandle name =
            link("ptsname_r", whole(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    private final MethodHandle control =
            link("ioctl", whole(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS), OptionalInt.of(2));
    private final MethodHandle poll =
            link("poll", whole(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
    private final MethodHandle read = link("read", size());
    private final MethodHandle write = link("write", size());

    /** How a function is called; from which argument on it takes any number of them. */
    record Shape(FunctionDescriptor descriptor, OptionalInt firstVariadic) {}

    /** What a call gave: its result, and the error number where it failed. */
    record Result(long value, int error) {
        boolean failed() {
            return value < 0;
        }

        private Result orThrow(String what) throws IOException {
            if (failed()) {
                throw new IOException(what + " failed with error " + error);
            }
            return this;
        }
    }

    /** One call; the arguments after the place for the error number are its own. */
    private interface Call {
        long with(MemorySegment state) throws Throwable;
    }

    private static FunctionDescriptor whole(MemoryLayout... arguments) {
        return FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments);
    }

    private static FunctionDescriptor size() {
        return FunctionDescriptor.of(
                ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    }

    private MethodHandle link(String function, FunctionDescriptor descriptor) {
        return link(function, descriptor, OptionalInt.empty());
    }

    private MethodHandle link(String function, FunctionDescriptor descriptor, OptionalInt firstVariadic) {
        shapes.add(new Shape(descriptor, firstVariadic));
        List<Linker.Option> options = new ArrayList<>(List.of(Linker.Option.captureCallState("errno")));
        firstVariadic.ifPresent(index -> options.add(Linker.Option.firstVariadicArg(index)));
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(function), descriptor, options.toArray(Linker.Option[]::new));
    }

    /** What is linked; all of it tells its error number. */
    List<Shape> shapes() {
        return List.copyOf(shapes);
    }

    private Result call(Call call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(stateLayout);
            long value = call.with(state);
            return new Result(value, value < 0 ? (int) errno.get(state, 0L) : 0);
        } catch (RuntimeException | Error broken) {
            throw broken;
        } catch (Throwable impossible) {
            throw new IllegalStateException("a call of the C library threw", impossible);
        }
    }

    /** A new pseudo-terminal that can be opened from the other side. */
    int openTerminal() throws IOException {
        int master = (int) call(state -> (int) open.invokeExact(state, OPEN_FLAGS))
                .orThrow("posix_openpt")
                .value();
        try {
            call(state -> (int) grant.invokeExact(state, master)).orThrow("grantpt");
            call(state -> (int) unlock.invokeExact(state, master)).orThrow("unlockpt");
            return master;
        } catch (IOException e) {
            close(master);
            throw e;
        }
    }

    /** The path of the other side. */
    String otherSide(int master) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(LONGEST_NAME);
            Result result = call(state -> (int) name.invokeExact(state, master, text, (long) LONGEST_NAME));
            if (result.value() != 0) {
                throw new IOException("ptsname_r failed with error " + result.value());
            }
            return text.getString(0);
        }
    }

    void resize(int master, int columns, int rows) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size =
                    arena.allocateFrom(ValueLayout.JAVA_SHORT, (short) rows, (short) columns, (short) 0, (short) 0);
            call(state -> (int) control.invokeExact(state, master, SET_WINDOW_SIZE, size))
                    .orThrow("ioctl(TIOCSWINSZ)");
        }
    }

    /** Waits until it is readable or writable, or the time is over; whether anything is to be said of it. */
    boolean await(int master, short what, int millis) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment wanted = arena.allocate(8, 4);
            wanted.set(ValueLayout.JAVA_INT, 0, master);
            wanted.set(ValueLayout.JAVA_SHORT, 4, what);
            return call(state -> (int) poll.invokeExact(state, wanted, 1L, millis))
                            .value()
                    > 0;
        }
    }

    Result read(int master, MemorySegment into) {
        return call(state -> (long) read.invokeExact(state, master, into, into.byteSize()));
    }

    Result write(int master, MemorySegment from) {
        return call(state -> (long) write.invokeExact(state, master, from, from.byteSize()));
    }

    void hangUp(long process) {
        call(state -> (int) kill.invokeExact(state, (int) process, HANGUP));
    }

    void close(int master) {
        call(state -> (int) close.invokeExact(state, master));
    }
}
