// The engine itself, in a process of its own: it keeps its thread busy for as long as a query runs. Asked and answered over IPC.
import { createRequire } from 'node:module'

interface Session {
  query(sql: string, format?: string): string
}
const { Session } = createRequire(import.meta.url)('chdb') as { Session: new (path?: string) => Session }

export interface Asked {
  id: number
  sql: string
  format: string
  database: string
  parameters: Record<string, string>
}

export type Responded = { id: number } & ({ text: string } | { code: number; message: string })

const session = new Session(process.argv[2])
// Values are statements of their own here, and may be long.
session.query('SET max_query_size = 100000000')
// Tables of tests have few rows: threads cost more than they save.
session.query('SET max_threads = 1')
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function response({ sql, format, database, parameters }: Asked): string {
  session.query(`USE \`${database.replace(/\W/g, '')}\``)
  // As over HTTP, the text of a parameter is read by its type when the statement is.
  const values = Object.entries(parameters).map(([name, value]) => `${name} = ${quoted(value)}`)
  if (values.length > 0) session.query(`SET ${values.join(', ')}`)
  return session.query(sql, format)
}

process.on('message', (asked: Asked) => {
  let answered: Responded
  try {
    answered = { id: asked.id, text: response(asked) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    answered = { id: asked.id, code: Number(/Code: (\d+)/.exec(message)?.[1] ?? 1002), message }
  }
  process.send?.(answered)
})
