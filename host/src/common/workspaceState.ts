import { z } from 'zod';
import type { Shape } from './shape.ts';

// The state that a window remembers: which tabs were open, what was typed and not sent. Small documents, kept by the host, so that they are there again
// whatever address the next window has.

/** The largest document, as JSON. */
export const LARGEST_DOCUMENT = 1024 * 1024;

/** The owner of a document: a connection, with which it goes; or the home. */
export const workspaceScopeSchema = z.union([z.uuid(), z.literal('home')]);
export type WorkspaceScope = z.output<typeof workspaceScopeSchema>;

const nameSchema = z.string().min(1).max(1_000);

export const workspaceDocumentsSchema = z.object({ scope: workspaceScopeSchema });

export const saveDocumentsSchema = z.object({
  documents: z
    .array(
      z.object({
        scope: workspaceScopeSchema,
        name: nameSchema,
        /** Absent: forgotten. */
        value: z.json().optional(),
      }),
    )
    .min(1)
    .max(200),
});
export type SaveDocuments = z.input<typeof saveDocumentsSchema>;

export const claimWindowSchema = z.object({
  /** The window that this page was before it was reloaded. */
  windowId: z.uuid().optional(),
  /** A window that begins with nothing; else one that was left is taken up again. */
  fresh: z.boolean().default(false),
});
export type ClaimWindow = z.input<typeof claimWindowSchema>;

/** A window's own place, and its document. */
export const claimedWindowSchema = z.object({
  windowId: z.string(),
  /** Names this claim: a page that goes must not give away what its successor has claimed meanwhile. */
  lease: z.string(),
  workspace: z.unknown().optional(),
});
export type ClaimedWindow = Shape<typeof claimedWindowSchema>;

/** `workspace` null: the window has nothing open, so there is nothing to take up again. */
export const saveWindowSchema = z.object({ windowId: z.uuid(), workspace: z.json() });
export const releaseWindowSchema = z.object({ windowId: z.uuid(), lease: z.uuid() });
