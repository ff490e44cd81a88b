// Names the events of a webhook as users choose them.

/** The choices, each with its events. */
export const CHOICES: readonly (readonly [label: string, events: readonly string[]])[] = [
  ['Flags created', ['FeatureFlag.created']],
  ['Flags updated', ['FeatureFlag.updated']],
  ['Flags deleted or restored', ['FeatureFlag.deleted', 'FeatureFlag.restored']],
  ['Cohorts', ['Cohort.*']],
  ['Dashboards', ['Dashboard.*']],
  ['Saved queries', ['Endpoint.*', 'EndpointVersion.*', 'DataWarehouseSavedQuery.*']],
  ['Definitions of events and properties', ['EventDefinition.*', 'PropertyDefinition.*']],
  ['Deleted people', ['Person.*']],
  ['Approvals', ['ApprovalPolicy.*', 'ChangeRequest.*']],
  ['Scheduled changes', ['ScheduledChange.*']],
  ['Webhooks', ['Webhook.*']],
]

const ALL = '*'

/** What an event is about: one, and several. */
const ITEMS: Readonly<Record<string, readonly [one: string, several: string]>> = {
  FeatureFlag: ['Flag', 'flags'],
  Cohort: ['Cohort', 'cohorts'],
  Person: ['Person', 'people'],
  Dashboard: ['Dashboard', 'dashboards'],
  EventDefinition: ['Definition of an event', 'definitions of events'],
  PropertyDefinition: ['Definition of a property', 'definitions of properties'],
  Endpoint: ['Query', 'queries'],
  EndpointVersion: ['Version of a query', 'versions of queries'],
  DataWarehouseSavedQuery: ['Materialization of a query', 'materializations of queries'],
  ApprovalPolicy: ['Approval policy', 'approval policies'],
  ChangeRequest: ['Change request', 'change requests'],
  ScheduledChange: ['Scheduled change', 'scheduled changes'],
  Webhook: ['Webhook', 'webhooks'],
  Action: ['Action', 'actions'],
  Project: ['Project settings', 'project settings'],
  InsightVariable: ['Variable of queries', 'variables of queries'],
}

/** What happened, where it is not its own word. */
const ACTIVITIES: Readonly<Record<string, string>> = {
  version_created: 'has a new version',
  version_updated: 'updated',
  materialization_enabled: 'enabled',
  materialization_disabled: 'disabled',
  persons_added_manually: 'has new people',
  person_removed_manually: 'has a person less',
}

/** Returns an event in the words of the console: `Flag updated`, `All changes of flags`. */
export function wordsOf(event: string): string {
  const [scope = '', activity = ''] = event.split('.')
  const [one, several] = ITEMS[scope] ?? [scope, scope]
  return activity === '*' ? `All changes of ${several}` : `${one} ${ACTIVITIES[activity] ?? activity}`
}

export const isAll = (events: readonly string[]): boolean => events.includes(ALL)

/** Returns whether the events include one. */
const covers = (events: readonly string[], event: string): boolean =>
  isAll(events) || events.includes(event) || events.includes(`${event.split('.', 1)[0]!}.*`)

export const isChosen = (events: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((event) => covers(events, event))

/** Returns events that no chosen choice covers, because they were set through the API. */
export const othersIn = (events: readonly string[]): string[] =>
  events.filter(
    (event) => event !== ALL && !CHOICES.some(([, each]) => isChosen(events, each) && covers(each, event)),
  )

/** Returns the events with a choice added or removed. Of a wildcard over more than the choice, the other choices stay. */
export function withChoice(
  events: readonly string[],
  wanted: readonly string[],
  isWanted: boolean,
): string[] {
  const others = events.filter((event) => !covers(wanted, event))
  if (isWanted) return [...others, ...wanted]
  return others.flatMap((event) =>
    wanted.some((each) => covers([event], each))
      ? CHOICES.flatMap(([, each]) => each).filter((each) => covers([event], each) && !covers(wanted, each))
      : [event],
  )
}

export const summaryOf = (events: readonly string[]): string => {
  if (isAll(events)) return 'All changes'
  const others = othersIn(events)
  const names = CHOICES.filter(([, each]) => isChosen(events, each) && !isChosen(others, each))
  return [...names.map(([label]) => label), ...others.map(wordsOf)].join(', ')
}
