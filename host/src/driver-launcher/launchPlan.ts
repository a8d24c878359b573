/**
 * The steps of the launcher, in this order: change the folder, set limits, drop capabilities, apply Landlock and seccomp, and replace itself by a
 * program. The host writes it to descriptor 3 as a 4-byte big-endian length and JSON; Only the host writes plans; a driver never speaks on the
 * descriptor before the plan has been carried out.
 */
export interface LaunchPlan {
  readonly version: 1;
  /** The process whose end is to end this one; absent: none. */
  readonly parent?: number | undefined;
  readonly folder: string;
  /** The program's real path comes first. */
  readonly arguments: readonly string[];
  /** `NAME=value`. */
  readonly environment: readonly string[];
  /** Both the soft and the hard limit of each resource, by the kernel's number. */
  readonly limits: readonly { readonly resource: number; readonly value: number }[];
  readonly landlock: LandlockPlan;
  readonly seccomp: SeccompPlan;
}

/** The fields of Landlock's ruleset, without what the kernel's version lacks. */
export interface LandlockPlan {
  readonly files: number;
  readonly network: number;
  readonly scopes: number;
  readonly rules: readonly LandlockRule[];
  /** TCP ports and what is allowed with each; absent or empty: none. */
  readonly ports?: readonly { readonly port: number; readonly rights: number }[] | undefined;
}

/** Rights to one file, or to a folder and all below it. */
export interface LandlockRule {
  readonly path: string;
  readonly rights: number;
  /** Present: the rule is for this file alone, and a link or another file in its place ends the launch. */
  readonly identity?: { readonly device: string; readonly inode: string } | undefined;
}

/** System calls by number. What is not named gets `ENOSYS`. */
export interface SeccompPlan {
  readonly architecture: 'x64' | 'arm64';
  readonly allowed: readonly number[];
  /** Calls that get `EPERM`: programs know what to make of it. */
  readonly refused: readonly number[];
  /** Calls that are allowed when all checks of any of the lists hold, else `EPERM`. */
  readonly conditional: readonly { readonly call: number; readonly any: readonly (readonly ArgumentCheck[])[] }[];
  /** Sends a signal to the process itself and to no other: the process's number is its first argument. */
  readonly ownProcess: readonly number[];
  /** The call that starts the program. It passes once, for the launcher's own arguments at addresses that can't be guessed. */
  readonly execute: number;
}

/** The low 32 bits of an argument, of which the bits in `mask` have the value. */
export interface ArgumentCheck {
  readonly argument: number;
  readonly mask: number;
  readonly value: number;
}

/** A question in place of a plan; the launcher answers in one line of JSON and waits for a plan. */
export interface AskKernel {
  readonly version: 1;
  readonly ask: 'kernel';
}

/** The answer. */
export interface KernelAnswer {
  /** Landlock's ABI; 0: there is none that can be used. */
  readonly landlock: number;
  /** The kernel wasn't asked: a filter around this process, such as a container's, forbids the call. */
  readonly landlockForbidden: boolean;
  readonly seccomp: boolean;
  /** Real paths of the program's shared libraries and its loader. */
  readonly libraries: readonly string[];
}

/** The launcher's exit code when it could not apply the plan. Standard error has the reason. */
export const LAUNCH_FAILED = 71;
