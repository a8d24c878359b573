import type { FakeContext } from './fakeContext.test-helper.ts';

/** The documents of windows, in memory. */
export function fakeWorkspace(): FakeContext['workspace'] {
  const documents = new Map<string, Record<string, unknown>>();
  const windows = new Map<string, unknown>();
  const held = new Map<string, string>();
  return {
    documents: (scope) => documents.get(scope) ?? {},
    save: ({ documents: written }) => {
      for (const { scope, name, value } of written) {
        const { [name]: _before, ...others } = documents.get(scope) ?? {};
        documents.set(scope, value === undefined ? others : { ...others, [name]: value });
      }
    },
    claimWindow: ({ windowId, fresh }) => {
      const left = [...windows.keys()].findLast((id) => !held.has(id));
      const claimed = windowId ?? (fresh ? undefined : left) ?? crypto.randomUUID();
      const lease = crypto.randomUUID();
      held.set(claimed, lease);
      const workspace = windows.get(claimed);
      return workspace === undefined ? { windowId: claimed, lease } : { windowId: claimed, lease, workspace };
    },
    saveWindow: (windowId, workspace) => {
      if (workspace === null) windows.delete(windowId);
      else windows.set(windowId, workspace);
    },
    releaseWindow: (windowId, lease) => {
      if (held.get(windowId) === lease) held.delete(windowId);
    },
  };
}
