import { Button, Tour as Card } from '@mantine/core';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { SavedConnection } from '../../../common/connection.ts';
import { keysOf } from '../../../common/keyMap.ts';
import { SAMPLE_GUIDE, sampleGuideSchema } from '../../../common/sampleGuide.ts';
import { useKnownTables } from '../../api/queries.ts';
import { keysText, onMac } from '../../commands/keys.ts';
import { inDesktop } from '../../commands/registry.ts';
import { strings } from '../../i18n/index.ts';
import { useWorkspace } from '../../state/WorkspaceContext.tsx';
import { recall } from '../../state/workspaceStore.ts';
import styles from './tour.module.css';
import { TOUR_STEPS } from './tourSteps.ts';
import type { TourStep } from './tourSteps.ts';
import { useFreeEscape } from './useFreeEscape.ts';
import { useTourControls } from './useTourControls.ts';
import { whenNoDialog } from './whenNoDialog.ts';

/** Below every dialog and menu of the window. */
const LAYER = 150;

interface Props {
  /** The connection to try things in; undefined where there is none. */
  readonly sample: SavedConnection | undefined;
  /** The connection on the screen. */
  readonly shown: SavedConnection | undefined;
  readonly onOpen: (connectionId: string) => void;
  /** @param origin - the element that had the focus before the tour */
  readonly onEnd: (event: 'finished' | 'skipped', origin: Element | null) => void;
}

/**
 * Leads through the window: a card beside one control after the other. The window stays usable, the card takes the focus only when the tour starts, and
 * a step whose control is not on the screen is left out.
 */
export function Tour({ sample, shown, onOpen, onEnd }: Props): ReactNode {
  const words = strings.tour;
  const { workspace } = useWorkspace();
  const controls = useTourControls();
  const [step, setStep] = useState<TourStep>('connections');
  const [awaited, setAwaited] = useState<SavedConnection>();
  // The kit's card stays beside the control with which it was first drawn, unless that was none.
  const [isDrawn, setDrawn] = useState(false);
  useLayoutEffect(() => setDrawn(true), []);
  const onward = useRef<HTMLButtonElement>(null);
  const origin = useRef<Element>(null);
  const id = useId();

  const place = TOUR_STEPS.indexOf(step);
  const onScreen = (candidate: TourStep): boolean => controls[candidate] !== undefined;
  const following = TOUR_STEPS.slice(place + 1).find(onScreen);
  const preceding = TOUR_STEPS.slice(0, place).findLast(onScreen);
  const current = controls[step];
  if (current === undefined) {
    const other = following ?? preceding;
    if (other !== undefined) setStep(other);
  }
  if (awaited !== undefined && step === 'connections' && onScreen('grid')) {
    setAwaited(undefined);
    setStep('grid');
  }
  const offersSample = step === 'connections' && sample !== undefined && shown === undefined;
  // The controls that the sample brings count already, so the number of steps doesn't jump.
  const isExpected = offersSample || awaited !== undefined;
  const steps = TOUR_STEPS.filter((candidate) => candidate === step || onScreen(candidate) || isExpected);
  useOpenTable(awaited?.id);

  const control = current?.control;
  useEffect(() => {
    control?.setAttribute('data-tour-here', '');
    return () => control?.removeAttribute('data-tour-here');
  }, [control]);
  useEffect(
    () =>
      whenNoDialog(() => {
        origin.current ??= document.activeElement;
        onward.current?.focus();
      }),
    [],
  );
  const end = (event: 'finished' | 'skipped'): void => onEnd(event, origin.current);
  useFreeEscape(() => end('skipped'));

  if (current === undefined) return null;
  const open = (connection: SavedConnection): void => {
    setAwaited(connection);
    onOpen(connection.id);
    // The button that was pressed goes away.
    onward.current?.focus();
  };
  const goBack = (to: TourStep): void => {
    setStep(to);
    // On the first step there is no way back, and the button goes away.
    if (to === TOUR_STEPS[0]) onward.current?.focus();
  };
  const info = shown === undefined ? undefined : workspace.connections[shown.id]?.info;
  const edits = info?.facets.includes('edits') === true && shown?.access.readOnly !== true;
  const text = (): string => {
    switch (step) {
      case 'connections':
        if (awaited !== undefined) return words.connections.opening(awaited.name);
        if (offersSample) return words.connections.sample(sample.name);
        return control?.getAttribute('data-tour') === 'list' && control instanceof HTMLButtonElement
          ? words.connections.none
          : words.connections.text;
      case 'grid':
        return edits ? words.grid.edits : words.grid.reads;
      case 'filter':
        return info?.facets.includes('search') === true ? words.filter.search : words.filter.text;
      case 'console':
        return words.console.text;
      case 'palette':
        return words.palette.text(keysText(keysOf('application.palette', inDesktop())[0] ?? '', onMac()));
    }
  };
  return (
    <Card.Root
      active
      step={place}
      stepsCount={TOUR_STEPS.length}
      // Within a portal the card would be drawn later than this, beside its first control for good.
      withinPortal={false}
      withOverlay={false}
      // The arrow keys and Escape belong to the window first.
      withKeyboardNavigation={false}
      closeOnEscape={false}
      zIndex={LAYER}
      transitionProps={{ duration: 0 }}
    >
      <Card.Tooltip
        mounted
        targetElement={isDrawn ? current.anchor : null}
        position={current.position}
        className={styles.card}
        // Named regions are where assistive technology looks for what is not a dialog; F6 leads there.
        role="region"
        data-region="tour"
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-text`}
      >
        <span id={`${id}-label`} className="tb-visually-hidden">
          {words.label}
        </span>
        <div id={`${id}-text`} aria-live="polite" aria-atomic>
          <p className={styles.position}>{words.position(steps.indexOf(step) + 1, steps.length)}</p>
          <h2 className={styles.title}>{words[step].title}</h2>
          <p className={styles.text}>{text()}</p>
        </div>
        <div className={styles.actions}>
          <Button size="compact-sm" variant="subtle" color="gray" className={styles.skip} onClick={() => end('skipped')}>
            {words.skip}
          </Button>
          {preceding === undefined ? null : (
            <Button size="compact-sm" variant="default" onClick={() => goBack(preceding)}>
              {strings.common.back}
            </Button>
          )}
          {offersSample && awaited === undefined ? (
            <Button size="compact-sm" onClick={() => open(sample)}>
              {words.open(sample.name)}
            </Button>
          ) : null}
          <Button
            ref={onward}
            size="compact-sm"
            variant={offersSample && awaited === undefined ? 'default' : 'filled'}
            onClick={() => (following === undefined ? end('finished') : setStep(following))}
          >
            {following === undefined ? words.done : words.next}
          </Button>
        </div>
      </Card.Tooltip>
    </Card.Root>
  );
}

/** Opens a table of the connection that the tour has opened, unless something is open there: the one that its guide names first. */
function useOpenTable(connectionId: string | undefined): void {
  const { workspace, dispatch } = useWorkspace();
  const tables = useKnownTables(connectionId);
  const view = connectionId === undefined ? undefined : workspace.connections[connectionId];
  const isEmpty = view?.info !== undefined && view.tabs.length === 0;
  useEffect(() => {
    if (connectionId === undefined || !isEmpty) return;
    const guide = sampleGuideSchema.safeParse(recall(connectionId, SAMPLE_GUIDE)).data;
    const named = guide?.tries.flatMap(({ opens }) => (opens.is === 'table' ? [opens.table] : []))[0];
    const table = named ?? tables[0]?.ref;
    if (table !== undefined) dispatch({ type: 'openTable', connectionId, table });
  }, [connectionId, isEmpty, tables, dispatch]);
}
