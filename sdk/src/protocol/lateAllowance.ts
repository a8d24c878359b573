import type { Frame } from './frame.ts';
import { WireViolation } from './frame.ts';
import { WIRE_LIMITS } from './limits.ts';

/** A cancel, and the credit for an answer, given back in portions of an eighth of the window, with room to spare. */
const CONTROL_FRAMES = 32;
/** The part of a body that may be in flight when its reader has stopped waiting: the window, at one unit a byte and one a frame. */
const BODY_UNITS = 2 * WIRE_LIMITS.window;
const LARGEST = WIRE_LIMITS.openRequests * (BODY_UNITS + CONTROL_FRAMES);

/**
 * Frames that were in flight when their exchange ended aren't an offence, or else every cancelled page would look hostile. Each exchange that
 * ends allows a few; more than that is an offence.
 */
export class LateAllowance {
  #units = 0;

  grow(requestEnded: boolean): void {
    this.#units = Math.min(LARGEST, this.#units + CONTROL_FRAMES + (requestEnded ? 0 : BODY_UNITS));
  }

  /** @throws WireViolation */
  use(frame: Frame): void {
    this.#units -= 1 + frame.body.length;
    if (this.#units < 0) throw new WireViolation('too many frames came for exchanges that were over');
  }
}
