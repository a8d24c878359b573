// The attempts of a hostile driver that makes system calls itself: native code, for which node:ffi is the substitute. Each attempt resolves when it
// gets where it should not. Numbers are those of x64 and arm64.

import fs from 'node:fs';
import { join } from 'node:path';

const CALLS = {
  openat: [257, 56],
  truncate: [76, 45],
  renameat: [264, 38],
  unlinkat: [263, 35],
  mkdirat: [258, 34],
  symlinkat: [266, 36],
  linkat: [265, 37],
  mknodat: [259, 33],
  fchmodat: [268, 53],
  fchownat: [260, 54],
  utimensat: [280, 88],
  setxattr: [188, 5],
  listxattr: [194, 11],
  newfstatat: [262, 79],
  readlinkat: [267, 78],
  getdents64: [217, 61],
  openat2: [437, 437],
  name_to_handle_at: [303, 264],
  socket: [41, 198],
  kill: [62, 129],
  tgkill: [234, 131],
  rt_sigqueueinfo: [129, 138],
  pidfd_open: [434, 434],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  fcntl: [72, 25],
  prctl: [157, 167],
  prlimit64: [302, 261],
  setpriority: [141, 140],
  sched_setaffinity: [203, 122],
  memfd_create: [319, 279],
  shmget: [29, 194],
  mq_open: [240, 180],
  inotify_init1: [294, 26],
  io_uring_setup: [425, 425],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  keyctl: [250, 219],
  add_key: [248, 217],
  userfaultfd: [323, 282],
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  clone: [56, 220],
  exit_group: [231, 94],
  execve: [59, 221],
  execveat: [322, 281],
  chroot: [161, 51],
  chdir: [80, 49],
  seccomp: [317, 277],
  uname: [63, 160],
  kcmp: [312, 272],
  statfs: [137, 43],
  memfd_secret: [447, 447],
};
const AT_FDCWD = -100;
const O_WRONLY = 1;
const O_CREAT = 0o100;
const O_TRUNC = 0o1000;
const O_DIRECTORY = process.arch === 'arm64' ? 0o40000 : 0o200000;

const kept = [];
let functions;
async function native() {
  functions ??= await (async () => {
    const { default: ffi } = await import('node:ffi');
    const library = new ffi.DynamicLibrary(null);
    return {
      ffi,
      syscall: library.getFunction('syscall', { return: 'i64', arguments: Array(7).fill('i64') }),
      errno: library.getFunction('__errno_location', { return: 'pointer', arguments: [] }),
    };
  })();
  return functions;
}

/** Makes a system call. Texts and bytes are handed over by address. @throws Error with the error's number */
async function call(name, ...values) {
  const { ffi, syscall, errno } = await native();
  const addressed = values.map((value) => {
    if (typeof value === 'number' || typeof value === 'bigint') return BigInt(value);
    const bytes = typeof value === 'string' ? Buffer.from(`${value}\0`) : value;
    const copy = new Uint8Array(new ArrayBuffer(bytes.length));
    copy.set(bytes);
    kept.push(copy);
    return ffi.getRawPointer(copy);
  });
  const number = typeof name === 'number' ? name : CALLS[name][process.arch === 'arm64' ? 1 : 0];
  const result = Number(syscall(BigInt(number), ...[0, 1, 2, 3, 4, 5].map((index) => addressed[index] ?? 0n)));
  if (result === -1) throw new Error(`error ${ffi.getInt32(errno())}`);
  return result;
}

async function pointersTo(...texts) {
  const { ffi } = await native();
  const addresses = texts.map((text) => {
    const bytes = new Uint8Array(new ArrayBuffer(text.length + 1));
    bytes.set(Buffer.from(text));
    kept.push(bytes);
    return ffi.getRawPointer(bytes);
  });
  return Buffer.from(BigUint64Array.from([...addresses, 0n]).buffer);
}

const open = (path, flags = 0) => call('openat', AT_FDCWD, path, flags, 0o600);
/** It stays: another user of the machine could not open the same. */
const ownName = () => `tabularium-raw-${process.getuid()}`;
const proc = (name) => `/proc/${process.ppid}/${name}`;

/** @type {Record<string, (target: Record<string, any>) => unknown>} */
export const rawAttempts = {
  'raw: reading a file outside': ({ outside }) => open(join(outside, 'secret')),
  'raw: reading a file outside by openat2': ({ outside }) =>
    call('openat2', AT_FDCWD, join(outside, 'secret'), Buffer.alloc(24), 24),
  'raw: listing a folder outside': ({ outside }) => open(outside, O_DIRECTORY),
  'raw: creating a file outside': ({ outside }) => open(join(outside, 'raw-created'), O_CREAT | O_WRONLY),
  'raw: emptying a file outside': ({ outside }) => call('truncate', join(outside, 'victim'), 0),
  'raw: emptying a file outside by opening it': ({ outside }) => open(join(outside, 'victim'), O_TRUNC),
  'raw: writing into its own folder': ({ own }) => open(join(own, 'raw-created'), O_CREAT | O_WRONLY),
  'raw: writing its own program': ({ runner }) => open(runner, O_WRONLY),
  'raw: renaming a file outside': ({ outside }) =>
    call('renameat', AT_FDCWD, join(outside, 'victim'), AT_FDCWD, join(outside, 'renamed')).then(() =>
      call('renameat', AT_FDCWD, join(outside, 'renamed'), AT_FDCWD, join(outside, 'victim')),
    ),
  'raw: removing a file outside': ({ outside }) => call('unlinkat', AT_FDCWD, join(outside, 'removable'), 0),
  'raw: making a folder outside': ({ outside }) => call('mkdirat', AT_FDCWD, join(outside, 'raw-folder'), 0o700),
  'raw: making a symbolic link outside': ({ outside }) => call('symlinkat', '/', AT_FDCWD, join(outside, 'raw-link')),
  'raw: making a hard link outside': ({ outside }) =>
    call('linkat', AT_FDCWD, join(outside, 'secret'), AT_FDCWD, join(outside, 'raw-hard'), 0),
  'raw: making a pipe outside': ({ outside }) => call('mknodat', AT_FDCWD, join(outside, 'raw-pipe'), 0o10600, 0),
  'raw: changing the mode of a file outside': ({ outside }) => call('fchmodat', AT_FDCWD, join(outside, 'victim'), 0o644),
  'raw: changing the owner of a file outside': ({ outside }) =>
    call('fchownat', AT_FDCWD, join(outside, 'victim'), process.getuid(), process.getgid(), 0),
  'raw: changing the times of a file outside': ({ outside }) => call('utimensat', AT_FDCWD, join(outside, 'victim'), 0, 0),
  'raw: writing attributes of a file outside': ({ outside }) =>
    call('setxattr', join(outside, 'victim'), 'user.x', Buffer.from('x'), 1, 0),
  'raw: reading attributes of a file outside': ({ outside }) => call('listxattr', join(outside, 'victim'), 0, 0),
  'raw: a handle of a file outside': ({ outside }) =>
    call('name_to_handle_at', AT_FDCWD, join(outside, 'secret'), Buffer.from([128, ...Array(140).fill(0)]), Buffer.alloc(8), 0),
  'raw: shared memory in /dev/shm': () => open(`/dev/shm/${ownName()}`, O_CREAT | O_WRONLY),
  'raw: whether a file outside exists': ({ outside }) =>
    call('newfstatat', AT_FDCWD, join(outside, 'secret'), Buffer.alloc(256), 0),
  "raw: the computer's name": () => call('uname', Buffer.alloc(512)),

  'raw: memory of the host': () => open(proc('mem')),
  'raw: environment of the host': () => open(proc('environ')),
  'raw: command line of the host': () => open(proc('cmdline')),
  'raw: descriptors of the host': () => call('readlinkat', AT_FDCWD, proc('fd/0'), Buffer.alloc(256), 256),
  'raw: folder of the host': () => call('readlinkat', AT_FDCWD, proc('cwd'), Buffer.alloc(256), 256),
  'raw: its own memory as a file': () => open('/proc/self/mem', 2),
  'raw: list of processes': () => open('/proc', O_DIRECTORY),
  'raw: tracing the host': () => call('ptrace', 0x4206, process.ppid, 0, 0),
  'raw: reading memory of the host': () => call('process_vm_readv', process.ppid, Buffer.alloc(16), 0, Buffer.alloc(16), 0, 0),
  'raw: comparing itself with the host': () => call('kcmp', process.pid, process.ppid, 2, 0, 0),
  'raw: signal to the host': () => call('kill', process.ppid, 0),
  'raw: signal to every process': () =>
    call('kill', -(2 ** 30), 0).catch((error) => {
      // No such group: that it was looked for is what counts.
      if (error.message !== 'error 3') throw error;
    }),
  'raw: signal to a thread of the host': () => call('tgkill', process.ppid, process.ppid, 0),
  'raw: queued signal to the host': () => {
    const info = Buffer.alloc(128);
    info.writeInt32LE(-1, 8);
    return call('rt_sigqueueinfo', process.ppid, 0, info);
  },
  'raw: handle of the host': () => call('pidfd_open', process.ppid, 0),
  'raw: signals to the host by a descriptor': () => call('fcntl', 3, 8, process.ppid),
  'raw: watching a folder by a descriptor': async ({ own }) => call('fcntl', await open(own, O_DIRECTORY), 1026, 2),
  'raw: priority of the host': () => call('setpriority', 0, process.ppid, 5).then(() => call('setpriority', 0, process.ppid, 0)),
  'raw: processors of the host': () => call('sched_setaffinity', process.ppid, 8, Buffer.from([255, 0, 0, 0, 0, 0, 0, 0])),
  'raw: limits of the host': () => call('prlimit64', process.ppid, 4, 0, Buffer.alloc(16)),
  'raw: raising its own limits': () => call('prlimit64', 0, 4, Buffer.alloc(16, 0), 0),
  'raw: outliving the host': () => call('prctl', 1, 0),

  'raw: internet socket': () => call('socket', 2, 1, 0),
  'raw: datagram socket': () => call('socket', 10, 2, 0),
  'raw: Unix socket': () => call('socket', 1, 1, 0),
  'raw: netlink socket': () => call('socket', 16, 3, 0),
  'raw: virtual machine socket': () => call('socket', 40, 1, 0),

  'raw: memory as a file': () => call('memfd_create', 'x', 0),
  'raw: System V shared memory': () => call('shmget', 0, 4096, 0o1600),
  'raw: message queue': () => call('mq_open', ownName(), O_CREAT | 2, 0o600, 0),
  'raw: watching files': () => call('inotify_init1', 0),
  'raw: io_uring': () => call('io_uring_setup', 1, Buffer.alloc(120)),
  'raw: BPF': () => call('bpf', 0, Buffer.from([1, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, ...Array(112).fill(0)]), 48),
  'raw: performance events': () => {
    const attributes = Buffer.alloc(112);
    attributes.writeUInt32LE(1, 0);
    attributes.writeUInt32LE(112, 4);
    return call('perf_event_open', attributes, 0, -1, -1, 0);
  },
  'raw: keys of the person': () => call('keyctl', 0, -4, 0),
  'raw: adding a key': () => call('add_key', 'user', 'tabularium-raw', Buffer.from('x'), 1, -2),
  'raw: page faults in user space': () => call('userfaultfd', 1),
  'raw: name spaces of its own': () => call('unshare', 0x04000000),
  'raw: mounting': () =>
    call('mount', 'none', '/nowhere', 'tmpfs', 0, 0).catch((error) => {
      if (error.message !== 'error 2') throw error;
    }),
  'raw: another root': () => call('chroot', '/'),
  'raw: another folder': () => call('chdir', '/'),
  'raw: a child process': async () => {
    const child = await native().then(({ syscall }) =>
      Number(syscall(BigInt(CALLS.clone[process.arch === 'arm64' ? 1 : 0]), 17n, 0n, 0n, 0n, 0n, 0n)),
    );
    if (child === 0) await call('exit_group', 0);
    if (child < 0) throw new Error('refused');
  },
};

/** Attempts that may end the process. What came of them shows outside, or in a line of standard error. */
export const deadlyAttempts = {
  'raw: starting a program': async ({ outside }) =>
    call('execve', '/bin/sh', await pointersTo('sh', '-c', `echo x > ${join(outside, 'executed')}`), await pointersTo()),
  'raw: starting a program by descriptor': async ({ outside }) =>
    call(
      'execveat',
      AT_FDCWD,
      '/bin/sh',
      await pointersTo('sh', '-c', `echo x > ${join(outside, 'executed-at')}`),
      await pointersTo(),
      0,
    ),
  'raw: starting Node again': async ({ outside }) =>
    call(
      'execve',
      '/bin/sh',
      await pointersTo(
        ...['sh', '-c', `exec "$0" -e "require('fs').writeFileSync('${join(outside, 'executed-node')}', 'x')"`, process.execPath],
      ),
      await pointersTo(),
    ),
  'raw: a call of x32 programs': async () => {
    if (process.arch !== 'x64') throw new Error('there are none');
    await native();
    // Without the ABI the kernel answers that the call doesn't exist, which is an answer all the same.
    await call(0x40000000 + 39).catch(() => undefined);
    fs.writeSync(2, 'ALIVE\n');
  },
  'raw: a call of 32-bit programs': async () => {
    if (process.arch !== 'x64') throw new Error('there are none');
    const { ffi, syscall } = await native();
    // mov eax, 20 (getpid); int 0x80; ret - written over an unused function of libc.
    const code = Buffer.from([0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3]);
    const library = new ffi.DynamicLibrary(null);
    const address = library.getSymbol('lfind');
    syscall(10n, address & ~4095n, 8192n, 7n, 0n, 0n, 0n);
    ffi.exportBuffer(code, address, code.length);
    library.getFunction('lfind', { return: 'i32', arguments: [] })();
    fs.writeSync(2, 'ALIVE\n');
  },
  'fatal error report': ({ outside }) => {
    process.report.directory = outside;
    process.report.filename = 'report-target';
    process.report.compact = true;
    process.report.reportOnFatalError = true;
    const all = [];
    for (;;) all.push(new Array(100_000).fill(Math.random()));
  },
};
