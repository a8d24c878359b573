/**
 * The limits of the wire. Both sides know them; the host ends a driver's process that oversteps one. They are there because either side
 * may be hostile: without them a driver made the host grow by gigabytes.
 */
export const WIRE_LIMITS = {
  /** Bytes of a frame's head. */
  head: 64 * 1024,
  /** Bytes of a frame's body; what is larger is streamed in several frames. */
  body: 256 * 1024,
  /** Bytes that may be in flight in one direction of one exchange before the receiver has taken some. */
  window: 1024 * 1024,
  /** Requests of one side that wait for the end of their answer. */
  openRequests: 64,
  /** Bytes waiting to be sent, above which bodies wait. */
  sendQueue: 1024 * 1024,
  /** Bytes waiting to be sent, above which the host reads no further. Only the host may stop reading: both would deadlock. */
  pauseReading: 4 * 1024 * 1024,
} as const;
