import { typedOr } from './typedOr.ts';

/** A connection as one word of a command that a person copies: its name, and its id where the name can't be copied. */
export function typedConnection({ name, id }: { readonly name: string; readonly id: string | undefined }): string {
  return typedOr(name, id ?? 'NAME');
}
