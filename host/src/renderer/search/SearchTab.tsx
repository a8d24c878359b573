import { ActionIcon, Button, Loader, SegmentedControl, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconChecklist, IconColumns2, IconSearch, IconX } from '@tabler/icons-react';
import { hiddenCharacter, visibleText } from '@tabularium/sdk';
import type { RowKey, SearchAnswer, Sort, TableDescription } from '@tabularium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { api } from '../api/client.ts';
import { useCommands } from '../commands/registry.ts';
import { FilterBar } from '../filter/FilterBar.tsx';
import type { FilterBarHandle } from '../filter/useFilterBar.ts';
import type { TableFilter } from '../filter/useTableFilter.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import type { MadeChange, Placement } from '../objects/PlaceHitDialog.tsx';
import { shortName } from '../objects/shortName.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { onDemand } from '../ui/onDemand.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { CompareView } from './CompareView.tsx';
import { ConfigurationBar } from './ConfigurationBar.tsx';
import { FacetPanel } from './FacetPanel.tsx';
import { Grades } from './Grades.tsx';
import { HitCard } from './HitCard.tsx';
import { HitMenu } from './HitMenu.tsx';
import type { HitPlace } from './HitMenu.tsx';
import { hitKey, titleField } from './hitFields.ts';
import { HitRows } from './HitRows.tsx';
import { JudgeBar } from './JudgeBar.tsx';
import { OptionsPanel } from './OptionsPanel.tsx';
import { OtherTables } from './OtherTables.tsx';
import { placementFault } from './placementFault.ts';
import { RequestBar } from './RequestBar.tsx';
import styles from './search.module.css';
import { chosenFacets, chosenFields, chosenTables } from './searchSettings.ts';
import type { OptionSet, SearchSettings } from './searchSettings.ts';
import { useJudging } from './useJudging.ts';
import type { Judging } from './useJudging.ts';
import { useRankedSearch } from './useRankedSearch.ts';
import type { RankedSearch } from './useRankedSearch.ts';

interface Props {
  readonly connection: OpenConnectionInfo;
  readonly description: TableDescription;
  /** Shared with the rows of the table. */
  readonly filter: TableFilter;
  readonly sorts: readonly Sort[];
  readonly isShown: boolean;
  readonly onReloadStructure: () => void;
  /** The content of the footer: the switch between the views. */
  readonly footer: ReactNode;
}

/** It has an editor for JSON. */
const PlaceHitDialog = onDemand(async () => (await import('../objects/PlaceHitDialog.tsx')).PlaceHitDialog);
const NO_HITS: SearchAnswer['hits'] = [];
/** Characters of a search, as the contract of drivers says. */
const MOST_TEXT = 4_000;

/** The typed text as far as it can be searched for, with the number of its characters where they are too many. */
function withinLength(text: string): Pick<SearchSettings, 'text' | 'cutFrom'> {
  if (text.length <= MOST_TEXT) return { text, cutFrom: undefined };
  return { text: text.slice(0, MOST_TEXT).toWellFormed(), cutFrom: text.length };
}
/** In a narrower window the options are shown on request. */
const WIDE = '(min-width: 1180px)';

/** The ranked search of one table: words, facets, hits with their scores, and the options that make them. */
export function SearchTab({ connection, description, filter, sorts, isShown, onReloadStructure, footer }: Props): ReactNode {
  const words = strings.search;
  const { connectionId, manifest } = connection;
  const search = useRankedSearch({ connectionId, description, filter, sorts, isShown });
  const { form, settings, change } = search;
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  const box = useRef<HTMLInputElement>(null);
  const filterBar = useRef<FilterBarHandle>(null);
  const noUnits = useMemo(() => new Map<string, never>(), []);
  const hasOptions = settings.hasOptions ?? isWide;
  const hits = search.shown.answer?.hits ?? NO_HITS;
  const judging = useJudging({ connectionId, table: description.ref, settings, change, hits });
  const [chosen, setEdited] = useState<'a' | 'b'>('b');
  /** The set that the options are those of. */
  const edited = settings.other === undefined ? 'a' : chosen;
  const ofEdited = edited === 'b' ? search.compared : search.shown;
  const placesHits = useQuery({
    queryKey: ['objects', connectionId, 'placesHits'],
    queryFn: ({ signal }) => api.objects.placesHits.query({ connectionId }, { signal }),
    enabled: isShown && connection.facets.includes('objects'),
  });
  const [placement, setPlacement] = useState<Placement>();
  const notifyPlaced = async (made: Placement, change: MadeChange): Promise<void> => {
    const name = shortName(change.object.name);
    const fault =
      'hit' in made && search.request !== undefined
        ? await placementFault(connectionId, search.request, made.hit, name)
        : undefined;
    notify({
      tone: fault === undefined ? 'plain' : 'warning',
      text: fault ?? strings.objects.saved(name),
      action: { label: strings.objects.undoPlace, run: () => setPlacement({ undone: change }) },
    });
  };
  useCommands([{ id: 'grid.find', run: () => box.current?.focus() }], isShown);
  return (
    <div className={styles.tab} role="region" aria-label={words.label(description.ref.name)}>
      <SearchHead search={search} name={description.ref.name} sorts={sorts} box={box} hasOptions={hasOptions} />
      {manifest.filtering === undefined ? null : (
        <FilterBar
          table={{ connection, description, filtering: manifest.filtering, sorts, dateUnits: noUnits }}
          filter={filter}
          view={{ isShown, problem: filter.refusal, handle: filterBar }}
          onReloadStructure={onReloadStructure}
          onLeave={() => box.current?.focus()}
        />
      )}
      <div className={styles.columns} data-comparing={settings.other !== undefined || undefined}>
        {form === undefined ? null : (
          <FacetPanel
            form={form}
            chosen={chosenFacets(form, settings)}
            counts={search.shown.answer?.facets ?? []}
            description={description}
            filtering={manifest.filtering}
            filter={filter}
            onChoose={(facets) => change({ facets: [...facets] })}
            isOfOneTable={chosenTables(form, settings).length === 0}
          />
        )}
        <div className={styles.middle}>
          {settings.judging === undefined ? null : (
            <JudgeBar
              connectionId={connectionId}
              table={description.ref}
              judging={judging}
              hasText={settings.text.trim() !== ''}
              hits={hits.length}
            />
          )}
          <Hits
            search={search}
            description={description}
            judging={judging}
            onPlace={
              placesHits.data === true
                ? (key, place) => setPlacement({ hit: { table: description.ref, text: settings.text, key, ...place } })
                : undefined
            }
          />
          {ofEdited?.answer === undefined ? null : (
            <RequestBar
              connectionId={connectionId}
              hasConsole={connection.facets.includes('console')}
              hasObjects={connection.facets.includes('objects')}
              answer={ofEdited.answer}
              {...(settings.other === undefined ? {} : { of: edited === 'a' ? words.setA : words.setB })}
              isEarlier={search.isUnsearched || ofEdited.isEarlier}
            />
          )}
        </div>
        {form === undefined || !hasOptions ? null : (
          <OptionsPanel
            // The fields of a form are others for the other set.
            key={edited}
            form={form}
            problem={ofEdited?.problem}
            settings={edited === 'b' && settings.other !== undefined ? settings.other : settings}
            tables={
              form.mostTables === undefined ? null : (
                <OtherTables
                  connectionId={connectionId}
                  table={description.ref}
                  chosen={chosenTables(form, settings)}
                  most={form.mostTables - 1}
                  fault={ofEdited?.problem?.details.field === 'alsoIn' ? ofEdited.problem.message : undefined}
                  onChoose={(alsoIn) =>
                    change({
                      alsoIn:
                        alsoIn.length === 0
                          ? undefined
                          : alsoIn.map(({ namespace, name }) => ({ namespace: [...namespace], name })),
                    })
                  }
                />
              )
            }
            onChange={(set) =>
              edited === 'b' && settings.other !== undefined ? change({ other: { ...settings.other, ...set } }) : change(set)
            }
            head={
              <>
                {settings.other === undefined ? null : (
                  <SegmentedControl
                    fullWidth
                    size="xs"
                    aria-label={words.editedSet}
                    value={edited}
                    onChange={(set) => setEdited(set === 'b' ? 'b' : 'a')}
                    data={[
                      { value: 'a', label: words.setA },
                      { value: 'b', label: words.setB },
                    ]}
                  />
                )}
                <ConfigurationBar
                  connectionId={connectionId}
                  table={description.ref}
                  form={form}
                  settings={edited === 'b' && settings.other !== undefined ? settings.other : settings}
                  onChange={(set) => (edited === 'b' && settings.other !== undefined ? change({ other: set }) : change(set))}
                />
              </>
            }
          />
        )}
      </div>
      {footer}
      {placement === undefined ? null : (
        <PlaceHitDialog
          connectionId={connectionId}
          placement={placement}
          onSaved={(change) => void notifyPlaced(placement, change)}
          onTried={search.searchNow}
          onClose={() => setPlacement(undefined)}
        />
      )}
    </div>
  );
}

interface HeadProps {
  readonly search: RankedSearch;
  readonly name: string;
  readonly sorts: readonly Sort[];
  readonly box: React.RefObject<HTMLInputElement | null>;
  readonly hasOptions: boolean;
}

function SearchHead({ search, name, sorts, box, hasOptions }: HeadProps): ReactNode {
  const words = strings.search;
  const { settings, change, isSearching } = search;
  const { answer, isFormer } = search.shown;
  // Each side of a comparison shows its own number of hits, and the one of a search that failed belongs to another search.
  const isOfSides = settings.other !== undefined;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') search.searchNow();
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    if (isSearching) search.cancel();
    else change({ text: '' });
  };
  return (
    <div className={styles.head} role="search">
      <TextInput
        ref={box}
        className={styles.box}
        aria-label={words.box}
        placeholder={words.placeholder(name)}
        leftSection={isSearching ? <Loader size={14} aria-label={words.searching} /> : <IconSearch size={16} stroke={1.75} />}
        rightSection={
          settings.text === '' ? null : (
            <ActionIcon size={22} aria-label={words.clear} title={words.clear} onClick={() => change({ text: '' })}>
              <IconX size={14} stroke={1.75} />
            </ActionIcon>
          )
        }
        value={settings.text}
        spellCheck={false}
        autoFocus
        onChange={({ currentTarget: { value } }) => change(withinLength(value))}
        onKeyDown={onKeyDown}
      />
      <span className={styles.figures} role="status">
        {answer === undefined || isOfSides || isFormer ? null : (
          <>
            <strong>{words.found(answer.found, answer.foundRows)}</strong>
            {answer.serverMilliseconds === undefined ? null : (
              <span>{strings.pager.milliseconds(answer.serverMilliseconds)}</span>
            )}
          </>
        )}
      </span>
      <SegmentedControl
        aria-label={words.order}
        title={sorts.length === 0 ? words.noDataOrder : undefined}
        size="xs"
        value={settings.order}
        onChange={(order) => change({ order: order === 'data' ? 'data' : 'rank' })}
        data={[
          { value: 'rank', label: words.byRank },
          { value: 'data', label: words.asInData, disabled: sorts.length === 0 },
        ]}
      />
      <SegmentedControl
        aria-label={words.show}
        size="xs"
        value={settings.shows}
        onChange={(shows) => change({ shows: shows === 'rows' ? 'rows' : 'cards' })}
        data={[
          { value: 'cards', label: words.cards },
          { value: 'rows', label: words.rows },
        ]}
      />
      <ActionIcon
        aria-label={words.compare}
        title={words.compareHelp}
        aria-pressed={settings.other !== undefined}
        onClick={({ detail }) => {
          // A double click opens it; it would be closed before it was seen.
          if (detail > 1) return;
          change({
            // A comparison begins with two equal sets: each change shows its effect.
            other:
              settings.other === undefined
                ? { options: { ...settings.options }, ...(settings.fields === undefined ? {} : { fields: [...settings.fields] }) }
                : undefined,
            hasOptions: settings.other === undefined ? true : settings.hasOptions,
          });
        }}
      >
        <IconColumns2 size={16} stroke={1.75} />
      </ActionIcon>
      <ActionIcon
        aria-label={strings.relevance.judgeBar}
        title={strings.relevance.judgeHelp}
        aria-pressed={settings.judging !== undefined}
        onClick={() => change({ judging: settings.judging === undefined ? null : undefined })}
      >
        <IconChecklist size={16} stroke={1.75} />
      </ActionIcon>
      <ActionIcon
        aria-label={words.optionsTitle}
        title={words.optionsTitle}
        aria-pressed={hasOptions}
        onClick={() => change({ hasOptions: !hasOptions })}
      >
        <IconAdjustmentsHorizontal size={16} stroke={1.75} />
      </ActionIcon>
    </div>
  );
}

interface HitsProps {
  readonly search: RankedSearch;
  readonly description: TableDescription;
  readonly judging: Judging;
  /** Absent where there are no rules that pin and hide. */
  readonly onPlace: ((key: RowKey, place: HitPlace) => void) | undefined;
}

function Hits({ search, description, judging, onPlace }: HitsProps): ReactNode {
  const words = strings.search;
  const { form, settings } = search;
  const { answer, problem, isFormer } = search.shown;
  if (search.formProblem !== undefined) {
    return <ProblemPanel title={words.formFailed} problem={search.formProblem} onRetry={search.retryForm} />;
  }
  if (form === undefined) return <p className={styles.muted}>{words.loading}</p>;
  const fieldsOf = (set: OptionSet): readonly string[] => chosenFields(form, set).map(({ name }) => name);
  const fields = fieldsOf(settings);
  const title = titleField(answer?.hits ?? NO_HITS, fields);
  const { judge } = judging;
  // The hits of a search before are not those of the words in the box.
  const canJudge = settings.judging !== undefined && !isFormer && !search.isSearching;
  // Grades and rules are those of one table.
  const gradingOf = ({ key, table }: SearchAnswer['hits'][number], rank: number): ReactNode =>
    judge === undefined || !canJudge || table !== undefined ? null : (
      <Grades rank={rank} grade={judging.gradeOf(key)} onGrade={(grade) => judge(key, grade)} />
    );
  const placingOf =
    onPlace === undefined || settings.text.trim() === '' || settings.order !== 'rank'
      ? undefined
      : ({ key, isPlaced = false, table }: SearchAnswer['hits'][number], rank: number): ReactNode =>
          table !== undefined ? null : (
            <HitMenu
              rank={rank}
              isDisabled={isFormer || search.isSearching}
              isPlaced={isPlaced}
              onPlace={(place) => onPlace(key, place)}
            />
          );
  if (search.compared !== undefined && settings.other !== undefined) {
    return (
      <div className={styles.hits} aria-busy={search.isSearching}>
        <CompareView
          first={search.shown}
          second={search.compared}
          firstFields={fields}
          secondFields={fieldsOf(settings.other)}
          onRetry={search.searchNow}
        />
      </div>
    );
  }
  return (
    <div className={styles.hits} aria-busy={search.isSearching}>
      {problem === undefined ? null : <ProblemPanel title={words.failed} problem={problem} onRetry={search.searchNow} compact />}
      {isFormer ? <p className={styles.muted}>{words.former}</p> : null}
      {answer === undefined ? null : <Notes answer={answer} settings={search.settings} />}
      {answer?.hits.length === 0 && problem === undefined ? (
        <EmptyState icon={<IconSearch size={32} stroke={1.25} />} title={words.nothingTitle} text={words.nothingText} />
      ) : null}
      {answer === undefined || answer.hits.length === 0 ? null : settings.shows === 'rows' ? (
        <HitRows
          hits={answer.hits}
          description={description}
          fields={fields}
          gradingOf={settings.judging === undefined ? undefined : gradingOf}
          placingOf={placingOf}
        />
      ) : (
        <ol className={styles.cards} aria-label={words.hits} tabIndex={0}>
          {answer.hits.map((hit, place) => (
            <li key={hitKey(hit)}>
              {hit.group === undefined || hit.group === answer.hits[place - 1]?.group ? null : (
                <h2 className={styles.group}>{words.group(hit.group)}</h2>
              )}
              <HitCard
                hit={hit}
                rank={place + 1}
                fields={fields}
                title={title}
                grading={gradingOf(hit, place + 1)}
                placing={placingOf?.(hit, place + 1)}
              />
            </li>
          ))}
        </ol>
      )}
      {search.showMore === undefined ? null : (
        <Button className={styles.more} variant="default" onClick={search.showMore}>
          {words.more}
        </Button>
      )}
      {answer !== undefined &&
      answer.hits.length >= search.mostShown &&
      answer.hits.length < (answer.foundRows ?? answer.found) ? (
        <p className={styles.muted}>{words.mostShown(search.mostShown)}</p>
      ) : null}
    </div>
  );
}

interface NotesProps {
  readonly answer: SearchAnswer;
  readonly settings: Pick<SearchSettings, 'cutFrom' | 'text'>;
}

function Notes({ answer, settings: { text, cutFrom } }: NotesProps): ReactNode {
  const words = strings.search;
  const notes = [
    ...(cutFrom === undefined || text.length < MOST_TEXT ? [] : [words.textCut(MOST_TEXT, cutFrom)]),
    ...(hiddenCharacter(text, 'name') === undefined ? [] : [words.hiddenCharacters(visibleText(text, 'name'))]),
    ...(answer.isCutOff ? [words.cutOff] : []),
    ...answer.notes,
    ...answer.droppedSorts.map(({ column, reason }) => words.notSorted(column, reason)),
    ...(answer.leftOut.length === 0 ? [] : [words.leftOut(answer.leftOut.join(', '))]),
  ];
  return notes.length === 0 ? null : (
    <ul className={styles.notes}>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
