/** The person who was asked broke off: with Ctrl-C, Ctrl-D, or the end of the input. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}
