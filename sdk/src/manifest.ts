import { z } from 'zod';
import { issueSentence } from './issueText.ts';
import { FILTER_OPERATORS } from './model/filter.ts';
import { hiddenCharacter } from './model/visibleText.ts';
import { addressesOf, isSignIn, secretFieldsOf, textFieldsOf } from './manifestCredentials.ts';
import { identifier } from './manifestIdentifier.ts';
import { checkContractRange, lowestContract } from './checkContractRange.ts';
import { checkFieldUses } from './checkFieldUses.ts';
import { checkFurtherOrigins } from './checkFurtherOrigins.ts';
import type { Permissions } from './manifestPermissions.ts';
import { permissionsSchema } from './manifestPermissions.ts';
import { label, sentence } from './manifestTexts.ts';
import { checkTranslations, translationsSchema } from './manifestTranslations.ts';
import { platformSchema } from './package/platforms.ts';
import { tokenAddress } from './tokenAddress.ts';
import { SDK_CONTRACT } from './version.ts';

export { addressesOf, isSignIn, secretFieldsOf, textFieldsOf } from './manifestCredentials.ts';
export type { CredentialSource, HttpCredential, SignInCredential } from './manifestCredentials.ts';
export { CONSENT_GRANTS, MOST_PLAIN_BYTES, WAYS_THROUGH, WIDER_GRANTS } from './manifestPermissions.ts';
export type {
  ConsentGrant,
  HttpPermission,
  NamedGrant,
  OriginGrant,
  Permissions,
  SocketPermission,
  WayThrough,
  WiderGrant,
} from './manifestPermissions.ts';
export type { FurtherOrigin, FurtherOriginInput } from './manifestFurtherOrigins.ts';
export { publicAddress } from './publicAddress.ts';
export type { PublicAddress } from './publicAddress.ts';
export { tokenAddress } from './tokenAddress.ts';
export type { TokenAddress } from './tokenAddress.ts';
export { driverMessages, translatedManifest, untranslatedTexts } from './manifestTranslations.ts';

/**
 * The manifest: the `tabularium` field of a driver's package.json. It is static JSON. The connection form, the words of the window, the
 * operators of the filter bar and the permissions asked for are all drawn from it before any driver code runs, also from the registry's
 * document and offline.
 */

/** The manifest version that this SDK writes and reads. A newer one is refused with a sentence that says to update the host. */
export const MANIFEST_VERSION = 1;

/** Shows a field only while another field has one of these values. */
const visibleWhenSchema = z.strictObject({
  field: identifier,
  values: z.array(z.union([z.string(), z.number(), z.boolean()])).min(1),
});

const fieldBase = {
  id: identifier,
  label,
  /** The pane of the connection editor. */
  pane: z.enum(['general', 'ssl', 'options', 'advanced']).default('general'),
  help: sentence.optional(),
  placeholder: z.string().max(120).optional(),
  required: z.boolean().default(false),
  visibleWhen: visibleWhenSchema.optional(),
};

/** One field of the connection form. */
export const formFieldSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...fieldBase,
    type: z.literal('text'),
    default: z.string().optional(),
    maxLength: z.number().int().positive().max(10_000).default(1_000),
  }),
  z.strictObject({
    ...fieldBase,
    type: z.literal('number'),
    default: z.number().optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    integer: z.boolean().default(true),
    /** Values offered beside the field, each with what it is for. */
    suggestions: z
      .array(
        z.strictObject({
          value: z.number(),
          label,
          /** Other fields that choosing it fills in, each with its value, such as the SSL mode of a hosted service. */
          sets: z.record(identifier, z.union([z.string(), z.number(), z.boolean()])).optional(),
        }),
      )
      .max(8)
      .optional(),
  }),
  z.strictObject({ ...fieldBase, type: z.literal('toggle'), default: z.boolean().default(false) }),
  z.strictObject({
    ...fieldBase,
    type: z.literal('select'),
    options: z.array(z.strictObject({ value: z.string().min(1), label, help: sentence.optional() })).min(1),
    default: z.string().optional(),
  }),
  /** A credential: kept in the operating system's secure store, never sent to the driver. */
  z.strictObject({ ...fieldBase, type: z.literal('secret') }),
  /** A file on this machine. `host` files are read by the host alone (certificates); `driver` files are granted to the driver's process. */
  z.strictObject({
    ...fieldBase,
    type: z.literal('file'),
    readBy: z.enum(['host', 'driver']),
    extensions: z.array(z.string().regex(/^[a-z0-9]{1,10}$/)).optional(),
  }),
]);

const termSchema = z.strictObject({ one: label, other: label });

/** An operator that the columns of a class have, or that they are refused, with the reason shown beside it. */
const operatorSchema = z.union([
  z.enum(FILTER_OPERATORS),
  z.strictObject({
    operator: z.enum(FILTER_OPERATORS),
    label: label.optional(),
    refused: sentence.optional(),
    help: sentence.optional(),
  }),
]);

const filterClassSchema = z.strictObject({
  operators: z.array(operatorSchema).min(1),
  /** The form of the value field, so that a wrong value is marked before anything is sent. */
  value: z.enum(['text', 'integer', 'number', 'boolean']).default('text'),
  placeholder: z.string().max(120).optional(),
});

/** The manifest as it is in package.json. */
export const manifestSchema = z
  .strictObject({
    manifestVersion: z.literal(MANIFEST_VERSION),
    /** The database type's id, the same as in `defineDriver`. */
    id: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
    /** Which contract versions the driver runs with, such as `^1.0`. */
    sdk: z.string().min(1).max(60),
    /** The name in the connection chooser. */
    title: label,
    tagline: sentence,
    category: z.enum(['relational', 'document', 'search', 'keyValue', 'graph', 'timeSeries', 'file', 'other']),
    /** SVG path data on a 24×24 grid, drawn in one colour. */
    icon: z.string().regex(/^[MmLlHhVvCcSsQqTtAaZz0-9 ,.-]{1,4000}$/),
    /** The database's own words. */
    terms: z.strictObject({ table: termSchema, row: termSchema, column: termSchema, container: termSchema.optional() }),
    connection: z.strictObject({ fields: z.array(formFieldSchema).min(1).max(60) }),
    permissions: permissionsSchema,
    /**
     * Whether calls block their process while the database works, as a library without asynchronous calls does. Each connection then has
     * processes of its own, one for each running call, and a call that is cancelled and does not react ends its process.
     */
    blocking: z.boolean().default(false),
    /**
     * The platforms that the driver has native files for; it runs on no other. Each has a package of its own, which the host installs beside the
     * driver. Needs the grant `addons`. Absent: the driver runs everywhere. New in contract 1.1.
     */
    platforms: z.array(platformSchema).min(1).max(32).optional(),
    reading: z.strictObject({
      /** Rows per page offered in the grid; the first is preset unless `defaultPageSize` says otherwise. */
      pageSizes: z.array(z.number().int().min(1).max(10_000)).min(1).default([100, 250, 500, 1_000, 5_000]),
      defaultPageSize: z.number().int().min(1).max(10_000).default(1_000),
      /** How many columns can be sorted by at once; 0: none. */
      maxSorts: z.number().int().min(0).max(100),
      /** The rule behind unsortable columns, in one sentence. */
      sortRule: sentence.optional(),
    }),
    filtering: z
      .strictObject({
        classes: z.record(identifier, filterClassSchema),
        match: z
          .array(z.enum(['all', 'any']))
          .min(1)
          .default(['all', 'any']),
        /** Whether text is compared with regard to letter case, or the reason why there is no choice. */
        caseControl: z.union([
          z.strictObject({ available: z.literal(true) }),
          z.strictObject({ available: z.literal(false), reason: sentence }),
        ]),
        /** The raw filter row, in the database's own language. */
        raw: z.strictObject({ label, placeholder: z.string().max(120).optional(), help: sentence.optional() }).optional(),
      })
      .optional(),
    console: z
      .strictObject({
        title: label,
        language: z.string().max(40),
        /** Which SQL, where the language is `sql`, such as `postgresql`: for colours, completions and formatting. */
        dialect: z.string().max(40).optional(),
        placeholder: z.string().max(200).optional(),
      })
      .optional(),
    /** The texts above in other languages, by language tag. A host shows those of its window's language, and English where one is missing. */
    translations: translationsSchema.optional(),
  })
  .superRefine((manifest, context) => {
    refuseHiddenCharacters(manifest, context);
    checkTranslations(manifest, context);
    checkPlatforms(manifest, context);
    const fields = new Map(manifest.connection.fields.map((field) => [field.id, field]));
    if (fields.size !== manifest.connection.fields.length) {
      context.addIssue({ code: 'custom', path: ['connection', 'fields'], message: 'Two fields have the same id.' });
    }
    const mustBe = (id: string | undefined, types: readonly string[], path: readonly (string | number)[]): void => {
      if (id === undefined) return;
      const field = fields.get(id);
      if (field === undefined) context.addIssue({ code: 'custom', path: [...path], message: `There is no form field "${id}".` });
      else if (!types.includes(field.type)) {
        context.addIssue({
          code: 'custom',
          path: [...path],
          message: `The form field "${id}" must be of type ${types.join(' or ')}.`,
        });
      }
    };
    const { http, socket, secrets } = manifest.permissions;
    const places = [
      ...(http === undefined ? [] : [{ path: ['http'], part: 'origin', where: http.origin, tls: http.tls }]),
      ...(http?.furtherOrigins ?? []).flatMap(({ origin, tls }, index) =>
        typeof origin === 'string' ? [] : [{ path: ['http', 'furtherOrigins', index], part: 'origin', where: origin, tls }],
      ),
      ...(socket === undefined ? [] : [{ path: ['socket'], part: 'endpoint', where: socket.endpoint, tls: socket.tls }]),
    ] as const;
    if (http !== undefined && socket !== undefined) {
      context.addIssue({
        code: 'custom',
        path: ['permissions', 'socket'],
        message: 'A driver reaches its server by "http" or by "socket". Remove one of them.',
      });
    }
    for (const { path: place, part, where, tls } of places) {
      const base = ['permissions', ...place];
      const further = { nodes: undefined, pathPrefix: undefined, ...where };
      mustBe(where.host.field, ['text'], [...base, part, 'host']);
      mustBe(where.port.field, ['number'], [...base, part, 'port']);
      mustBe(where.scheme.field, ['select', 'toggle'], [...base, part, 'scheme']);
      for (const detail of ['nodes', 'pathPrefix'] as const) mustBe(further[detail]?.field, ['text'], [...base, part, detail]);
      mustBe(tls?.mode.field, ['select'], [...base, 'tls', 'mode']);
      const mustShow = (id: string | undefined, path: readonly string[]): void => {
        if (id === undefined || fields.get(id)?.visibleWhen === undefined) return;
        context.addIssue({
          code: 'custom',
          path: [...base, ...path],
          message: `The form field "${id}" decides where credentials go and how they are protected, so it can't have "visibleWhen". Remove it.`,
        });
      };
      for (const detail of ['host', 'port', 'scheme', 'nodes', 'pathPrefix'] as const)
        mustShow(further[detail]?.field, [part, detail]);
      mustShow(tls?.mode.field, ['tls', 'mode']);
      mustShow(tls?.skipVerification, ['tls', 'skipVerification']);
      mustBe(tls?.skipVerification, ['toggle'], [...base, 'tls', 'skipVerification']);
      mustBe(tls?.certificateAuthorityFile, ['file'], [...base, 'tls', 'certificateAuthorityFile']);
      mustBe(tls?.clientCertificateFile, ['file'], [...base, 'tls', 'clientCertificateFile']);
      mustBe(tls?.clientKeyFile, ['file'], [...base, 'tls', 'clientKeyFile']);
    }
    if ([http, socket].some((server) => server !== undefined && server.via.length > 0)) {
      manifest.connection.fields.forEach(({ id }, index) => {
        if (!isNamedAsWayThrough(id)) return;
        context.addIssue({
          code: 'custom',
          path: ['connection', 'fields', index, 'id'],
          message: `The form field "${id}" could pass for one of Tabularium's own fields for SSH and SOCKS, which "via" adds. Choose another id.`,
        });
      });
    }
    const credentials = [
      { path: ['http'], of: http?.credentials ?? [] },
      ...(http?.furtherOrigins ?? []).map((further, index) => ({
        path: ['http', 'furtherOrigins', index],
        of: further.credentials,
      })),
    ].flatMap(({ path, of }) =>
      of.map((credential, index) => ({ credential, base: ['permissions', ...path, 'credentials', index] })),
    );
    for (const { credential, base } of credentials) {
      for (const field of secretFieldsOf(credential)) mustBe(field, ['secret'], base);
      for (const { path, field } of textFieldsOf(credential)) mustBe(field, ['text'], [...base, ...path.split('.')]);
      // One that a field names is checked when it is used.
      for (const { part, source } of addressesOf(credential)) {
        const problem = 'value' in source ? tokenAddress(source.value).problem : undefined;
        if (problem !== undefined) context.addIssue({ code: 'custom', path: [...base, part, 'value'], message: problem });
      }
      if (isSignIn(credential)) {
        const { authorizationUrl, deviceUrl, field } = credential;
        if (authorizationUrl === undefined && deviceUrl === undefined)
          context.addIssue({
            code: 'custom',
            path: [...base, 'authorizationUrl'],
            message: 'A person can\'t sign in without "authorizationUrl" or "deviceUrl". Add one of them, or both.',
          });
        if (fields.get(field)?.required === true)
          context.addIssue({
            code: 'custom',
            path: [...base, 'field'],
            message: `Tabularium fills in the form field "${field}" when a person signs in, so it can't be required. Remove its "required".`,
          });
      }
      const { when } = credential;
      mustBe(when?.field, ['select', 'toggle'], [...base, 'when']);
      const places = [
        { id: when?.field, path: 'when', shownBy: undefined },
        ...textFieldsOf(credential)
          .filter(({ path }) => addressesOf(credential).some(({ part }) => part === path))
          .map(({ path, field }) => ({ id: field, path, shownBy: when })),
      ];
      for (const { id, path, shownBy } of places) {
        const shown = id === undefined ? undefined : fields.get(id)?.visibleWhen;
        if (shown === undefined) continue;
        // A field that is there whenever the credential is used hides nothing.
        const isThere =
          shownBy?.field === shown.field && shownBy.values.every((value) => shown.values.map(String).includes(value));
        if (isThere) continue;
        context.addIssue({
          code: 'custom',
          path: [...base, path],
          message: `The form field "${id}" decides where credentials go, so it can't be hidden while they are used. Remove its "visibleWhen", or give it the field and the values of "when".`,
        });
      }
    }
    checkFurtherOrigins(manifest, context);
    checkFieldUses(manifest, context);
    checkContractRange(manifest, context);
    secrets?.fields.forEach((field, index) => {
      mustBe(field, ['secret'], ['permissions', 'secrets', 'fields', index]);
      if (!credentials.some(({ credential }) => secretFieldsOf(credential).includes(field))) return;
      context.addIssue({
        code: 'custom',
        path: ['permissions', 'secrets', 'fields', index],
        message: `Tabularium adds "${field}" to requests itself, so the driver can't get it too. Remove one of them.`,
      });
    });
    manifest.permissions.files.forEach((file, index) => mustBe(file.field, ['file'], ['permissions', 'files', index]));
    for (const field of manifest.connection.fields) {
      const suggestions = field.type === 'number' ? (field.suggestions ?? []) : [];
      for (const id of suggestions.flatMap(({ sets = {} }) => Object.keys(sets)))
        mustBe(id, ['text', 'number', 'select', 'toggle'], ['connection', 'fields']);
      if (field.visibleWhen !== undefined && !fields.has(field.visibleWhen.field)) {
        context.addIssue({
          code: 'custom',
          path: ['connection', 'fields'],
          message: `"${field.id}" depends on a field that does not exist.`,
        });
      }
    }
  });

/** Native files are of no use to a driver that may not load them. */
function checkPlatforms(
  { platforms, permissions }: { readonly platforms?: readonly string[] | undefined; readonly permissions: Permissions },
  context: z.core.$RefinementCtx,
): void {
  if (platforms === undefined) return;
  const twice = platforms.find((platform, index) => platforms.indexOf(platform) !== index);
  if (twice !== undefined)
    context.addIssue({ code: 'custom', path: ['platforms'], message: `The platform "${twice}" is listed twice.` });
  if (permissions.unconfined?.grants.includes('addons') !== true)
    context.addIssue({
      code: 'custom',
      path: ['platforms'],
      message: 'Native code needs the grant "addons" in "permissions.unconfined.grants". Add it, or remove "platforms".',
    });
}

/** Such an id would give rise to an option of the command line that Tabularium has for a tunnel, such as `--ssh-host`. */
function isNamedAsWayThrough(id: string): boolean {
  return /^(?:ssh|socks|connectthrough)/.test(id.replaceAll(/[-_]/g, '').toLowerCase());
}

/** Everything in a manifest is shown to people, who decide by it: no text of it may hold what they cannot see. */
function refuseHiddenCharacters(manifest: object, context: z.core.$RefinementCtx): void {
  const path: string[] = [];
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      // A placeholder may show several lines. Elsewhere a line of the driver's could pass for one of ours.
      const lineEnd = path.at(-1) === 'placeholder' ? undefined : /[\n\t]/.exec(value)?.[0];
      const found = lineEnd === undefined ? hiddenCharacter(value, 'data') : hiddenCharacter(lineEnd);
      if (found !== undefined) {
        context.addIssue({
          code: 'custom',
          path: [...path],
          message: `The text holds the character ${found}, which people cannot see. Remove it.`,
        });
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        path.push(key);
        look(inner);
        path.pop();
      }
    }
  };
  look(manifest);
}

/** A driver's manifest, with every default filled in. */
export type Manifest = z.output<typeof manifestSchema>;
/** A driver's manifest as an author may write it. */
export type ManifestInput = z.input<typeof manifestSchema>;
/** One field of the connection form. */
export type FormField = z.output<typeof formFieldSchema>;

/** A manifest, or the sentences that say what is wrong with it. */
export type ManifestResult =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly newer: boolean; readonly problems: readonly string[] };

/**
 * Reads a manifest. Never throws: what is wrong comes back as sentences, each beginning with the path of the value at fault.
 *
 * @param value - the `tabularium` field of a package.json, parsed
 * @returns `newer: true` when it was written for a newer host, which must be updated to use the driver
 */
export function parseManifest(value: unknown): ManifestResult {
  const version = typeof value === 'object' && value !== null && 'manifestVersion' in value ? value.manifestVersion : undefined;
  if (typeof version === 'number' && version > MANIFEST_VERSION) {
    return {
      ok: false,
      newer: true,
      problems: [
        `manifestVersion: this driver's manifest has version ${version}; this version of Tabularium reads ${MANIFEST_VERSION}. Update Tabularium.`,
      ],
    };
  }
  // Compiling the schema takes 15 ms, which a host that reads a few manifests never gains back.
  const result = manifestSchema.safeParse(value, { jitless: true });
  if (result.success) return { ok: true, manifest: result.data };
  const range = newerRange(value);
  if (range !== undefined) {
    return {
      ok: false,
      newer: true,
      problems: [`sdk: this driver needs contract ${range}; this version of Tabularium has ${SDK_CONTRACT}. Update Tabularium.`],
    };
  }
  return {
    ok: false,
    newer: false,
    problems: result.error.issues.map((issue) => issueSentence(issue, 'tabularium')),
  };
}

/**
 * The range of a manifest that was written for a newer contract than this one: a field that is not known here isn't a mistake then.
 * The lowest version is enough to see it.
 */
function newerRange(value: unknown): string | undefined {
  const range = typeof value === 'object' && value !== null && 'sdk' in value ? value.sdk : undefined;
  if (typeof range !== 'string') return undefined;
  const lowest = lowestContract(range);
  if (lowest === undefined) return undefined;
  const [major, minor] = lowest;
  const [ourMajor = 0, ourMinor = 0] = SDK_CONTRACT.split('.').map(Number);
  const isNewer = major > ourMajor || (major === ourMajor && minor > ourMinor);
  return isNewer ? range.slice(0, 60) : undefined;
}
