// Lowers joins on values without an index. SQLite would compute the value of every row of one side for every row of the other. Instead, the
// joined rows are read once, with the value as a column, for which SQLite makes an index. It makes none when the column of the other side has
// an affinity that the value does not have, so that this side is compared without its affinity.
import type { Expr, From, Join, Select, Source } from '../ir'
import { conjunctsOf, keysOf, type JoinKey, readsOnly, sourcesBefore, sourcesIn } from '../joins'
import { sourcesOf } from '../ir-walk'
import { all, call, column, comparison } from '../ir-build'

/** Returns the SELECT, in which the sources that must be read before they are joined are marked. */
export function lowerJoins(select: Select): Select {
  const { from, where } = select
  if (from === null) return select
  let rest = conjunctsOf(where)
  const joins = from.joins.map((join, index): Join => {
    const found = keysThat(join, from, index, rest)
    if (found === null) return join
    const { source } = join
    const isInner = join.kind !== 'left'
    const own = [...conjunctsOf(join.on), ...(isInner ? rest : [])]
    const isKey = (condition: Expr) =>
      condition.node === 'compare' &&
      condition.op === '=' &&
      found.some(({ left, right }) =>
        [condition.left, condition.right].every((side) => side === left || side === right),
      )
    const ofOn = new Set(
      conjunctsOf(join.on).flatMap((on) => (on.node === 'compare' ? [on.left, on.right] : [])),
    )
    const equal = found.map(({ left, right }, place) => ({
      isOfOn: ofOn.has(left),
      condition: comparison('=', call('materialize', left), column(source.id, `k${place}`, right.type)),
    }))
    const equalIn = (on: boolean) =>
      equal.filter(({ isOfOn }) => isOfOn === on).map(({ condition }) => condition)
    // A NULL condition has another effect in WHERE than in ON, so that each equality stays where it was.
    rest = [...rest.filter((condition) => !(isInner && isKey(condition))), ...equalIn(false)]
    const others = conjunctsOf(join.on).filter((condition) => !isKey(condition))
    return {
      kind: isInner ? 'inner' : 'left',
      source,
      on: all([...equalIn(true), ...others]),
      keyed: {
        keys: found.map(({ right }) => right),
        where: own.filter((condition) => readsOnly(condition, source.id)),
      },
    }
  })
  return { ...select, from: { ...from, joins }, where: rest.length === 0 ? null : all(rest) }
}

/** Returns the keys of a join, or null when there are none, or an index serves them. */
function keysThat(join: Join, from: From, index: number, where: readonly Expr[]): JoinKey[] | null {
  const { kind, source } = join
  if (kind === 'right' || kind === 'full' || source.kind === 'elements' || source.kind === 'stored')
    return null
  const keys = keysOf(join, sourcesBefore(from, index), where)
  if (keys.length === 0 || keys.some(({ right }) => isIndexed(source, right))) return null
  // The database may begin with either side of an inner join.
  const sources = sourcesOf({ from })
  const isServed = ({ left }: JoinKey) => {
    const [id, ...more] = sourcesIn(left) ?? []
    const of = sources.find((other) => other.id === id)
    return more.length === 0 && of !== undefined && isIndexed(of, left)
  }
  return kind !== 'left' && keys.some(isServed) ? null : keys
}

/** The columns with which an index of their table begins, after the project. */
const INDEXED: Partial<Record<string, readonly string[]>> = {
  persons: ['id'],
  person_distinct_ids: ['distinct_id', 'person_id'],
  cohort_people: ['cohort_id'],
  events: ['uuid', 'distinct_id'],
}

const isIndexed = (source: Source, key: Expr): boolean =>
  source.kind === 'table' &&
  key.node === 'column' &&
  key.source === source.id &&
  INDEXED[source.table]?.includes(key.column) === true
