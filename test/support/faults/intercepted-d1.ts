// A D1 database whose every call passes through a function first.

/** One call: the SQL of its statements, and how to run them. */
export interface D1Call {
  texts: string[]
  run(): Promise<unknown>
}

/** Wraps a database. `onCall` runs the call, or returns a result in its place. */
export function interceptedD1(real: D1Database, onCall: (call: D1Call) => Promise<unknown>): D1Database {
  const inner = new WeakMap<object, { statement: D1PreparedStatement; text: string }>()
  const wrap = (statement: D1PreparedStatement, text: string): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), text),
      all: () => onCall({ texts: [text], run: () => statement.all() }),
      run: () => onCall({ texts: [text], run: () => statement.run() }),
      raw: () => onCall({ texts: [text], run: () => statement.raw() }),
      first: (column?: string) =>
        onCall({
          texts: [text],
          run: () => (column === undefined ? statement.first() : statement.first(column)),
        }),
    } as unknown as D1PreparedStatement
    inner.set(wrapped, { statement, text })
    return wrapped
  }
  const database = {
    withSession: () => database,
    prepare: (text: string) => wrap(real.prepare(text), text),
    batch: (statements: D1PreparedStatement[]) => {
      const batch = statements.map((statement) => inner.get(statement)!)
      return onCall({
        texts: batch.map(({ text }) => text),
        run: () => real.batch(batch.map(({ statement }) => statement)),
      })
    },
  }
  return database as unknown as D1Database
}
