import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.ts';

// A reader of the repository has neither the machine on which a line was written nor the list of tasks behind it: a line says itself what it means.

const PATTERNS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a folder of one machine', /(?<![\w.])\/(?:work|root|workspace)\/[\w.-]+/],
  ['the number of a task', /\b(?:issue|ticket|task|PR)s? #?\d+\b/i],
  [
    'a note between sessions',
    /\bclosing note\b|\b(?:previous|next|last|earlier) session of work\b|\bsession before (?:last|this)\b/i,
  ],
  ['who was at work', /\bsub-?agents?\b|\bas an AI\b|\bAI assistant\b|\bthe brief says\b/i],
];

/** The mentions of a text, each with its line. */
export function workplaceMentions(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    PATTERNS.flatMap(([what, pattern]) => {
      const found = pattern.exec(line)?.[0];
      return found === undefined ? [] : [`${path}:${index + 1}: "${found}" is ${what}. Say what it means to a reader.`];
    }),
  );
}

/** Files that are about such mentions, and those that are kept as they were recorded. */
const EXCEPTIONS = [
  /^scripts\/checks\/workplaceMentions/,
  /^tests\/sandbox\/recordings\//,
  /(^|\/)package-lock\.json$/,
  /\.(?:png|tgz|woff2|ico|icns)$/,
];

/** Every committed text file with its content. */
export function committedTexts(): [path: string, text: string][] {
  const paths = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0');
  return paths
    .filter((path) => path !== '' && !EXCEPTIONS.some((exception) => exception.test(path)))
    .flatMap((path): [string, string][] => {
      try {
        return [[path, readFileSync(join(root, path), 'utf8')]];
      } catch {
        // Deleted, and not committed yet.
        return [];
      }
    });
}
