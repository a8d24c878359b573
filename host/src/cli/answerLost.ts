/** What a command hands out once could not be written to standard output. Said on standard error, also with `--json`. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost';
  readonly advice: string;

  constructor(message: string, advice: string, cause: unknown) {
    super(message, { cause });
    this.advice = advice;
  }
}
