import { Option } from 'commander';
import type { z } from 'zod';

/** The option `--json` of a command, with the shape of the JSON that it prints: {@link print} takes nothing else. */
export class JsonAnswer<Schema extends z.ZodType = z.ZodType> extends Option {
  readonly schema: Schema;

  constructor(schema: Schema, description = 'answer in JSON') {
    super('--json', description);
    this.schema = schema;
  }
}
