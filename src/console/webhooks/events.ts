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
  const names = CHOICES.filter(([, each]) => isChosen(events, each)).map(([label]) => label)
  return [...names, ...othersIn(events)].join(', ')
}
