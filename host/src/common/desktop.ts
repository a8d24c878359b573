import { z } from 'zod';

/** The desktop shell's functions for the window: the user can choose one file. */
export const chooseFileSchema = z.strictObject({
  purpose: z.enum(['open', 'save']),
  title: z.string().min(1).max(200),
  suggestedName: z.string().min(1).max(255).optional(),
});
export type ChooseFileRequest = z.input<typeof chooseFileSchema>;

/** The connection that another window is to show. */
export const newWindowSchema = z.uuid().optional();

/** The longest text of {@link closeQuestionSchema}: a message box has no scroll bar. */
export const LONGEST_CLOSE_TEXT = 2_000;
const label = z.string().min(1).max(60);
/** The question before a window is closed in which something is unsaved, in the language of the window; absent: nothing is. */
export const closeQuestionSchema = z
  .strictObject({
    message: z.string().min(1).max(200),
    /** Each loss in a line of its own. */
    detail: z.string().max(LONGEST_CLOSE_TEXT),
    keepOpen: label,
    close: label,
  })
  .optional();
export type CloseQuestion = NonNullable<z.output<typeof closeQuestionSchema>>;

/** `window.desktop` inside the desktop shell; absent in a browser. */
export interface DesktopBridge {
  /** The path, or undefined if the user cancelled. */
  chooseFile(request: ChooseFileRequest): Promise<string | undefined>;
  /** Calls back for each command of a native menu, by its id (`commands/registry.ts` in the window). The returned function ends that. */
  onCommand?(listener: (id: string) => void): () => void;
  /** Opens another window. It shows the connection with that id; without one, what its own workspace says. */
  newWindow?(connectionId?: string): void;
  /** Sets the question of the shell before it closes this window, where the page objects to that. */
  setCloseQuestion?(question: CloseQuestion | undefined): void;
}
