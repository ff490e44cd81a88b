// Shows how to import a project, with the commands for this one, and the project as a file.
import { getRouteApi } from '@tanstack/react-router'
import { Fragment } from 'react'
import { PageHeader } from '../design/page-header'
import { CodeSamples } from '../design/code/code-samples'
import './import.css'
import { ExportCard } from './export-card'
import { FlagFileCard } from './flag-file-card'

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
        ]}
      >
        It needs a clone of Halyard with npm ci done. Without --apply it reads both sides, reports what it
        would do, and changes nothing. The <a href="/docs/guide/moving">guide</a> has all options.
      </CodeSamples>
      <ExportCard projectId={projectId} />
      <FlagFileCard projectId={projectId} />
    </Fragment>
  )
}

/** Returns the command that imports into a project of this service. */
const commandOf = (projectId: number, source: string, hasKey = true): string =>
  [
    ...(hasKey ? ['export IMPORT_KEY=…    # a key of the source'] : []),
    'export HALYARD_KEY=…   # a personal API key of this service',
    `npm run import -- ${source} \\`,
    `  --to-url ${location.origin} --to-project ${projectId}`,
  ].join('\n')
