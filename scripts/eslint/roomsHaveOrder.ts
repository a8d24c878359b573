import { dirname, join, relative } from 'node:path';
import type { Rule } from 'eslint';
import { isTestFile } from './floorTable.ts';
import { importVisitor } from './importVisitor.ts';
import { roomOf } from './roomTable.ts';

/** Fails on an import from a room that comes later in the list of its floor. */
export const roomsHaveOrder: Rule.RuleModule = {
  meta: { type: 'problem', schema: [], messages: { wrong: '{{sentence}}' } },
  create(context) {
    const file = relative(context.cwd, context.filename).replaceAll('\\', '/');
    const room = roomOf(file);
    if (room === undefined || isTestFile(file)) return {};
    return importVisitor((node, specifier) => {
      if (!specifier.startsWith('.')) return;
      const target = roomOf(join(dirname(file), specifier).replaceAll('\\', '/'));
      if (target === undefined || target.floor !== room.floor || target.height <= room.height) return;
      const sentence = `${room.name} may not import ${target.name}: its room comes later in scripts/eslint/roomTable.ts. Move what both need to the lower room.`;
      context.report({ node, messageId: 'wrong', data: { sentence } });
    });
  },
};
