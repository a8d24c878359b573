import type { WatchTopic } from '../../../common/watches.ts';

// Messages between a window and the worker that all windows of a browser share. Both are of one build.

export type ToWorker =
  /** First of all. `lock` is held as long as the window is there. */
  | { readonly type: 'hello'; readonly url: string; readonly lock: string }
  | { readonly type: 'follow'; readonly id: number; readonly topic: WatchTopic }
  | { readonly type: 'leave'; readonly id: number };

export type ToWindow =
  /** `lock` is held as long as the worker is there. */
  | { readonly type: 'ready'; readonly lock: string }
  | { readonly type: 'value'; readonly id: number; readonly value: unknown }
  | { readonly type: 'broken'; readonly id: number }
  | { readonly type: 'lost'; readonly id: number };
