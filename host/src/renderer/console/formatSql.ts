import { format, supportedDialects } from 'sql-formatter';
import type { SqlLanguage } from 'sql-formatter';

const isSupported = (name: string): name is SqlLanguage => supportedDialects.includes(name);

/**
 * The words and marks of a text, without the white space between them. Databases take every character beyond ASCII for a part of a word, and the
 * formatter fewer of them: it reads `asöl` as the alias `öl`. Marks that begin a comment stay together as well.
 */
const pieces = (text: string): string => (text.match(/[\w$\u0080-\u{10ffff}]+|--|\/\*|\*\/|[^\s]/gu) ?? []).join('\n');

/**
 * SQL on lines of its own, indented. Only white space changes.
 *
 * @param dialect - as the manifest has it; standard SQL where the formatter has none of that name
 * @returns undefined for a text that the formatter cannot read
 */
export function formatSql(text: string, dialect: string | undefined): string | undefined {
  const name = dialect?.toLowerCase() ?? '';
  try {
    const formatted = format(text, {
      language: isSupported(name) ? name : 'sql',
      keywordCase: 'preserve',
      tabWidth: 2,
      linesBetweenQueries: 1,
      // The console's own variables.
      paramTypes: { custom: [{ regex: '\\{\\{\\s*[A-Za-z_][A-Za-z0-9_]*\\s*\\}\\}' }] },
    });
    return pieces(formatted) === pieces(text) ? formatted : undefined;
  } catch {
    return undefined;
  }
}
