import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { constants as system } from 'node:os';
import type { Kernel } from './kernel.ts';
import { SHARED_CALLS, words } from './kernel.ts';
import type { KernelAnswer, LandlockPlan, LandlockRule } from './launchPlan.ts';

const GET_VERSION = 1;
const RULE_PATH_BENEATH = 1;
const RULE_NET_PORT = 2;
const O_PATH = 0o10000000;
const O_CLOEXEC = 0o2000000;
const { errno } = system;
const { createRuleset, addRule, restrictSelf } = SHARED_CALLS;

/** A kernel that has no Landlock answers ENOSYS, and one that has it switched off EOPNOTSUPP. */
const FORBIDDEN: readonly number[] = [-errno.EPERM, -errno.EACCES];

/** The kernel's version of Landlock; 0: none, switched off, or forbidden to this process. */
export function askForLandlock(kernel: Kernel): Pick<KernelAnswer, 'landlock' | 'landlockForbidden'> {
  const answer = kernel.try(createRuleset, 0, 0, GET_VERSION);
  return { landlock: Math.max(0, answer), landlockForbidden: FORBIDDEN.includes(answer) };
}

/** Restricts this thread, and the program that it becomes, to what the plan names. There is no way back. */
export function applyLandlock(kernel: Kernel, plan: LandlockPlan): void {
  const fields =
    plan.scopes !== 0 ? [plan.files, plan.network, plan.scopes] : plan.network !== 0 ? [plan.files, plan.network] : [plan.files];
  const attributes = words(...fields);
  const ruleset = kernel.do('Landlock', createRuleset, kernel.address(attributes), attributes.length, 0);
  for (const rule of plan.rules) allow(kernel, ruleset, rule);
  for (const { port, rights } of plan.ports ?? []) {
    const rule = words(rights, port);
    kernel.do(`Landlock, port ${port}`, addRule, ruleset, RULE_NET_PORT, kernel.address(rule), 0);
  }
  kernel.do('Landlock', restrictSelf, ruleset, 0);
}

function allow(kernel: Kernel, ruleset: number, { path, rights, identity }: LandlockRule): void {
  const descriptor = openSync(path, O_PATH | O_CLOEXEC | (identity === undefined ? 0 : constants.O_NOFOLLOW));
  try {
    if (identity !== undefined) {
      const found = fstatSync(descriptor, { bigint: true });
      if (!found.isFile() || String(found.dev) !== identity.device || String(found.ino) !== identity.inode)
        throw new Error(`${path} was replaced while the driver was started`);
    }
    const attributes = new Uint8Array(12);
    const view = new DataView(attributes.buffer);
    view.setBigUint64(0, BigInt(rights), true);
    view.setInt32(8, descriptor, true);
    kernel.do(`Landlock, ${path}`, addRule, ruleset, RULE_PATH_BENEATH, kernel.address(attributes), 0);
  } finally {
    closeSync(descriptor);
  }
}
