import { clearCaches } from '@typescript-eslint/parser';
import type { Linter } from 'eslint';
import tseslint from 'typescript-eslint';

/** Files of one run whose types come from their own projects. A project costs up to 14 s, the one program of everything 20 s. */
const OWN_PROJECT_FILES = 5;

/**
 * The parser with types. A run over everything has one program, so that each file is parsed and checked once: the projects one by one took
 * 220 s of processor time and 4.9 GB, one program takes 127 s and 3.0 GB. Most runs look at a file or two, as the cache answers for the
 * others: those ask the project service, which reads their own projects alone. So does an editor, always.
 *
 * It is a parser and no setting, as the cache of ESLint holds for one setting only.
 *
 * @param run - `all` when no cached result is expected, `some` on the command line, `editor` in a process that stays
 */
export function typedParser(run: 'all' | 'some' | 'editor'): Linter.Parser {
  // Its own types leave the options out.
  const parser = tseslint.parser as {
    parseForESLint(text: string, options?: unknown): Linter.ESLintParseResult;
  };
  let asked = 0;
  return {
    meta: { name: 'house-typed-parser' },
    parseForESLint(text, options) {
      const settings = options as Record<string, unknown> | undefined;
      // Tests of the rules switch types off.
      if (settings?.['projectService'] === false) return parser.parseForESLint(text, options);
      asked += 1;
      // Both at once don't fit into the memory of a run.
      if (run === 'some' && asked === OWN_PROJECT_FILES + 1) clearCaches();
      if (run === 'editor' || (run === 'some' && asked <= OWN_PROJECT_FILES)) {
        try {
          return parser.parseForESLint(text, { ...settings, projectService: true });
        } catch (cause) {
          // No project has the file, as with one that was just begun, or it has a fault of syntax, which the program reports again.
          if (run === 'editor') throw cause;
        }
      }
      return parser.parseForESLint(text, { ...settings, project: './tsconfig.lint.json' });
    },
  };
}
