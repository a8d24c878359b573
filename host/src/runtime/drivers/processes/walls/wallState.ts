import type { HostSentence } from '../../../../common/hostSentences.ts';

/** Whether the kernel confines driver processes here. */
export type WallState =
  | {
      readonly present: true;
      /** Landlock's ABI. */
      readonly landlock: number;
      readonly architecture: 'x64' | 'arm64';
      /** Real paths of Node's shared libraries and loader. */
      readonly libraries: readonly string[];
    }
  | {
      readonly present: false;
      readonly reason: HostSentence;
      /** The try came to no answer, which another one may. */
      readonly isPassing?: boolean;
    };
