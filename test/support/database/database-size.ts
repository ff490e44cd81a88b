// A database that reports another size than its own.
import { env } from 'cloudflare:workers'

/** Returns a database with `size_after` replaced in every result. By default it is the shard of the tests. */
export function databaseOfSize(bytes: number, database: D1Database = env.EVENTS): D1Database {
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
      const statement = database.prepare(query)
      const wrapped = wrap(statement)
      inner.set(wrapped, statement)
      return wrapped
    },
    batch: async (statements: D1PreparedStatement[]) =>
      (await database.batch(statements.map((one) => inner.get(one) ?? one))).map(sized),
  } as unknown as D1Database
}
