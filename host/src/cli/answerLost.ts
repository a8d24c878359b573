/** Standard output took no answer that a command gives once. Reported on standard error, also with `--json`. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost';
  readonly advice: string;

  constructor(message: string, advice: string, cause: unknown) {
    super(message, { cause });
    this.advice = advice;
  }
}
