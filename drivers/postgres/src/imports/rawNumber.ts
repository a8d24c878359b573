/** A number of JSON by its digits. */
export class RawNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}
