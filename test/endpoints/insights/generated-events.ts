// Events by a fixed rule, for tests that count them in TypeScript.
import { event, sendBatch } from '../../support/capture'
import type { Tenant } from '../../support/tenant'

export interface Happening {
  who: string
  name: string
  /** Milliseconds. */
  time: number
  plan: string
  amount: number
}

const DAY = 86_400_000
/** Before the clock of tests: later events would get its time. */
const START = Date.parse('2026-02-23T00:00:00Z')

/** Numbers from 0 to 1, the same for a seed. */
function randoms(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Distinct times, so that the order of events is that of their times. */
export function generate({
  names,
  seed = 7,
  people = 12,
  count = 240,
  days = 10,
}: {
  names: readonly string[]
  seed?: number
  people?: number
  count?: number
  days?: number
}): Happening[] {
  const next = randoms(seed)
  const times = new Set<number>()
  while (times.size < count) times.add(START + Math.floor((next() * days * DAY) / 60_000) * 60_000)
  return [...times]
    .toSorted((a, b) => a - b)
    .map((time) => ({
      who: `person ${Math.floor(next() * people)}`,
      name: names[Math.floor(next() * names.length)]!,
      time,
      plan: ['free', 'pro', 'team'][Math.floor(next() * 3)]!,
      amount: Math.floor(next() * 100),
    }))
}

export async function load(
  tenant: Tenant,
  happenings: readonly Happening[],
  more: (happening: Happening) => Record<string, unknown> = () => ({}),
): Promise<void> {
  const { status } = await sendBatch(
    tenant,
    happenings.map((each) => ({
      ...event(each.who, { plan: each.plan, amount: each.amount, ...more(each) }, each.name),
      timestamp: new Date(each.time).toISOString(),
    })),
  )
  if (status !== 200) throw new Error('events were not taken')
}

export const byPerson = (happenings: readonly Happening[]): Happening[][] => [
  ...Map.groupBy(happenings, ({ who }) => who).values(),
]

export const dayOf = (time: number): number => Math.floor((time - START) / DAY)

export const dateOf = (day: number): string => new Date(START + day * DAY).toISOString().slice(0, 10)

type Body = Record<string, unknown>

/** The response to a query that is not saved, which costs one request; with values of variables, to a run of a new endpoint. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests assert on whatever came back
export async function runOf(tenant: Tenant, query: Body, sent?: Body): Promise<any> {
  const { status, body } = sent
    ? await tenant.post(tenant.endpoints(`${(await tenant.endpoint({ query })).name}/run`), sent)
    : await tenant.post(`/api/projects/${tenant.projectId}/query/`, { query })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests assert on whatever came back
export const resultsOf = async (tenant: Tenant, query: Body, sent?: Body): Promise<any> =>
  (await runOf(tenant, query, sent)).results

export async function rejectionOf(tenant: Tenant, query: Body): Promise<[number, string | null, string]> {
  const { status, body } = await tenant.post(tenant.endpoints(), { name: 'rejected', query })
  return [status, body.attr, body.detail]
}
