/** A person ended a question with Ctrl-C, which a terminal that is read key by key reports as a character instead of a signal. */
export class Interruption extends Error {
  constructor() {
    super('Cancelled.');
  }
}
