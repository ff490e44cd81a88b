// The compatibility guide: every operation, with what is known to differ from the upstream service. Written to guide/compatibility.md by
// `npm run openapi`.
import { toolNameOf } from '../../mcp/names'
import type { Tool } from '../../mcp/tool'
import type { Area, SdkArea } from '../openapi'
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
): string {
  const offered = new Set(tools.map(({ describes }) => describes.name))
  const sections = [
    ...areas.map(({ tag, operations }) => ({
      tag,
      rows: operations
        .filter(({ id }) => !id.startsWith('environments_'))
        .map(({ id, method, path, scope, access }) => ({
          id,
          call: `${method.toUpperCase()} ${path}`,
          scope: access === 'anybody' ? 'anybody' : scope === null ? 'session' : `\`${scope}\``,
        })),
    })),
    {
      tag: sdk.tag,
      rows: sdk.operations.map(({ id, methods, paths, security }) => ({
        id,
        call: `${methods.join(', ').toUpperCase()} ${paths.join(', ')}`,
        scope: security === 'projectToken' ? 'project token' : 'key',
      })),
    },
  ]
  requireKnown(sections, differences)
  return [
    INTRODUCTION,
    list(differences.everywhere),
    ...sections.map(({ tag, rows }) =>
      [
        `## ${tag}`,
        list(differences.areas[tag] ?? []),
        '| Operation | Takes | Tool | Differences from upstream |',
        '| --- | --- | --- | --- |',
        ...rows.map((row) => rowOf(row, offered, differences)),
      ]
        .filter(Boolean)
        .join('\n'),
    ),
  ].join('\n\n')
}

const INTRODUCTION = `<!-- Made by \`npm run openapi\` from the operations and from src/docs/compatibility. -->

# Compatibility

Halyard speaks the API of PostHog, so that its clients and SDKs work unchanged. This page names every operation, and everything that is
known to differ, with the reason. Where a row says nothing, nothing is known: whatever a client meets there and does not expect is a fault.
Saved queries answer under \`/api/environments/:environment_id/\` as well, exactly as under \`/api/projects/:project_id/\`. Every path answers
with and without its trailing slash. "Takes" is the scope that a personal API key needs; signed-in people may call all of these within what
their membership allows.

## Everywhere`

function rowOf(
  { id, call, scope }: Row,
  offered: ReadonlySet<string>,
  { operations, added }: Differences,
): string {
  const tool = toolNameOf(id)
  const told = (operations[id] ?? []).map(sentence)
  const cells = [
    `\`${call}\``,
    scope,
    offered.has(tool) ? `\`${tool}\`` : '',
    [...(added.includes(id) ? ['**Only here.**'] : []), ...told].join('<br>'),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

const sentence = ({ what, why }: Difference) => `${what} *${why}*`

const list = (differences: readonly Difference[]) =>
  differences.map((difference) => `- ${sentence(difference)}`).join('\n') +
  (differences.length > 0 ? '\n' : '')

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
