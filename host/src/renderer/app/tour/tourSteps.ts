import type { FloatingPosition } from '@mantine/core';

/** The steps of the tour, in order. */
export const TOUR_STEPS = ['connections', 'grid', 'filter', 'console', 'palette'] as const;
export type TourStep = (typeof TOUR_STEPS)[number];

/** The control on the screen that a step is about. */
export interface TourControl {
  /** It is outlined. */
  readonly control: HTMLElement;
  /** The card of the step lies beside it. */
  readonly anchor: HTMLElement;
  readonly position: FloatingPosition;
}

interface Place {
  /** In the order of preference: the first one on the screen is taken. */
  readonly controls: readonly string[];
  /** Where the card lies when it can't lie beside the control, which leaves no room. */
  readonly anchor?: string;
  readonly position: FloatingPosition;
}

const PLACES: Readonly<Record<TourStep, Place>> = {
  connections: { controls: ['list', 'switcher'], position: 'bottom-start' },
  grid: { controls: ['grid'], anchor: 'footer', position: 'top-end' },
  filter: { controls: ['filter'], position: 'bottom-start' },
  console: { controls: ['console'], position: 'right-end' },
  palette: { controls: ['palette'], position: 'bottom-end' },
};

/** The height of a card and its distance, in CSS pixels. */
const CARD = 220;

/** The first control with this mark that a person can see and use. */
function shown(mark: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(`[data-tour="${mark}"]`)].find(
    (element) => element.closest('[inert]') === null && element.checkVisibility({ visibilityProperty: true }),
  );
}

function controlOf({ controls, anchor, position }: Place): TourControl | undefined {
  for (const mark of controls) {
    const control = shown(mark);
    if (control === undefined) continue;
    const beside = anchor === undefined ? roomyPart(control) : (shown(anchor) ?? control);
    return { control, anchor: beside, position };
  }
  return undefined;
}

/** The control, or the first entry of a list that leaves no room below it. */
function roomyPart(control: HTMLElement): HTMLElement {
  if (control.getBoundingClientRect().bottom + CARD < window.innerHeight) return control;
  return control.querySelector<HTMLElement>('[data-row]') ?? control;
}

export type TourControls = Readonly<Partial<Record<TourStep, TourControl>>>;

/** The steps whose control is on the screen now. */
export function findControls(): TourControls {
  return Object.fromEntries(
    TOUR_STEPS.flatMap((step) => {
      const control = controlOf(PLACES[step]);
      return control === undefined ? [] : [[step, control]];
    }),
  );
}

export function sameControls(one: TourControls, other: TourControls): boolean {
  return TOUR_STEPS.every((step) => one[step]?.control === other[step]?.control && one[step]?.anchor === other[step]?.anchor);
}
