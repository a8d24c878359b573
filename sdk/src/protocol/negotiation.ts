import { SDK_CONTRACT, WIRE_VERSION } from '../version.ts';
import { WireViolation } from './frame.ts';
import { parseHead, readyDetailsSchema, readyHeadSchema } from './heads.ts';

/** The meaning of the first frame of a driver's process: a driver to talk to, or a sentence that says why not and what to update. */
export type Ready =
  { readonly ok: true; readonly driver: string; readonly contract: string } | { readonly ok: false; readonly problem: string };

/**
 * Reads the first frame of a driver's process.
 *
 * @throws WireViolation when it isn't such a frame
 */
export function readReady(head: Uint8Array): Ready {
  const { wire } = parseHead(head, readyHeadSchema, 'the first frame');
  if (wire !== WIRE_VERSION) {
    return {
      ok: false,
      problem: `The program in the driver's process speaks version ${wire} of the wire, and this version of Tabularium speaks ${WIRE_VERSION}. ${
        wire > WIRE_VERSION ? 'Update Tabularium.' : 'Install Tabularium again: its parts are of different versions.'
      }`,
    };
  }
  const { problem, contract, driver } = parseHead(head, readyDetailsSchema, 'the first frame');
  if (problem !== undefined) return { ok: false, problem };
  if (contract === undefined || driver === undefined) throw new WireViolation('the first frame names no driver');
  const refusal = contractRefusal(contract);
  return refusal === undefined ? { ok: true, driver, contract } : { ok: false, problem: refusal };
}

/** Why a driver that was built with this contract cannot run here. */
export function contractRefusal(contract: string): string | undefined {
  const major = /^(\d{1,6})\.\d{1,6}\.\d{1,6}/.exec(contract)?.[1];
  if (major === undefined) return `The driver names the contract "${contract.slice(0, 40)}", which isn't a version.`;
  const ours = Number(SDK_CONTRACT.split('.')[0]);
  if (Number(major) === ours) return undefined;
  const found = `The driver was built with version ${contract} of the SDK's contract, and this version of Tabularium speaks ${SDK_CONTRACT}.`;
  return Number(major) > ours ? `${found} Update Tabularium.` : `${found} Update the driver.`;
}
