import type { TabModel } from '../tab/tabModel.ts';

/** Shows the requests that saving would send; nothing where nothing is staged. */
export function openReview({ edited, layers }: Pick<TabModel, 'edited' | 'layers'>): void {
  if (edited.stage.count > 0) layers.open({ kind: 'review' });
}
