package dev.gadget.drone.policy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * Keeps commands from parts of the kernel that no build needs and that attacks on kernels begin with: a seccomp filter, as a program of
 * classic BPF that bubblewrap loads. What is refused fails with EPERM; what the C library asks for first and can do without, with ENOSYS.
 */
final class SystemCallFilter {
    private static final int LOAD = 0x20;
    private static final int EQUAL = 0x15;
    private static final int AT_LEAST = 0x35;
    private static final int ANY_BIT = 0x45;
    private static final int RETURN = 0x06;

    private static final int ALLOW = 0x7fff0000;
    private static final int FAIL = 0x00050000;
    private static final int EPERM = FAIL | 1;
    private static final int ENOSYS = FAIL | 38;
    private static final int EAFNOSUPPORT = FAIL | 97;

    private static final int NUMBER = 0;
    private static final int MACHINE = 4;
    private static final int FIRST_ARGUMENT = 16;
    private static final int SECOND_ARGUMENT = 24;

    /** Where the numbers of the other calling convention of x86-64 begin. */
    private static final int X32 = 0x40000000;

    /** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
    private static final int NAMESPACES = 0x7e020000;

    /** TIOCSTI types into a terminal, TIOCLINUX pastes into a console. */
    private static final List<Integer> TERMINAL_REQUESTS = List.of(0x5412, 0x541c);

    /** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: of the other kinds of sockets no build needs one. */
    private static final List<Integer> SOCKETS = List.of(1, 2, 10, 16);

    /**
     * The numbers of system calls, which differ from machine to machine.
     *
     * @param fork clone, which takes flags for namespaces
     * @param refused keys of the kernel; bpf, perf_event_open, userfaultfd; mounts; kexec and modules; io_uring; setns; swap, reboot,
     *     accounting, quotas, the clock, the kernel's log; open_by_handle_at, pidfd_getfd, chroot, vhangup
     */
    private record Machine(
            String name, int audit, boolean x32, int ioctl, int socket, int fork, int unshare, List<Integer> refused) {}

    /** The same on all machines, because they are new: mounts by file descriptors, io_uring, pidfd_getfd, quotactl_fd. */
    private static final List<Integer> REFUSED_EVERYWHERE =
            List.of(425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 443, 467);

    private static final int CLONE3 = 435;

    private static final List<Machine> MACHINES = List.of(
            new Machine(
                    "amd64",
                    0xc000003e,
                    true,
                    16,
                    41,
                    56,
                    272,
                    List.of(
                            248, 249, 250, 321, 298, 323, 165, 166, 155, 246, 320, 175, 313, 176, 308, 167, 168, 169,
                            163, 179, 164, 227, 103, 304, 161, 153, 172, 173, 134, 156)),
            new Machine(
                    "aarch64",
                    0xc00000b7,
                    false,
                    29,
                    198,
                    220,
                    97,
                    List.of(
                            217, 218, 219, 280, 241, 282, 40, 39, 41, 104, 294, 105, 273, 106, 268, 224, 225, 142, 89,
                            60, 170, 112, 116, 265, 51, 58)));

    private final ByteBuffer program = ByteBuffer.allocate(8 * 256).order(ByteOrder.LITTLE_ENDIAN);

    private SystemCallFilter() {}

    /** The program for this kind of machine, named as Java does; empty for one whose numbers are not known here. */
    static Optional<byte[]> of(String machine) {
        return MACHINES.stream()
                .filter(known -> known.name().equals(machine))
                .findFirst()
                .map(known -> new SystemCallFilter().assembled(known));
    }

    private byte[] assembled(Machine machine) {
        add(LOAD, 0, 0, MACHINE);
        // A program for another machine has other numbers: none of its calls is known.
        add(EQUAL, 1, 0, machine.audit());
        add(RETURN, 0, 0, ENOSYS);
        add(LOAD, 0, 0, NUMBER);
        if (machine.x32()) {
            add(AT_LEAST, 0, 1, X32);
            add(RETURN, 0, 0, ENOSYS);
        }
        // Its flags are in memory, where a filter does not see them; the C library falls back to clone.
        add(EQUAL, 0, 1, CLONE3);
        add(RETURN, 0, 0, ENOSYS);
        machine.refused().forEach(this::refuse);
        REFUSED_EVERYWHERE.forEach(this::refuse);
        withFlags(machine.fork());
        withFlags(machine.unshare());
        terminalRequests(machine.ioctl());
        sockets(machine.socket());
        add(RETURN, 0, 0, ALLOW);
        byte[] bytes = new byte[program.position()];
        program.flip().get(bytes);
        return bytes;
    }

    private void refuse(int number) {
        add(EQUAL, 0, 1, number);
        add(RETURN, 0, 0, EPERM);
    }

    /** Refuses a call that makes namespaces. */
    private void withFlags(int number) {
        add(EQUAL, 0, 4, number);
        add(LOAD, 0, 0, FIRST_ARGUMENT);
        add(ANY_BIT, 0, 1, NAMESPACES);
        add(RETURN, 0, 0, EPERM);
        add(RETURN, 0, 0, ALLOW);
    }

    private void terminalRequests(int number) {
        int size = 2 * TERMINAL_REQUESTS.size() + 2;
        add(EQUAL, 0, size, number);
        add(LOAD, 0, 0, SECOND_ARGUMENT);
        TERMINAL_REQUESTS.forEach(this::refuse);
        add(RETURN, 0, 0, ALLOW);
    }

    private void sockets(int number) {
        int size = 2 * SOCKETS.size() + 2;
        add(EQUAL, 0, size, number);
        add(LOAD, 0, 0, FIRST_ARGUMENT);
        for (int family : SOCKETS) {
            add(EQUAL, 0, 1, family);
            add(RETURN, 0, 0, ALLOW);
        }
        add(RETURN, 0, 0, EAFNOSUPPORT);
    }

    private void add(int code, int whenTrue, int whenFalse, int value) {
        program.putShort((short) code)
                .put((byte) whenTrue)
                .put((byte) whenFalse)
                .putInt(value);
    }
}
