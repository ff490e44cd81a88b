// The compatibility guide: every operation, with what is known to differ from the upstream service. Written to guide/compatibility.md by
// `npm run openapi`.
import type { Operation } from '../../http/operation'
import type { Docs } from '../collect'
import { toolNameOf } from '../../mcp/catalogue'
import type { Tool } from '../../mcp/tool'
import type { Area, SdkArea } from '../../areas'
import type { Difference, Differences } from './difference'

/** A row of the table. */
interface Row {
  id: string
  call: string
  scope: string
}

/**
 * The guide as Markdown.
 * @throws Error when a difference is told of an operation or an area that is not there
 */
export function compatibilityGuide(
  areas: readonly Area[],
  sdk: SdkArea,
  tools: readonly Tool[],
  differences: Differences,
  docs: Docs,
): string {
  const offered = new Set(tools.map(({ describes }) => describes.name))
  const sections = [
    ...areas.map(({ tag, operations }) => ({
      tag,
      rows: operations
        .filter(({ id }) => !id.startsWith('environments_'))
        .map((operation) => ({
          id: operation.id,
          call: `${operation.method.toUpperCase()} ${operation.path}`,
          scope: callersOf(operation),
        })),
    })),
    {
      tag: sdk.tag,
      rows: sdk.operations.map(({ id, methods, paths, security }) => ({
        id,
        call: `${methods.join(', ').toUpperCase()} ${paths.join(', ')}`,
        scope: security === 'projectToken' ? 'project token' : '`feature_flag:read`',
      })),
    },
  ]
  requireKnown(sections, differences)
  return `${[
    INTRODUCTION,
    list(differences.everywhere),
    ...sections.flatMap(({ tag, rows }) => [
      `## ${tag}`,
      list(differences.areas[tag] ?? []),
      [HEAD, ...rows.map((row) => rowOf(row, offered, differences, docs))].join('\n'),
    ]),
  ]
    .filter(Boolean)
    .join('\n\n')}\n`
}

/** Who may call an operation. */
function callersOf({ access, scope }: Pick<Operation, 'access' | 'scope'>): string {
  if (access === 'anybody') return 'anybody'
  if (scope === null) return 'session only'
  return scope === 'any' ? 'any key' : `\`${scope}\``
}

const HEAD = '| Operation | Differences from upstream |\n| --- | --- |'

const INTRODUCTION = `<!-- Made by \`npm run openapi\` from the operations and from src/docs/compatibility. -->

# Compatibility

Halyard speaks the API of PostHog, so that its clients and SDKs work unchanged. This page names every operation, and everything that is
known to differ, with the reason behind it in italics. What holds for all operations, or for all of an area, stands above the tables. Where
a row says "none known", whatever a client meets there and does not expect is a fault.

Under an operation stand the scope that a personal API key needs (signed-in people may call all of these within what their membership
allows), and the tool of \`/mcp\` that calls it. Saved queries answer under \`/api/environments/:environment_id/\` as well, exactly as under
\`/api/projects/:project_id/\`. Every path answers with and without its trailing slash.

"Upstream" is the revision that the specification describes. Its newer fields and operations are named where they are known.

## Everywhere`

function rowOf(
  { id, call, scope }: Row,
  offered: ReadonlySet<string>,
  { operations, added }: Differences,
  docs: Docs,
): string {
  const tool = toolNameOf(id, docs)
  const told = [
    ...(added.includes(id) ? ['**Only here.**'] : []),
    ...(operations[id] ?? []).map((difference) => sentence(difference)),
  ]
  const cells = [
    `\`${call}\`<br>${scope}${offered.has(tool) ? `, tool \`${tool}\`` : ''}`,
    told.length > 1 ? told.map((each) => `• ${each}`).join('<br>') : (told[0] ?? 'none known'),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

const sentence = ({ what, why }: Difference) => `${what} *${why}*`

const list = (differences: readonly Difference[]) =>
  differences.map((difference) => `- ${sentence(difference)}`).join('\n')

function requireKnown(
  sections: readonly { tag: string; rows: readonly Row[] }[],
  differences: Differences,
): void {
  const tags = new Set(sections.map(({ tag }) => tag))
  const ids = new Set(sections.flatMap(({ rows }) => rows.map(({ id }) => id)))
  const unknown = [
    ...Object.keys(differences.areas).filter((tag) => !tags.has(tag)),
    ...[...Object.keys(differences.operations), ...differences.added].filter((id) => !ids.has(id)),
  ]
  if (unknown.length > 0) throw new Error(`Differences of what is not there: ${unknown.join(', ')}`)
}
