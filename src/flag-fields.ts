// The fields of a flag that callers set, as data. Everything that lists such fields derives from this: the log and its versions, the
// schemas with their documentation, definitions, imports, files of flags, and the labels of the console. It imports nothing, because the
// console uses it too.
//
// A field has, besides, its column (drizzle/flags.ts) and the module that acts on it.

/**
 * - `log`: a new flag has the initial value, changes are in the activity log, and versions are rebuilt from it.
 * - `definition`: a snapshot has it, for evaluation or SDKs.
 * - `public`: SDKs and callers get it with a definition.
 * - `import`: a project that is imported or exported has it.
 * - `file`: a file of flags (halyard.json) may have it.
 * - `form`: the console edits it.
 * - `restore`: the console takes it back with a version.
 */
type Facet = 'log' | 'definition' | 'public' | 'import' | 'file' | 'form' | 'restore'

interface Field {
  /** The value of a new flag. */
  readonly initial: string | number | boolean | null | readonly unknown[] | object
  /** The values of a field that has few, with their names in the console. Null means the initial one. */
  readonly choices?: Readonly<Record<string, string>>
  /** The name in the console. */
  readonly label: string
  /** The meaning, for the documentation. */
  readonly meaning: string
  readonly facets: readonly Facet[]
}

/** The fields in the order in which the log lists changes. */
export const FIELDS = {
  key: {
    initial: '',
    label: 'Key',
    meaning: 'Name of the flag in code, unique among the flags of the project that are not deleted.',
    facets: ['log', 'definition', 'public', 'form'],
  },
  name: {
    initial: '',
    label: 'Description',
    meaning: 'Description of the flag.',
    facets: ['log', 'definition', 'public', 'import', 'file', 'form', 'restore'],
  },
  filters: {
    initial: { groups: [] },
    label: 'Filters',
    meaning: 'Who gets the flag, and with which value.',
    facets: ['log', 'definition', 'public', 'import', 'file', 'form', 'restore'],
  },
  deleted: {
    initial: false,
    label: 'Deleted',
    meaning: 'Whether the flag is deleted.',
    facets: ['log', 'definition', 'public'],
  },
  active: {
    initial: true,
    label: 'Enabled',
    meaning: 'Whether the flag is enabled. A disabled flag is off for everyone.',
    facets: ['log', 'definition', 'public', 'import', 'file', 'form', 'restore'],
  },
  archived: {
    initial: false,
    label: 'Archived',
    meaning: 'Whether lists leave the flag out. Only a disabled flag can be archived.',
    facets: ['log', 'definition', 'import', 'file'],
  },
  version: {
    initial: 1,
    label: 'Version',
    meaning: 'Number of the version.',
    facets: ['log', 'definition', 'public'],
  },
  rollback_conditions: {
    initial: null,
    label: 'Rollback conditions',
    meaning: 'Stored as sent, without effect.',
    facets: ['log', 'import'],
  },
  performed_rollback: {
    initial: null,
    label: 'Performed rollback',
    meaning: 'Stored as sent, without effect. False once the flag is enabled.',
    facets: ['log'],
  },
  ensure_experience_continuity: {
    initial: false,
    label: 'Persist across sign-in',
    meaning:
      'Whether people keep their value when they sign in. Not with `bucketing_identifier` `device_id`.',
    facets: ['log', 'definition', 'public', 'import', 'file', 'form', 'restore'],
  },
  has_enriched_analytics: {
    initial: false,
    label: 'Enriched analytics',
    meaning:
      'Whether the application captures `$feature_view` and `$feature_interaction`, which the usage dashboard can show.',
    facets: ['log'],
  },
  is_remote_configuration: {
    initial: false,
    label: 'Remote configuration',
    meaning:
      'Whether the flag only delivers its payload: it is the same for everyone, and `remote_config` returns it.',
    facets: ['log', 'definition', 'import', 'file', 'form', 'restore'],
  },
  has_encrypted_payloads: {
    initial: false,
    label: 'Encrypted value',
    meaning:
      'Whether payloads are encrypted at rest. Only with `is_remote_configuration`. API keys read plain text, sessions a placeholder.',
    facets: ['log', 'definition', 'import', 'file', 'form', 'restore'],
  },
  evaluation_runtime: {
    initial: 'all',
    choices: { server: 'Servers only', client: 'Clients only', all: 'Clients and servers' },
    label: 'Evaluation runtime',
    meaning: 'Where SDKs may evaluate the flag: on servers, in clients, or in both.',
    facets: ['log', 'definition', 'public', 'import', 'file', 'form', 'restore'],
  },
  bucketing_identifier: {
    initial: 'distinct_id',
    choices: { distinct_id: 'People', device_id: 'Devices' },
    label: 'Bucketed by',
    meaning:
      'What percentages apply to: people (`distinct_id`) or devices (`device_id`). Sets about groups always use the group.',
    facets: ['log', 'definition', 'public', 'import', 'file', 'form', 'restore'],
  },
  last_called_at: {
    initial: null,
    label: 'Last called',
    meaning:
      'Time of the last call that an SDK reported (ISO 8601, UTC, to the microsecond), to about a minute; null for none.',
    facets: ['log'],
  },
  tags: {
    initial: [],
    label: 'Tags',
    meaning: 'Labels: trimmed, lower-case, each once.',
    facets: ['import', 'file', 'form'],
  },
  evaluation_contexts: {
    initial: [],
    label: 'Evaluation contexts',
    meaning:
      'Contexts in which the flag may be evaluated. A caller that names its contexts gets no flag that names only others. Empty: all.',
    facets: ['definition', 'public', 'import', 'file', 'form'],
  },
  analytics_dashboards: {
    initial: [],
    label: 'Dashboards',
    meaning: 'Ids of dashboards of the project about the flag.',
    facets: [],
  },
} as const satisfies Readonly<Record<string, Field>>

type Fields = typeof FIELDS
type FieldName = keyof Fields

export type FieldWith<F extends Facet> = {
  [Name in FieldName]: F extends Fields[Name]['facets'][number] ? Name : never
}[FieldName]

const NAMES = Object.keys(FIELDS) as readonly FieldName[]

export const hasFacet = (name: FieldName, facet: Facet): boolean =>
  (FIELDS[name].facets as readonly Facet[]).includes(facet)

/** The fields with a facet, in order. */
export const fieldsWith = <F extends Facet>(facet: F): readonly FieldWith<F>[] =>
  NAMES.filter((name) => hasFacet(name, facet)) as FieldWith<F>[]

type Value<Initial> = Initial extends boolean
  ? boolean
  : Initial extends string
    ? string
    : Initial extends readonly unknown[]
      ? string[]
      : Initial extends object
        ? {
            -readonly [Member in keyof Initial]: Initial[Member] extends readonly unknown[]
              ? never[]
              : Initial[Member]
          }
        : Initial

/** Returns the values of a new flag. */
export const initialValues = <F extends Facet>(facet: F) =>
  Object.fromEntries(fieldsWith(facet).map((name) => [name, structuredClone(FIELDS[name].initial)])) as {
    [Name in FieldWith<F>]: Value<Fields[Name]['initial']>
  }

export type ChoiceField = {
  [Name in FieldName]: Fields[Name] extends { choices: object } ? Name : never
}[FieldName]

export type ChoiceOf<Name extends ChoiceField> = keyof Fields[Name]['choices'] & string

export const CHOICE_FIELDS = NAMES.filter((name) => 'choices' in FIELDS[name]) as readonly ChoiceField[]

export const choicesOf = <Name extends ChoiceField>(name: Name) =>
  Object.keys(FIELDS[name].choices) as [ChoiceOf<Name>, ...ChoiceOf<Name>[]]
