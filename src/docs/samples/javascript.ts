// Samples in JavaScript: a module for Node without dependencies.
import { type Call, type Caller, isCall, isPause, type Step } from '../../http/docs/sample-steps'

const LINE = 80

/** Read from the environment. */
const GIVEN: ReadonlySet<string> = new Set(['HALYARD', 'KEY', 'TOKEN'])

/** Callers with a session cookie. */
const JARS: ReadonlySet<Caller> = new Set<Caller>(['session', 'newUser'])

const CREDENTIALS: Partial<Record<Caller, string>> = { key: 'Bearer $KEY', token: 'Bearer $TOKEN' }

/** @returns null for steps that need a shell or cookies, which `fetch` does not store. */
export function javascriptOf(steps: readonly Step[], { answers }: { answers: boolean }): string | null {
  const known = steps.filter((step) => isCall(step) || isPause(step))
  const needsCookies = known.some((step) => isCall(step) && JARS.has(step.as))
  if (known.length < steps.length || needsCookies) return null
  const before = known.slice(0, -1).map((step) => {
    const line = isPause(step) ? pauseOf(step.seconds) : readingOf(step)
    return step.says ? `// ${step.says}\n${line}` : line
  })
  const shown = answers ? 'answer.status, await answer.json()' : 'answer.status'
  const code = [
    ...before,
    `const answer = await ${fetchOf(known.at(-1) as Call)}\nconsole.log(${shown})`,
  ].join('\n\n')
  const given = [...GIVEN].filter((name) => new RegExp(`\\b${name}\\b`).test(code)).join(', ')
  const number = code.includes('${n}') ? ['const n = Math.floor(Math.random() * 1e9)'] : []
  return [`const { ${given} } = process.env`, ...number, '', code].join('\n')
}

const pauseOf = (seconds: number) => `await new Promise((resolve) => setTimeout(resolve, ${seconds * 1000}))`

/** A call that stores a value of its response. */
function readingOf({ keeps, ...call }: Call): string {
  if (!keeps) return `await ${fetchOf(call)}`
  const [[variable, place]] = Object.entries(keeps) as [[string, string]]
  const member = place.startsWith('[') ? place : `.${place}`
  return `const ${nameOf(variable)} = await ${fetchOf(call)}.then(async (answer) => (await answer.json())${member})`
}

function fetchOf({ as, method, path, query, body }: Call): string {
  const search = query ? `?${new URLSearchParams(query).toString().replaceAll('%24', '$')}` : ''
  const authorization = CREDENTIALS[as]
  const headers = {
    ...(authorization ? { Authorization: authorization } : {}),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  }
  const options = [
    ...(method === 'get' ? [] : [`method: '${method.toUpperCase()}'`]),
    ...(Object.keys(headers).length > 0 ? [`headers: ${literalOf(headers, '  ')}`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${literalOf(body, '  ')})`]),
  ]
  const url = literalOf(`$HALYARD${path}${search}`, '')
  if (options.length === 0) return `fetch(${url})`
  return `fetch(${url}, {\n${options.map((option) => `  ${option},\n`).join('')}})`
}

/** `CHAT_USER` → `chatUser` */
const nameOf = (variable: string): string =>
  GIVEN.has(variable)
    ? variable
    : variable.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const VARIABLE = /\$([A-Z][A-Z_]*)/g

function literalOf(value: unknown, indent: string): string {
  if (typeof value === 'string') return textOf(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((each) => literalOf(each, inner))
    : Object.entries(value).map(([name, each]) => `${memberOf(name)}: ${literalOf(each, inner)}`)
  if (parts.length === 0) return isList ? '[]' : '{}'
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
  if (line.length + indent.length <= LINE && !line.includes('\n')) return line
  const [open, close] = isList ? '[]' : '{}'
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

function textOf(text: string): string {
  const [, whole] = /^#?\$([A-Z][A-Z_]*)$/.exec(text) ?? []
  if (whole) return nameOf(whole)
  const escaped = text.replaceAll('\\', '\\\\')
  if (text.search(VARIABLE) < 0) return `'${escaped.replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
  return `\`${escaped.replaceAll('`', '\\`').replace(VARIABLE, (_, name: string) => `\${${nameOf(name)}}`)}\``
}

function memberOf(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name
  return name.search(VARIABLE) >= 0 ? `[${textOf(name)}]` : textOf(name)
}
