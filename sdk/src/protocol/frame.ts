import { WIRE_LIMITS } from './limits.ts';

/**
 * The kinds of frames. `ready` is the first frame of a driver's process and keeps its form in every version of the wire, so that a host can
 * say which side is too old.
 */
export const FRAME_KINDS = { ready: 0, request: 1, answer: 2, error: 3, cancel: 4, data: 5, end: 6, credit: 7 } as const;
/** The name of a kind of frame. */
export type FrameKind = keyof typeof FRAME_KINDS;

/** One frame, as it arrived. The head is JSON text in UTF-8, not yet looked at. */
export interface Frame {
  readonly kind: FrameKind;
  readonly id: number;
  readonly head: Uint8Array;
  readonly body: Uint8Array;
}

/** The content that a kind of frame may carry. */
const SHAPES: Readonly<Record<FrameKind, { readonly head: boolean; readonly body: 'none' | 'some' | 'required' }>> = {
  ready: { head: true, body: 'none' },
  request: { head: true, body: 'some' },
  answer: { head: true, body: 'some' },
  error: { head: true, body: 'none' },
  cancel: { head: false, body: 'none' },
  data: { head: false, body: 'required' },
  end: { head: false, body: 'none' },
  credit: { head: true, body: 'none' },
};

const KIND_NAMES = Object.keys(FRAME_KINDS) as FrameKind[];

/** The other side broke the rules of the wire. */
export class WireViolation extends Error {
  override readonly name = 'WireViolation';
}

const LENGTH_BYTES = 4;
/** Kind, exchange id, head length. */
const FIXED_BYTES = 1 + 4 + 4;
const LARGEST_FRAME = FIXED_BYTES + WIRE_LIMITS.head + WIRE_LIMITS.body;

/** The bytes of a frame up to its body; the body follows as it is, uncopied. */
export function frameStart(kind: FrameKind, id: number, head: Uint8Array, bodyLength: number): Uint8Array {
  const bytes = new Uint8Array(LENGTH_BYTES + FIXED_BYTES + head.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, FIXED_BYTES + head.length + bodyLength);
  view.setUint8(4, FRAME_KINDS[kind]);
  view.setUint32(5, id);
  view.setUint32(9, head.length);
  bytes.set(head, LENGTH_BYTES + FIXED_BYTES);
  return bytes;
}

/** Cuts a stream of bytes into frames. A length is checked before anything is kept for it. */
export class FrameReader {
  readonly #onFrame: (frame: Frame) => void;
  readonly #prefix = new Uint8Array(LENGTH_BYTES);
  #prefixFilled = 0;
  #payload: Uint8Array | undefined;
  #payloadFilled = 0;

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  /** @throws WireViolation */
  push(chunk: Uint8Array): void {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#payload === undefined) {
        const take = Math.min(LENGTH_BYTES - this.#prefixFilled, chunk.length - offset);
        this.#prefix.set(chunk.subarray(offset, offset + take), this.#prefixFilled);
        this.#prefixFilled += take;
        offset += take;
        if (this.#prefixFilled < LENGTH_BYTES) return;
        this.#prefixFilled = 0;
        const length = new DataView(this.#prefix.buffer).getUint32(0);
        if (length < FIXED_BYTES || length > LARGEST_FRAME) throw new WireViolation(`a frame of ${length} bytes was announced`);
        if (chunk.length - offset >= length) {
          this.#onFrame(parseFrame(chunk.subarray(offset, offset + length)));
          offset += length;
          continue;
        }
        this.#payload = new Uint8Array(length);
        this.#payloadFilled = 0;
      }
      const payload = this.#payload;
      const take = Math.min(payload.length - this.#payloadFilled, chunk.length - offset);
      payload.set(chunk.subarray(offset, offset + take), this.#payloadFilled);
      this.#payloadFilled += take;
      offset += take;
      if (this.#payloadFilled === payload.length) {
        this.#payload = undefined;
        this.#onFrame(parseFrame(payload));
      }
    }
  }
}

function parseFrame(payload: Uint8Array): Frame {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const kind = KIND_NAMES[view.getUint8(0)];
  const id = view.getUint32(1);
  const headLength = view.getUint32(5);
  if (kind === undefined) throw new WireViolation(`a frame of the unknown kind ${view.getUint8(0)} arrived`);
  if (headLength > WIRE_LIMITS.head || headLength > payload.length - FIXED_BYTES) {
    throw new WireViolation(`a head of ${headLength} bytes was announced`);
  }
  const head = payload.subarray(FIXED_BYTES, FIXED_BYTES + headLength);
  const body = payload.subarray(FIXED_BYTES + headLength);
  const shape = SHAPES[kind];
  if (body.length > WIRE_LIMITS.body) throw new WireViolation(`a body of ${body.length} bytes arrived in one frame`);
  if (shape.head !== headLength > 0)
    throw new WireViolation(`a frame of the kind ${kind} came ${shape.head ? 'without' : 'with'} a head`);
  if ((shape.body === 'none' && body.length > 0) || (shape.body === 'required' && body.length === 0)) {
    throw new WireViolation(`a frame of the kind ${kind} came with a body of ${body.length} bytes`);
  }
  return { kind, id, head, body };
}
