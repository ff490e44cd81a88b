// Tags that split large areas in the OpenAPI document.
interface Tag {
  name: string
  description: string
}

/** By area. The first matching path decides; operations without a match have the tag of their area. */
const GROUPS: Readonly<Record<string, readonly [paths: RegExp, tag: Tag][]>> = {
  'Saved queries': [
    [
      /^\/api\/environments\//,
      {
        name: 'Saved queries in environments',
        description: 'The same operations under `/api/environments/`, for clients that use these paths.',
      },
    ],
    [/\/actions\//, { name: 'Actions', description: 'Named conditions on events, for queries.' }],
    [
      /\/insight_variables\//,
      {
        name: 'Query variables',
        description: 'Variables of queries (`{variables.…}`), with type and default.',
      },
    ],
  ],
  Accounts: [
    [
      /^\/api\/login\/|\/login_sessions\/|2fa|two_factor/,
      {
        name: 'Signing in',
        description: 'Sessions, and the second factor.',
      },
    ],
    [
      /^\/api\/personal_api_keys\//,
      {
        name: 'Personal API keys',
        description: 'API keys with scopes. Only signed-in users manage them.',
      },
    ],
    [
      /\/integrations\/|^\/complete\/chat-link\//,
      {
        name: 'Chat identity',
        description: 'Chat workspaces of projects, and the identity of users there.',
      },
    ],
    [/^\/api\/users\//, { name: 'Users', description: 'Profiles, settings and devices.' }],
    [
      /^\/api\/organizations\/\{organization_id\}\/projects\/|^\/api\/(projects|environments)\//,
      { name: 'Projects', description: 'Projects own flags, saved queries and people.' },
    ],
    [
      /^\/api\/(organizations|signup)\//,
      { name: 'Organizations', description: 'Organizations, members and invites.' },
    ],
  ],
}

/** The tag of an operation. */
export function tagOf(area: string, path: string): string {
  const group = GROUPS[area]?.find(([paths]) => paths.test(path))
  return group ? group[1].name : area
}

/** The tags of an area in their order: its own first, if operations have it. */
export const tagsOf = (area: Tag, paths: readonly string[]): Tag[] => [
  ...(paths.some((path) => tagOf(area.name, path) === area.name) ? [area] : []),
  ...(GROUPS[area.name] ?? []).map(([, tag]) => tag),
]
