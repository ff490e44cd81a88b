// Saves an edit of a query, and shows what it changes before.
import { useQuery } from '@tanstack/react-query'
import type { Endpoint } from '../api/client'
import { queryClient } from '../api/queries'
import { checkQuery, endpointQuery } from '../api/saved-queries'
import { Notice } from '../design/feedback'
import { say, sayProblem } from '../design/popups/toast'
import { SaveDialog } from '../edit/save-dialog'
import { pick } from '../edit/changed-fields'
import { expectUnchanged } from '../edit/overtaken'
import type { Edit } from '../edit/use-edit'
import { refreshQueries, showQuery, updateQuery } from '../queries/change-queries'
import { changedFields, type Draft, draftOf, queryOf } from './draft'
import { QueryDifference } from './query-difference'

/**
 * Saves a draft of `base`.
 * @throws Overtaken when another user saved since
 */
export async function writeQuery(projectId: number, base: Endpoint, draft: Draft): Promise<Endpoint> {
  const before = draftOf(base)
  const read = () => queryClient.fetchQuery({ ...endpointQuery(projectId, base.name), staleTime: 0 })
  await expectUnchanged(before, read, draftOf)
  const changed = changedFields(before, draft)
  const isNewVersion = changed.includes('text')
  const { kind: _k, text: _t, ...settings } = pick(draft, changed)
  const query = await updateQuery(projectId, base.name, {
    ...settings,
    ...(isNewVersion ? { query: queryOf(draft, base.query) } : {}),
  })
  const { materialization_error: error } = query as Endpoint & { materialization_error?: string }
  showQuery(projectId, query)
  void refreshQueries(projectId)
  say(isNewVersion ? `${query.name} saved as version ${query.current_version}.` : `${query.name} saved.`)
  if (error) sayProblem(`Version ${query.current_version} is not materialized: ${error}`)
  return query
}

export function SaveQuery({ projectId, edit }: { projectId: number; edit: Edit<Endpoint, Draft> }) {
  const { base, draft, changed } = edit
  const isNewVersion = changed.includes('text')
  const check = useQuery({
    ...checkQuery(projectId, draft.text, null),
    enabled: edit.isReviewed && isNewVersion && draft.kind === 'HogQLQuery',
  })
  const warnings = check.data?.query === draft.text ? check.data.warnings : []
  return (
    <SaveDialog
      noun="query"
      edit={edit}
      title={isNewVersion ? `Save as version ${base.current_version + 1}` : 'Save changes'}
      isWide={isNewVersion}
      differences={(before, after) => <QueryDifference before={before} after={after} />}
      headingOf={(current) => `Version ${current.current_version} has`}
    >
      {warnings.map(({ start, message }) => (
        <Notice key={`${start} ${message}`} tone="warn">
          {message}
        </Notice>
      ))}
      {isNewVersion && (
        <Notice>
          Programs that name no version get the new one at once.
          {base.materialization.enabled && ' It is materialized like this one, if its query allows it.'}
        </Notice>
      )}
    </SaveDialog>
  )
}
