// Shows the commands that import a project, export it, and keep its flags as a file says.
import { getRouteApi } from '@tanstack/react-router'
import { Fragment } from 'react'
import { PageHeader } from '../design/page-header'
import { CodeSamples } from '../design/code/code-samples'

const route = getRouteApi('/project/$projectId/settings/import')

export function ImportPage() {
  const { projectId } = route.useParams()
  return (
    <Fragment key={projectId}>
      <PageHeader
        title="Import"
        note="A command moves a project here: flags, cohorts, saved queries, dashboards, settings and all else that has no history. The source is only read."
      />
      <CodeSamples
        samples={[
          {
            name: 'PostHog',
            code: commandOf(projectId, '--from posthog --url https://eu.posthog.com --project 12345'),
          },
          {
            name: 'Halyard',
            code: commandOf(projectId, '--from halyard --url https://flags.example.com --project 1'),
          },
          { name: 'Unleash', code: commandOf(projectId, '--from unleash --url https://unleash.example.com') },
          { name: 'File', code: commandOf(projectId, '--from file project.jsonl', false) },
          { name: 'Export', code: ofProject(projectId, 'export -- project.jsonl') },
          { name: 'Compare flags', code: ofProject(projectId, 'flags -- plan --file halyard.json') },
          { name: 'Apply flags', code: ofProject(projectId, 'flags -- apply --file halyard.json') },
          { name: 'Download flags', code: ofProject(projectId, 'flags -- pull --file halyard.json') },
        ]}
      >
        The commands need a clone of Halyard with npm ci done. An import without --apply reads both sides,
        reports what it would do, and changes nothing. The guides of <a href="/docs/guide/moving">moving</a>{' '}
        and of <a href="/docs/guide/automation">files of flags</a> have all options.
      </CodeSamples>
    </Fragment>
  )
}

/** Returns a command on a project of this service. */
const ofProject = (projectId: number, command: string): string =>
  [
    'export HALYARD_KEY=…   # a personal API key of this service',
    `npm run ${command} \\`,
    `  --url ${location.origin} --project ${projectId}`,
  ].join('\n')

/** Returns the command that imports into a project of this service. */
const commandOf = (projectId: number, source: string, hasKey = true): string =>
  [
    ...(hasKey ? ['export IMPORT_KEY=…    # a key of the source'] : []),
    'export HALYARD_KEY=…   # a personal API key of this service',
    `npm run import -- ${source} \\`,
    `  --to-url ${location.origin} --to-project ${projectId}`,
  ].join('\n')
