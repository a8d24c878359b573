import { format, supportedDialects } from 'sql-formatter';
import type { SqlLanguage } from 'sql-formatter';

const isSupported = (name: string): name is SqlLanguage => supportedDialects.includes(name);

/**
 * The words and marks of a text, without the white space between them. Databases take every character beyond ASCII for a part of a word, and the
 * formatter fewer of them: it reads `asöl` as the alias `öl`. Marks that begin a comment stay together as well.
 */
const pieces = (text: string): string => (text.match(/[\w$\u0080-\u{10ffff}]+|--|\/\*|\*\/|[^\s]/gu) ?? []).join('\n');

/** A line for the client, such as `\connect sales`, which must stay one. */
const CLIENT_LINE = /^([ \t]*\\[^\n]*)$/m;

/**
 * SQL on lines of its own, indented. Only white space changes.
 *
 * @param dialect - as the manifest has it; standard SQL where the formatter has none of that name
 * @returns undefined for a text that the formatter cannot read
 */
export function formatSql(text: string, dialect: string | undefined): string | undefined {
  // Every second part is such a line.
  const parts = text.split(CLIENT_LINE).map((part, place) => (place % 2 === 1 ? part.trim() : formatted(part, dialect)));
  return parts.includes(undefined) ? undefined : parts.filter((part) => part !== '').join('\n');
}

function formatted(text: string, dialect: string | undefined): string | undefined {
  const name = dialect?.toLowerCase() ?? '';
  try {
    const result = format(text, {
      language: isSupported(name) ? name : 'sql',
      keywordCase: 'preserve',
      tabWidth: 2,
      linesBetweenQueries: 1,
      // The console's own variables.
      paramTypes: { custom: [{ regex: '\\{\\{\\s*[A-Za-z_][A-Za-z0-9_]*\\s*\\}\\}' }] },
    });
    return pieces(result) === pieces(text) ? result : undefined;
  } catch {
    return undefined;
  }
}
