// Writes samples for bash and zsh: curl, and Node to read responses. They can be pasted repeatedly.
import type { SampleCaller } from '../../http/docs/operation-docs'
import { type Call, COOKIES, isCall, isPause, type SampleStep } from './steps'

/** The most characters of a line. Longer lines are broken. */
const LINE = 80

/** A variable in a text, `$FLAG`, or for a whole value of JSON, `"#$FLAG"`. Names of properties (`$set`) are in small letters. */
const VARIABLE = /"#(\$[A-Z][A-Z_]*)"|(\$[A-Z][A-Z_]*)/g

/** @param withHeaders whether the last call prints the response headers, for responses without a body */
export function shellOf(steps: readonly SampleStep[], { withHeaders }: { withHeaders: boolean }): string {
  const before = steps.slice(0, -1).map((step) => {
    if (isPause(step)) return `# ${step.says}\nsleep ${step.seconds}`
    if (!isCall(step)) return step.shell
    const command = step.keeps ? keeping(step.keeps, curlOf(step, '')) : curlOf(step, ' -o /dev/null')
    return step.says ? `# ${step.says}\n${command}` : command
  })
  const last = steps.at(-1) as Call
  const commands = [...before, ...(before.length > 0 ? [''] : []), curlOf(last, withHeaders ? ' -i' : '')]
  const text = commands.join('\n')
  return /\$N\b/.test(text) ? `N=$RANDOM$RANDOM\n${text}` : text
}

function curlOf({ as, method, path, query, body }: Call, options: string): string {
  const sent = body === undefined ? [] : ["-H 'Content-Type: application/json'"]
  const data = body === undefined ? [] : [`-d ${quoted(body)}`]
  const search = query ? `?${searchOf(query)}` : ''
  // The URL is quoted, because some shells expand question marks.
  const url = search ? `"$HALYARD${path}${search}"` : `$HALYARD${path}`
  const implied = body === undefined ? 'get' : 'post'
  const verb = method === implied ? '' : ` -X ${method.toUpperCase()}`
  const start = `curl -s${options}${verb}${jarOf(as)} ${url}`
  const parts = [start, ...headersOf(as, method), ...sent, ...data]
  const line = parts.join(' ')
  return line.length <= LINE && !line.includes('\n') ? line : parts.join(' \\\n  ')
}

/** Encodes a query, but not its variables. */
const searchOf = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%24', '$')}`)
    .join('&')

const jarOf = (as: SampleCaller) => (COOKIES[as] ? ` -b ${COOKIES[as]}` : '')

function headersOf(as: SampleCaller, method: Call['method']): string[] {
  switch (as) {
    case 'key':
      return ['-H "Authorization: Bearer $KEY"']
    case 'token':
      return ['-H "Authorization: Bearer $TOKEN"']
    case 'anonymous':
      return []
    case 'session':
    case 'newUser':
      return method === 'get' ? [] : [`-H "X-CSRFToken: $(awk '/csrftoken/ {print $7}' ${COOKIES[as]})"`]
  }
}

function keeping(keeps: Readonly<Record<string, string>>, command: string): string {
  const [[variable, place]] = Object.entries(keeps) as [[string, string]]
  const member = place.startsWith('[') ? place : `.${place}`
  return `${variable}=$(${command} \\\n  | node -p "JSON.parse(require('fs').readFileSync(0))${member}")`
}

/** Writes JSON in single quotes, with variables outside of them. */
const quoted = (body: unknown): string =>
  `'${jsonOf(body, '  ').replaceAll("'", "'\\''").replace(VARIABLE, "'$1$2'")}'`

/** Writes JSON with short objects on one line. */
function jsonOf(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((each) => jsonOf(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${jsonOf(each, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const line = `${open}${parts.join(', ')}${close}`
  if (line.length + indent.length <= LINE && !line.includes('\n')) return line
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
}
