import type { Manifest, Permissions } from '@tabularium/sdk/manifest';
import type { z } from 'zod';
import type { HostSentence } from './hostSentences.ts';

/** A value that its reader doesn't change, at any depth. Types that are readonly already keep their names. */
type ReadonlyDeep<Value> = Value extends Manifest | Permissions | HostSentence
  ? Value
  : Value extends readonly unknown[]
    ? { readonly [Index in keyof Value]: ReadonlyDeep<Value[Index]> }
    : Value extends object
      ? { readonly [Key in keyof Value]: ReadonlyDeep<Value[Key]> }
      : Value;

/** The type of what a schema describes, for those who read it: the one way in which a shape that the host answers gets its type. */
export type Shape<Schema extends z.ZodType> = ReadonlyDeep<z.output<Schema>>;
