import type { WiderGrant } from '@tabularium/sdk/manifest';
import type { ArgumentCheck, SeccompPlan } from '../../../../driver-launcher/launchPlan.ts';
import type { SystemCall } from './systemCalls.ts';
import { callNumbers, SYSTEM_CALLS } from './systemCalls.ts';

/** System calls that Node needs to run JavaScript, read files and use the descriptors that it was given. Measured with strace on Node 26. */
const EVERY_PROCESS: readonly SystemCall[] = [
  ...([
    'read',
    'write',
    'readv',
    'writev',
    'pread64',
    'pwrite64',
    'preadv',
    'pwritev',
    'preadv2',
    'pwritev2',
    'close',
    'lseek',
  ] as const),
  ...(['fstat', 'stat', 'lstat', 'newfstatat', 'statx', 'access', 'faccessat', 'faccessat2', 'readlink', 'readlinkat'] as const),
  ...(['getdents64', 'getcwd', 'statfs', 'fstatfs', 'umask', 'fadvise64', 'dup', 'dup2', 'dup3', 'close_range'] as const),
  ...(['mmap', 'munmap', 'mprotect', 'mremap', 'madvise', 'brk', 'pkey_mprotect', 'pkey_alloc', 'pkey_free'] as const),
  ...([
    'rt_sigaction',
    'rt_sigprocmask',
    'rt_sigreturn',
    'rt_sigpending',
    'rt_sigtimedwait',
    'sigaltstack',
    'restart_syscall',
  ] as const),
  ...([
    'futex',
    'futex_waitv',
    'futex_wake',
    'futex_wait',
    'futex_requeue',
    'set_robust_list',
    'get_robust_list',
    'rseq',
  ] as const),
  ...(['set_tid_address', 'membarrier', 'arch_prctl', 'sched_yield', 'sched_getaffinity', 'sched_getparam'] as const),
  ...([
    'sched_getscheduler',
    'sched_get_priority_max',
    'sched_get_priority_min',
    'getpriority',
    'getcpu',
    'gettid',
    'getpid',
  ] as const),
  ...([
    'getppid',
    'getuid',
    'getgid',
    'geteuid',
    'getegid',
    'capget',
    'getrlimit',
    'getrusage',
    'sysinfo',
    'times',
    'uname',
  ] as const),
  ...(['gettimeofday', 'time', 'clock_gettime', 'clock_getres', 'clock_nanosleep', 'nanosleep', 'getrandom'] as const),
  ...(['timerfd_create', 'timerfd_settime', 'timerfd_gettime', 'eventfd', 'eventfd2', 'pipe', 'pipe2'] as const),
  ...([
    'poll',
    'ppoll',
    'select',
    'pselect6',
    'epoll_create',
    'epoll_create1',
    'epoll_ctl',
    'epoll_wait',
    'epoll_pwait',
  ] as const),
  ...(['epoll_pwait2', 'getsockname', 'getpeername', 'getsockopt', 'shutdown', 'wait4', 'waitid', 'exit', 'exit_group'] as const),
];

/** Files that were chosen for writing; Landlock says which. */
const WRITES_CHOSEN_FILES: readonly SystemCall[] = ['fsync', 'fdatasync', 'ftruncate', 'fallocate'];
/** SQLite also removes its temporary files. */
const SQLITE: readonly SystemCall[] = [...WRITES_CHOSEN_FILES, 'unlink', 'unlinkat'];
const FILES: readonly SystemCall[] = [
  ...SQLITE,
  ...([
    'truncate',
    'rename',
    'renameat',
    'renameat2',
    'mkdir',
    'mkdirat',
    'rmdir',
    'link',
    'linkat',
    'symlink',
    'symlinkat',
  ] as const),
  ...(['creat', 'chmod', 'fchmod', 'fchmodat', 'utimensat', 'futimesat', 'utime', 'utimes', 'flock', 'copy_file_range'] as const),
  'sendfile',
];
const NETWORK: readonly SystemCall[] = [
  ...([
    'connect',
    'bind',
    'listen',
    'accept',
    'accept4',
    'sendto',
    'recvfrom',
    'sendmsg',
    'recvmsg',
    'sendmmsg',
    'recvmmsg',
  ] as const),
  'setsockopt',
];

/** Listening, without any call that reaches out: what comes in is read as from a file. */
const LISTENING: readonly SystemCall[] = ['bind', 'listen', 'accept', 'accept4', 'setsockopt'];

const LOW = 0xffffffff;
/** O_ACCMODE, O_CREAT, O_TRUNC and the part of O_TMPFILE that it does not share with O_DIRECTORY. */
const OPENS_FOR_WRITING = 0o3 | 0o100 | 0o1000 | 0o20000000;
const CLONE_THREAD = 0x10000;
const RLIMIT_NOFILE = 7;
const AF_INET = 2;
const AF_INET6 = 10;
const SOCK_STREAM = 1;
/** Without SOCK_CLOEXEC and SOCK_NONBLOCK. */
const SOCK_TYPE = 0xf;
/** PR_SET_NAME, PR_GET_NAME, PR_CAPBSET_READ, PR_GET_SECCOMP, PR_SET_VMA. */
const PRCTL = [15, 16, 23, 21, 0x53564d41];
/** TCGETS, FIONREAD, FIONBIO, FIOCLEX. */
const IOCTL = [0x5401, 0x541b, 0x5421, 0x5451];
/** F_DUPFD to F_SETLKW, F_DUPFD_CLOEXEC, and the locks of open files: not F_SETOWN, which sends signals, nor F_NOTIFY, which watches folders. */
const FCNTL = [0, 1, 2, 3, 4, 5, 6, 7, 1030, 36, 37, 38];

const is = (argument: number, value: number, mask = LOW): ArgumentCheck => ({ argument, mask, value });

/** The system calls of a driver's process, by what it was granted. Whatever is not named fails. */
export function seccompPolicy(
  architecture: 'x64' | 'arm64',
  {
    wider,
    writesFiles,
    listens = false,
  }: {
    readonly wider: readonly WiderGrant[];
    readonly writesFiles: boolean;
    /** Whether it has an inspector; Landlock says on which port. */
    readonly listens?: boolean;
  },
): SeccompPlan {
  const writes = writesFiles || wider.includes('sqlite') || wider.includes('files');
  const allowed: readonly SystemCall[] = [
    ...EVERY_PROCESS,
    ...(wider.includes('files') ? FILES : wider.includes('sqlite') ? SQLITE : writes ? WRITES_CHOSEN_FILES : []),
    ...(wider.includes('network') ? NETWORK : listens ? LISTENING : []),
    ...(writes ? (['open', 'openat'] as const) : []),
  ];
  const conditions: readonly (readonly [SystemCall, readonly (readonly ArgumentCheck[])[]])[] = [
    // A second wall before Landlock, where nothing may be written at all; it also covers kernels whose Landlock does not know truncation.
    ...(writes
      ? []
      : ([
          ['open', [[is(1, 0, OPENS_FOR_WRITING)]]],
          ['openat', [[is(2, 0, OPENS_FOR_WRITING)]]],
        ] as const)),
    // Threads, and no processes. glibc asks clone3 first, whose flags a filter cannot see, and takes ENOSYS for an old kernel.
    ['clone', [[is(0, CLONE_THREAD, CLONE_THREAD)]]],
    ['prctl', PRCTL.map((option) => [is(0, option)])],
    ['ioctl', IOCTL.map((request) => [is(1, request)])],
    ['fcntl', FCNTL.map((command) => [is(1, command)])],
    // Reads the limits of this process; sets none but the number of files.
    [
      'prlimit64',
      [
        [is(0, 0), is(2, 0)],
        [is(0, 0), is(1, RLIMIT_NOFILE)],
      ],
    ],
    ...(wider.includes('network')
      ? ([['socket', [[is(0, AF_INET)], [is(0, AF_INET6)]]]] as const)
      : listens
        ? ([['socket', [[is(0, AF_INET), is(1, SOCK_STREAM, SOCK_TYPE)]]]] as const)
        : []),
  ];
  const conditional = conditions.flatMap(([name, any]) => callNumbers([name], architecture).map((call) => ({ call, any })));
  const numbers = callNumbers(allowed, architecture);
  const ownProcess = callNumbers(['kill', 'tgkill'], architecture);
  const [execute = -1] = callNumbers(['execve'], architecture);
  const [clone3 = -1] = CLONE3;
  const decided = new Set([...numbers, ...conditional.map(({ call }) => call), ...ownProcess, execute, clone3]);
  const every = Object.keys(SYSTEM_CALLS).filter((name): name is SystemCall => name in SYSTEM_CALLS);
  const refused = callNumbers(every, architecture).filter((call) => !decided.has(call));
  return { architecture, allowed: numbers, refused, conditional, ownProcess, execute };
}

/** The same on every architecture. */
const CLONE3 = [435] as const;
