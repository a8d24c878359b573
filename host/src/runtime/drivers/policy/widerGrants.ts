import type { DatabaseSync } from 'node:sqlite';
import { visibleText } from '@tabularium/sdk';
import type { ConsentGrant, Manifest, NamedGrant, WiderGrant } from '@tabularium/sdk/manifest';
import { CONSENT_GRANTS, WIDER_GRANTS } from '@tabularium/sdk/manifest';
import type { GrantQuestion, PublisherInfo } from '../../../common/drivers.ts';
import { fixedOriginsOf, isOriginGrant } from '../../../common/fixedOrigins.ts';
import type { ErrorQuestions } from '../../../common/errorQuestions.ts';
import { HostError } from '../../../common/errors.ts';
import { DATABASE_CONNECTION } from '../../storage/database.ts';
import { SavedChanges } from '../../storage/savedChanges.ts';
import { DriverPolicy } from './driverPolicy.ts';
import type { Inject } from '../../container/inject.ts';
import { typedWord } from '../../../common/typedWord.ts';

/** A driver version that is about to be used. */
export interface AskingDriver {
  readonly id: string;
  readonly packageName: string;
  readonly version: string;
  readonly manifest: Manifest;
  readonly publisher: PublisherInfo;
}

/** The effect of each grant, after "It could then". */
const MEANINGS: Readonly<Record<NamedGrant, string>> = {
  sqlite: 'open and change any file that you can',
  network: 'connect to any host that this computer reaches and to programs on it, and accept connections',
  files: 'read, change and delete any file that you can, those of Tabularium included, and through them do whatever you can',
  addons: 'do whatever you can do on this computer',
  secrets: 'see the credentials of its connections and send them to the servers of each',
};

/** The reasons of all that a manifest can ask for, whole: one that is cut could hide what the next address is for. */
const LONGEST_REASONS = 3_000;

function meaningOf(grant: ConsentGrant): string {
  return isOriginGrant(grant) ? `send requests to ${grant}, and with them whatever it reads` : MEANINGS[grant];
}

/** A driver asks to reach more than a person has allowed. Carries what the person is asked. */
export class GrantNeededError extends HostError {
  readonly question: GrantQuestion;

  constructor(driver: AskingDriver, missing: readonly ConsentGrant[]) {
    const { id, packageName, version, manifest, publisher } = driver;
    const grants = consentGrantsOf(manifest);
    // The driver's own text, quoted so that a reason which recommends the driver isn't read as Tabularium's advice.
    const reason = visibleText(reasonFor(manifest, missing), 'name', LONGEST_REASONS);
    const more = missing.length < grants.length ? ' more than you have allowed it' : '';
    super(
      'GRANT_NEEDED',
      `The driver "${id}" ${version} by "${publisher.name}" asks to ${askedFor(missing)}${more} (${missing.join(', ')}). It could then ${missing.map(meaningOf).join('; ')}. The driver gives this reason: ${JSON.stringify(reason)}`,
      {
        details: {
          advice: `Read what it asks for, and allow it with "tabularium drivers allow ${typedWord(id)} ${grants.map(typedWord).join(' ')}" or in the window, where one is open. Then do this again.`,
        },
      },
    );
    this.question = {
      driver: { id, title: manifest.title, packageName, version },
      publisher,
      askedBy: keyOf(publisher),
      grants,
      missing,
      permissions: manifest.permissions,
      ...(manifest.translations === undefined ? {} : { translations: manifest.translations }),
    };
  }

  override get questions(): ErrorQuestions {
    return { grantQuestion: this.question };
  }
}

/** The permissions beyond the sandbox that a manifest asks for, in a fixed order, each once. */
export function widerGrantsOf({ permissions }: Manifest): readonly WiderGrant[] {
  const asked = permissions.unconfined?.grants ?? [];
  return WIDER_GRANTS.filter((grant) => asked.includes(grant));
}

/** The grants that have a name, in a fixed order, each once. */
export function namedGrantsOf(manifest: Manifest): readonly NamedGrant[] {
  return [...widerGrantsOf(manifest), ...(manifest.permissions.secrets === undefined ? [] : (['secrets'] as const))];
}

/** Everything that a person is asked about, in a fixed order, each once: also each fixed address that a driver sends requests to. */
function consentGrantsOf(manifest: Manifest): readonly ConsentGrant[] {
  return [...namedGrantsOf(manifest), ...new Set(fixedOriginsOf(manifest.permissions).map(({ origin }) => origin))];
}

/** The headline of what a driver asks: the widest of it. */
function askedFor(missing: readonly ConsentGrant[]): string {
  if (missing.some((grant) => grant !== 'secrets' && !isOriginGrant(grant))) return 'leave the sandbox';
  return missing.includes('secrets') ? 'see credentials' : 'reach other servers';
}

/** The driver's own reasons for what it asks. */
function reasonFor({ permissions }: Manifest, missing: readonly ConsentGrant[]): string {
  const { unconfined, secrets } = permissions;
  const reasons = [
    ...(missing.some((grant) => grant !== 'secrets' && !isOriginGrant(grant)) ? [unconfined?.reason] : []),
    ...(missing.includes('secrets') ? [secrets?.reason] : []),
    ...fixedOriginsOf(permissions).flatMap(({ origin, label, reason }) =>
      missing.includes(origin) ? [`${label}: ${reason}`] : [],
    ),
  ];
  return reasons.filter((reason) => reason !== undefined).join(' ');
}

/** The publisher that a consent counts for: a key, or a developer's folder. */
function keyOf(publisher: PublisherInfo): string {
  return publisher.fingerprint === '' ? publisher.name : publisher.fingerprint;
}

/**
 * Permissions beyond the sandbox that people have granted to drivers: by driver, publisher and grant. A version that asks for more than was
 * allowed is not used before a person has been asked again, whatever its signer.
 */
export class WiderGrants {
  static readonly inject: Inject<typeof WiderGrants> = {
    connection: DATABASE_CONNECTION,
    policy: DriverPolicy,
    changes: SavedChanges,
  };

  readonly #connection: DatabaseSync;
  readonly #policy: DriverPolicy;
  readonly #changes: SavedChanges;

  constructor(options: { readonly connection: DatabaseSync; readonly policy: DriverPolicy; readonly changes?: SavedChanges }) {
    this.#connection = options.connection;
    this.#policy = options.policy;
    this.#changes = options.changes ?? new SavedChanges();
  }

  /**
   * The grants that a driver version may be started with: all that it asks for, or none at all.
   *
   * @throws HostError `POLICY_FORBIDS` for grants that the administrator forbids, `GRANT_NEEDED` for those that no person has allowed yet
   */
  async assertAllowed(driver: AskingDriver): Promise<readonly ConsentGrant[]> {
    const asked = consentGrantsOf(driver.manifest);
    if (asked.length === 0) return [];
    await this.#policy.assertGrants(driver.id, asked);
    const publisher = keyOf(driver.publisher);
    const allowed = this.#read('allowed_grants', driver.id, publisher);
    const missing = asked.filter((grant) => !allowed.includes(grant));
    if (missing.length === 0) return asked;
    for (const grant of asked) {
      this.#connection
        .prepare('INSERT OR REPLACE INTO asked_grants (driver_id, publisher, wider_grant) VALUES (?, ?, ?)')
        .run(driver.id, publisher, grant);
    }
    throw new GrantNeededError(driver, missing);
  }

  /** Whether the administrator still permits what a driver was given. @throws HostError `POLICY_FORBIDS` */
  async assertPermitted(manifest: Manifest): Promise<void> {
    await this.#policy.assertGrants(manifest.id, consentGrantsOf(manifest));
  }

  /** The grants of a person to a driver, whatever its publisher. */
  allowed(driverId: string): readonly ConsentGrant[] {
    const rows = this.#connection.prepare('SELECT DISTINCT wider_grant FROM allowed_grants WHERE driver_id = ?').all(driverId);
    return grantsIn(rows);
  }

  /**
   * A person allows a driver what it asked for. Only what was asked can be allowed, and only by name: an answer to an old question never
   * covers a newer one.
   *
   * @param publisher - whose driver the person was asked about ({@link GrantQuestion.askedBy}); undefined: who asked last
   * @throws HostError `INVALID_REQUEST`
   */
  allow(driverId: string, grants: readonly ConsentGrant[], publisher?: string): void {
    const asker = publisher ?? this.#lastAsker(driverId);
    const asked = asker === undefined ? [] : this.#read('asked_grants', driverId, asker);
    const granted = asker === undefined ? this.allowed(driverId) : this.#read('allowed_grants', driverId, asker);
    const added = grants.filter((grant) => !granted.includes(grant));
    // Once more what is allowed already: nothing is left to do.
    if (grants.length > 0 && added.length === 0) return;
    const unasked = added.filter((grant) => !asked.includes(grant));
    if (asker === undefined || grants.length === 0 || unasked.length > 0) {
      throw new HostError(
        'INVALID_REQUEST',
        `The driver "${driverId}" hasn't requested this permission: ${unasked.join(', ') || 'nothing'}.`,
        {
          details: { advice: 'Install or open the driver first to see the permissions that it requests.' },
        },
      );
    }
    const now = new Date().toISOString();
    for (const grant of added) {
      this.#connection
        .prepare('INSERT OR IGNORE INTO allowed_grants (driver_id, publisher, wider_grant, allowed_at) VALUES (?, ?, ?, ?)')
        .run(driverId, asker, grant, now);
    }
    this.#connection.prepare('DELETE FROM asked_grants WHERE driver_id = ? AND publisher = ?').run(driverId, asker);
    this.#changes.note('drivers');
  }

  /** Takes back all that was allowed to a driver. @returns what that was */
  withdraw(driverId: string): readonly ConsentGrant[] {
    const withdrawn = this.allowed(driverId);
    this.#connection.prepare('DELETE FROM allowed_grants WHERE driver_id = ?').run(driverId);
    this.#connection.prepare('DELETE FROM asked_grants WHERE driver_id = ?').run(driverId);
    this.#changes.note('drivers');
    return withdrawn;
  }

  #lastAsker(driverId: string): string | undefined {
    const row = this.#connection
      .prepare('SELECT publisher FROM asked_grants WHERE driver_id = ? ORDER BY rowid DESC')
      .get(driverId);
    return typeof row?.['publisher'] === 'string' ? row['publisher'] : undefined;
  }

  #read(table: 'allowed_grants' | 'asked_grants', driverId: string, publisher: string): readonly ConsentGrant[] {
    const rows = this.#connection
      .prepare(`SELECT wider_grant FROM ${table} WHERE driver_id = ? AND publisher = ?`)
      .all(driverId, publisher);
    return grantsIn(rows);
  }
}

/** In a fixed order: those with a name, then addresses. */
function grantsIn(rows: readonly Record<string, unknown>[]): readonly ConsentGrant[] {
  const found = rows.map((row) => row['wider_grant']);
  return [...CONSENT_GRANTS.filter((grant) => found.includes(grant)), ...found.filter(isOriginGrant).toSorted()];
}
