// Adds hints on what to send instead to the error of a call. Models correct a call by its error, and send names that other tools or people
// use.
import { levelsText } from '../account/organizations/organization-record'
import { isObject, type UnknownObject } from '../json'
import { opens, type Reach } from './reach'
import type { ToolResult } from './result'
import type { Tool } from './tool'

interface Meant {
  /** Names that no tool with the argument declares. */
  sent: RegExp
  argument: string
  hint: string
}

const CONDITIONS =
  'Send it in filters: {"groups": [{"properties": [], "rollout_percentage": 20}]}. They replace all condition sets of the flag.'

const MEANT: readonly Meant[] = [
  {
    sent: /^((is_?)?(enabled|active)|status|state)$/i,
    argument: 'active',
    hint: 'Send active: true or false.',
  },
  { sent: /^((is|only)_?)?stale$/i, argument: 'active', hint: 'Send active: "STALE".' },
  { sent: /rollout|percent|^conditions?$|^properties$|^groups$/i, argument: 'filters', hint: CONDITIONS },
  {
    sent: /^(variants|multivariate|payloads?)$/i,
    argument: 'filters',
    hint: 'Send it in filters: {"groups": [{}], "multivariate": {"variants": [{"key": "a", "rollout_percentage": 100}]}, "payloads": {"a": "1"}}.',
  },
  { sent: /^properties$/i, argument: 'condition', hint: 'Send it in condition: {"properties": []}.' },
  {
    sent: /properties$/i,
    argument: 'groups',
    hint: 'The stored properties of the person with this distinct_id count; others cannot be tried.',
  },
  { sent: /^(user|person)(_?id)?$/i, argument: 'distinct_id', hint: 'Send distinct_id.' },
  {
    sent: /^(e?mail|search|query|q)$/i,
    argument: 'distinct_id',
    hint: "Find the distinct id with query-run: SELECT DISTINCT distinct_id FROM events WHERE person.properties.email = 'ada@example.com'.",
  },
  {
    sent: /^(user_?|access_?)?(role|level)$/i,
    argument: 'level',
    hint: `Send level: ${levelsText()}.`,
  },
  { sent: /^user_?id$/i, argument: 'user', hint: 'Send user: an id, a uuid or an address.' },
  { sent: /^flag_?id$/i, argument: 'record_id', hint: 'Send record_id, the id of the flag.' },
  {
    sent: /^(sql|hogql)$/i,
    argument: 'query',
    hint: 'Send query: {"kind": "HogQLQuery", "query": "SELECT count() FROM events"}.',
  },
  {
    sent: /^((flag_?)?keys?|flag_?ids?)$/i,
    argument: 'ids',
    hint: 'Send ids: feature-flag-get-all has the id of each key.',
  },
  { sent: /^((flag_?)?key|name|query|q)$/i, argument: 'search', hint: 'Send search.' },
  { sent: /^description$/i, argument: 'key', hint: 'The description of a flag is its name: send name.' },
  { sent: /^(page|cursor|after|skip)$/i, argument: 'offset', hint: 'Send offset, the rows to skip.' },
  { sent: /^(page|offset|after|skip)$/i, argument: 'cursor', hint: 'Send cursor, which is in next.' },
  { sent: /^(offset|cursor|after|skip)$/i, argument: 'page', hint: 'Send page, from 1.' },
  {
    sent: /^(is_?|include_?)?deleted$/i,
    argument: 'excluded_tags',
    hint: 'Deleted flags are not listed. Find their ids with feature-flags-all-activity-retrieve.',
  },
  {
    sent: /^(distinct_?ids?|emails?|users?|persons?)$/i,
    argument: 'csv',
    hint: 'Send csv: one distinct id a line.',
  },
  {
    sent: /^distinct_?ids?$/i,
    argument: 'person_ids',
    hint: 'Send person_ids, the uuids of persons-list, or csv to cohorts-partial-update: one distinct id a line.',
  },
  {
    sent: /^(team|environment|project)_?(id|name)?$/i,
    argument: 'project_id',
    hint: 'Send project_id. Find it with projects-list.',
  },
]

const GROUP_TYPES = 'groups-types-list has the index of each group type.'

/** Hints by the error, where the description of the argument does not help. */
const BY_DETAIL: readonly (readonly [attr: string, detail: RegExp, hint: string])[] = [
  ['Project', /^Project not found\.$/, 'Find project_id with projects-list.'],
  [
    'Person',
    /^Person not found/,
    'persons-list has the uuid of each person. For a distinct id, send distinct_id.',
  ],
  ['person_ids', /valid UUID/, 'persons-list has the uuid of each person.'],
  [
    '_create_static_person_ids',
    /valid UUID/,
    'persons-list has the uuid of each person. For distinct ids, send csv.',
  ],
  ['filters', /^Cohort with id /, 'cohorts-list has the id of each cohort.'],
  ['filters', /flag IDs/, 'feature-flag-get-all has the id of each flag.'],
  ['filters', /group_type_index must be/, GROUP_TYPES],
  ['group_type_index', /./, GROUP_TYPES],
  ['record_id', /./, 'feature-flag-get-all has the id of each flag.'],
  [
    'filters',
    /group type\)|-aggregated conditions/,
    `Send aggregation_group_type_index in the condition set, and group_type_index in each property of it, whose type is "group". ${GROUP_TYPES} A condition set about people takes the types person, cohort and flag.`,
  ],
  [
    'query',
    /undefined variable/,
    'Create each with insight-variables-create first, by its name with spaces: "plan name" is {variables.plan_name}.',
  ],
  [
    'query',
    /Unknown field: date_(from|to)$/,
    'An insight has it in dateRange: {"date_from": "-7d", "date_to": null}.',
  ],
  [
    'query',
    /query\.variables\./,
    'Send variables by id: {"<id>": {"variableId": "<id>", "code_name": "plan"}}. insight-variables-list has the ids.',
  ],
]

const declaredBy = ({ describes }: Tool) => describes.inputSchema.properties as Record<string, UnknownObject>

/** Where ids of collections without a list are. */
const PLACES: Readonly<Record<string, string>> = {
  '/api/projects/:project_id/dashboards/':
    'Find id in usage_dashboard of the flag, with feature-flag-get-definition.',
}

/** Names the tool that lists the collection, in which a model finds an id in the path of a tool. */
function whereToFind(
  name: string,
  tool: Tool,
  tools: ReadonlyMap<string, Tool>,
  reach: Reach,
): string | null {
  const { path } = tool.call
  const collection = path.slice(0, path.indexOf(`:${name}/`))
  const list = [...tools.values()].find(
    (each) => each.call.method === 'get' && each.call.path === collection && opens(reach, each),
  )
  return list ? `Find ${name} with ${list.describes.name}.` : (PLACES[collection] ?? null)
}

/** @param missing the argument of the path that is not given; no other argument is then suggested for the unknown one */
function hintForUnknown(
  name: string,
  tool: Tool,
  given: UnknownObject,
  missing: string | undefined,
): string | null {
  const declared = declaredBy(tool)
  const isIn = (argument: string) => Object.hasOwn(declared, argument)
  // A value can say what its name does not: `status: "STALE"`.
  const choice = Object.entries(declared).find(
    ([, { enum: values }]) => Array.isArray(values) && values.includes(given[name]),
  )
  if (choice) return `Send ${choice[0]}: ${JSON.stringify(given[name])}.`
  const meant = MEANT.find(({ sent, argument }) => sent.test(name) && isIn(argument))
  if (meant) return meant.hint
  if (isObject(given[name]) && /^(data|input|params|arguments|body|payload)$/i.test(name))
    return `Send the members of ${name} as arguments of the tool.`
  // A model may send `id` for `project_id`.
  const own = /:(\w+)\/$/.exec(tool.call.path)?.[1]
  if (own?.endsWith(`_${name}`) && !Object.hasOwn(given, own)) return `Send ${own}.`
  // Or it sends `project_name` for `name`, or `flagId` for `id`.
  const last = name
    .split(/[_-]|(?=[A-Z])/)
    .at(-1)!
    .toLowerCase()
  if (isIn(last) && last === (missing ?? last) && !Object.hasOwn(given, last)) return `Send ${last}.`
  return isIn('variables') && missing === undefined && !Object.hasOwn(given, 'variables')
    ? `If ${name} is a variable, send it in variables: {"${name}": …}.`
    : null
}

/** Characters of a value that a hint repeats. */
const MAX_SHOWN = 100

interface Failure {
  code?: string
  detail?: string
  error?: string
  attr?: string | null
}

/** The error of a response without a body, which has a hint if its status is 404. */
const EMPTY: Failure = { detail: 'Not found.' }

/** Matches the field at the start of an error that has no `attr`. */
const FIELD = /^(?:JSON parse error - |Invalid )?(\w+)/

function hintOf(failure: Failure, status: number, { tool, given, tools, reach }: HintContext): string | null {
  const { code, error, detail = error ?? '' } = failure
  const attr = failure.attr ?? FIELD.exec(detail)?.[1]
  const { inPath, notFound } = tool.call
  const isNotFound = status === 404 && detail.startsWith('Not found.')
  const needed = Object.keys(inPath).filter((name) => inPath[name] === null)
  const missing = needed.find((name) => (given[name] ?? '') === '')
  const wanted = missing ?? needed.find((name) => name === attr) ?? (isNotFound ? needed[0] : undefined)
  const place = wanted === undefined ? null : whereToFind(wanted, tool, tools, reach)
  if (isNotFound) {
    const sought = needed
      .map((name) => `${name} ${JSON.stringify(given[name]).slice(0, MAX_SHOWN)}`)
      .join(' and ')
    const why = notFound ?? (sought && `Nothing was found by ${sought}.`)
    return [why, place].filter(Boolean).join(' ') || null
  }
  if (typeof attr !== 'string') return null
  // An item of a list is `ids__0`.
  const [argument = attr] = attr.split(/(?<=.)__(?=\d)/)
  if (code === 'unknown_field' && !Object.hasOwn(declaredBy(tool), attr))
    return [hintForUnknown(attr, tool, given, missing), place].filter(Boolean).join(' ') || null
  if (place) return place
  const byDetail = BY_DETAIL.find(([name, pattern]) => name === argument && pattern.test(detail))
  if (byDetail) return byDetail[2]
  const { description, properties } = Object.hasOwn(declaredBy(tool), argument)
    ? declaredBy(tool)[argument]!
    : {}
  if (typeof description !== 'string') return null
  return `${argument}: ${description}${properties ? ` Its members: ${JSON.stringify(properties)}` : ''}`
}

export interface HintContext {
  tool: Tool
  given: UnknownObject
  tools: ReadonlyMap<string, Tool>
  reach: Reach
}

export function withHint(result: ToolResult, status: number, context: HintContext): ToolResult {
  const [first, ...others] = result.content
  if (!result.isError || !first) return result
  const failure = parsed(first.text)
  const hint = hintOf(failure ?? EMPTY, status, context)
  if (hint === null) return result
  const text = failure ? JSON.stringify({ ...failure, hint }) : `${first.text}. ${hint}`
  return { ...result, content: [{ ...first, text }, ...others] }
}

function parsed(text: string): (Failure & UnknownObject) | null {
  try {
    const value = JSON.parse(text) as unknown
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** Words of names that say what a tool does, and not what with. */
const VERBS: ReadonlySet<string> = new Set(
  'add all bulk create delete destroy get list partial read remove restore retrieve run set update'.split(
    ' ',
  ),
)

const isDestructive = (words: ReadonlySet<string>): boolean =>
  ['delete', 'destroy', 'remove'].some((word) => words.has(word))

/** Returns the words of a name, without plurals. Lists are called `list` and `get-all`. */
const wordsOf = (name: string): Set<string> =>
  new Set(
    name
      .toLowerCase()
      .split(/[^a-z]+/)
      .map((word) => (word === 'list' ? 'all' : word.replace(/s$/, ''))),
  )

/** Characters of a name that are compared. */
const MAX_NAME_LENGTH = 100

const ROLLBACK =
  'feature-flags-versions-retrieve, then update-feature-flag with filters and active of the version'

/** Tools of upstream and of other services that have another name here, each with what to call. */
const UPSTREAM: Readonly<Record<string, string>> = {
  'feature-flag-enable': 'update-feature-flag with active: true',
  'feature-flag-disable': 'update-feature-flag with active: false',
  'feature-flag-archive': 'update-feature-flag with archived: true',
  'feature-flag-unarchive': 'update-feature-flag with archived: false',
  'feature-flag-restore': 'update-feature-flag with deleted: false',
  'restore-feature-flag': 'update-feature-flag with deleted: false',
  'feature-flag-undelete': 'update-feature-flag with deleted: false',
  'feature-flags-bulk-restore': 'update-feature-flag with deleted: false, for each flag',
  'feature-flags-bulk-restore-create': 'update-feature-flag with deleted: false, for each flag',
  'feature-flags-bulk-archive': 'update-feature-flag with archived: true, for each flag',
  'feature-flag-copy': 'create-feature-flag with project_id',
  'feature-flags-copy-flags-create': 'create-feature-flag with project_id',
  'feature-flag-evaluate': 'feature-flags-test-evaluation-create',
  'feature-flag-schedule': 'scheduled-changes-create',
  'cohorts-delete': 'cohorts-partial-update with deleted: true',
  'cohorts-destroy': 'cohorts-partial-update with deleted: true',
  'cohorts-bulk-delete': 'cohorts-partial-update with deleted: true, for each cohort',
  'scheduled-changes-partial-update': 'scheduled-changes-delete and scheduled-changes-create',
  'feature-flag-rollback': ROLLBACK,
  'rollback-feature-flag': ROLLBACK,
  'dashboard-get': 'dashboards-retrieve with usage_dashboard of the flag',
  'dashboards-list': 'dashboards-retrieve with usage_dashboard of the flag',
  'scheduled-changes-get': 'scheduled-changes-list',
  'scheduled-changes-update': 'scheduled-changes-delete and scheduled-changes-create',
  'execute-sql': 'query-run',
  'query-trends': 'query-run',
  'projects-get': 'projects-list',
  'organizations-get': 'organizations-list',
  'switch-project': 'the same tool with another project_id',
}

/**
 * Returns what to call for a missing tool: the equal of upstream's, or the names of at most three tools that share most words with it, and
 * at least two, of which one is a noun; the shortest first. A tool that deletes is the answer only to a name that says so.
 */
export function likelyTools(name: string, known: Iterable<string>): string[] {
  if (Object.hasOwn(UPSTREAM, name)) return [UPSTREAM[name]!]
  const words = wordsOf(name.slice(0, MAX_NAME_LENGTH))
  return [...known]
    .filter((each) => isDestructive(words) || !isDestructive(wordsOf(each)))
    .map((each) => ({ each, shared: [...wordsOf(each)].filter((word) => words.has(word)) }))
    .filter(({ shared }) => shared.length >= 2 && shared.some((word) => !VERBS.has(word)))
    .toSorted((a, b) => b.shared.length - a.shared.length || a.each.length - b.each.length)
    .slice(0, 3)
    .map(({ each }) => each)
}
