import ffi from 'node:ffi';

/** Numbers of the system calls that the launcher itself makes. */
const CALLS = {
  x64: { getrandom: 318, mmap: 9, prctl: 157, capset: 126, setrlimit: 160, execve: 59 },
  arm64: { getrandom: 278, mmap: 222, prctl: 167, capset: 91, setrlimit: 164, execve: 221 },
} as const;
export const SHARED_CALLS = { closeRange: 436, createRuleset: 444, addRule: 445, restrictSelf: 446 } as const;

/** @throws Error on another architecture */
export function ownCalls(): (typeof CALLS)['x64' | 'arm64'] {
  if (process.arch === 'x64' || process.arch === 'arm64') return CALLS[process.arch];
  throw new Error(`The system calls of ${process.arch} are not known`);
}

const PAGE = 4_096n;
const READ_WRITE = 3n;
const PRIVATE_ANONYMOUS = 0x22n;

/** System calls through libc, without native code of our own. */
export class Kernel {
  readonly #syscall: (...values: bigint[]) => bigint;
  readonly #errno: () => bigint;
  /** Keeps what the kernel reads from being collected. */
  readonly #retained: Uint8Array[] = [];

  constructor() {
    const library = new ffi.DynamicLibrary(null);
    const long = 'i64' as const;
    this.#syscall = library.getFunction('syscall', { return: long, arguments: [long, long, long, long, long, long, long] });
    this.#errno = library.getFunction('__errno_location', { return: 'pointer', arguments: [] });
  }

  /** @returns the call's value, or the negative error number */
  try(call: number, ...values: readonly (number | bigint)[]): number {
    const padded = [0, 1, 2, 3, 4, 5].map((index) => BigInt(values[index] ?? 0));
    const value = Number(this.#syscall(BigInt(call), ...padded));
    return value === -1 ? -ffi.getInt32(this.#errno()) : value;
  }

  /** @throws Error naming what failed */
  do(what: string, call: number, ...values: readonly (number | bigint)[]): number {
    const value = this.try(call, ...values);
    if (value < 0) throw new Error(`${what}: error ${-value}`);
    return value;
  }

  /** The address of a copy of the bytes. */
  address(bytes: Uint8Array): bigint {
    const copy = new Uint8Array(new ArrayBuffer(Math.max(bytes.length, 1)));
    copy.set(bytes);
    this.#retained.push(copy);
    return ffi.getRawPointer(copy);
  }

  /** The address of a copy of the bytes, at a place that is random in the whole range of addresses. */
  hiddenAddress(bytes: Uint8Array): bigint {
    const random = this.#random();
    // Below 2^38, which is there on kernels with small address spaces too; the offset within the first page adds 8 bits.
    const hint = ((random % (1n << 26n)) + 1n) * PAGE;
    const offset = ((random >> 40n) % (PAGE / 16n)) * 8n;
    const length = ((BigInt(bytes.length) + offset) / PAGE + 1n) * PAGE;
    const { mmap } = ownCalls();
    const page = BigInt(this.do('mmap', mmap, hint, length, READ_WRITE, PRIVATE_ANONYMOUS, -1n, 0));
    ffi.exportBuffer(Buffer.from(bytes), page + offset, bytes.length);
    return page + offset;
  }

  /** 64 bits of the kernel's randomness: to load Node's cryptography for them would take longer than all else that the launcher does. */
  #random(): bigint {
    const bytes = new Uint8Array(new ArrayBuffer(8));
    const filled = this.do('getrandom', ownCalls().getrandom, ffi.getRawPointer(bytes), bytes.length, 0);
    if (filled !== bytes.length) throw new Error('getrandom: too few bytes');
    return new DataView(bytes.buffer).getBigUint64(0, true);
  }
}

/** 64-bit numbers as the kernel reads them. */
export function words(...values: readonly (number | bigint)[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) view.setBigUint64(index * 8, BigInt.asUintN(64, BigInt(value)), true);
  return bytes;
}
