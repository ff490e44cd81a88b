// A shard that reports another size than it has.
import { env } from 'cloudflare:workers'

/** The shard of the tests with `size_after` replaced in every result. */
export function shardOfSize(bytes: number, shard: D1Database = env.EVENTS): D1Database {
  const sized = <T extends D1Result>(result: T): T => ({
    ...result,
    meta: { ...result.meta, size_after: bytes },
  })
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name: keyof D1PreparedStatement) {
        if (name === 'bind') return (...values: unknown[]) => wrap(target.bind(...values))
        if (name === 'all' || name === 'run') return async () => sized(await target.all())
        const member = target[name]
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
  const inner = new WeakMap<D1PreparedStatement, D1PreparedStatement>()
  return {
    prepare(query: string) {
      const statement = shard.prepare(query)
      const wrapped = wrap(statement)
      inner.set(wrapped, statement)
      return wrapped
    },
    batch: async (statements: D1PreparedStatement[]) =>
      (await shard.batch(statements.map((one) => inner.get(one) ?? one))).map(sized),
  } as unknown as D1Database
}
