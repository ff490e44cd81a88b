// How the document groups operations where an area has too many to be looked through: by what they are about.
interface Tag {
  name: string
  description: string
}

/** By area: the paths of a group, and its tag. The first that matches counts; what matches none keeps the area's own. */
const GROUPS: Readonly<Record<string, readonly [paths: RegExp, tag: Tag][]>> = {
  'Saved queries': [
    [
      /^\/api\/environments\//,
      {
        name: 'Saved queries in environments',
        description:
          'The same operations under the path of an environment, which is that of its project: for clients that know no other.',
      },
    ],
    [
      /\/insight_variables\//,
      {
        name: 'Query variables',
        description: 'What stands in queries as `{variables.…}`, with its type and default.',
      },
    ],
  ],
  Accounts: [
    [
      /^\/api\/login\/|\/login_sessions\/|2fa|two_factor/,
      {
        name: 'Signing in',
        description: 'Sessions, the second factor, and the browsers that somebody is signed in with.',
      },
    ],
    [
      /^\/api\/personal_api_keys\//,
      {
        name: 'Personal API keys',
        description:
          'Keys for programs, each with the scopes that it needs. People who are signed in manage them.',
      },
    ],
    [
      /\/integrations\/|^\/complete\/chat-link\//,
      {
        name: 'Chat identity',
        description: 'Workspaces of a chat that projects are connected to, and who users are there.',
      },
    ],
    [
      /^\/api\/users\//,
      { name: 'Users', description: 'What somebody says of themselves, and their devices.' },
    ],
    [
      /^\/api\/organizations\/\{organization_id\}\/projects\/|^\/api\/projects\//,
      { name: 'Projects', description: 'Where flags, saved queries and people belong.' },
    ],
    [
      /^\/api\/(organizations|signup)\//,
      { name: 'Organizations', description: 'Who belongs together, and how somebody joins.' },
    ],
  ],
}

/** The tag of an operation. */
export function tagOf(area: string, path: string): string {
  const group = GROUPS[area]?.find(([paths]) => paths.test(path))
  return group ? group[1].name : area
}

/** The tags of an area, in the order in which they are shown: its own first, where operations are left for it. */
export const tagsOf = (area: Tag, paths: readonly string[]): Tag[] => [
  ...(paths.some((path) => tagOf(area.name, path) === area.name) ? [area] : []),
  ...(GROUPS[area.name] ?? []).map(([, tag]) => tag),
]
