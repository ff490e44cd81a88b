// Creating a flag, from nothing or as a copy of another one.
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { PageHeader } from '../design/page-header'
import { client, dataOf } from '../api/client'
import { Problem } from '../api/problem'
import { Button } from '../design/button'
import { Loading, ProblemNotice } from '../design/feedback'
import { say } from '../design/popups/toast'
import { Crumb } from '../design/crumb'
import { attentionWords, CreateBar } from '../edit/save-bars'
import { useCreateForm } from '../edit/use-create-form'
import { refreshFlags, showFlag } from '../flags/change-flags'
import { changedFields, type Draft, draftOf, issuesOf, newDraft } from './draft'
import { FlagForm } from './flag-form'
import { flagQuery } from '../api/queries'

const route = getRouteApi('/project/$projectId/feature_flags/new')

export function NewFlagPage() {
  const { projectId } = route.useParams()
  const { from } = route.useSearch()
  const original = useQuery({ ...flagQuery(projectId, from ?? 0), enabled: from !== undefined })
  if (from === undefined) return <Form projectId={projectId} initial={newDraft()} />
  if (original.isPending) return <Loading />
  if (!original.data) return <ProblemNotice error={original.error} onRetry={() => void original.refetch()} />
  const copy = { ...draftOf(original.data), key: `${original.data.key}-copy` }
  return <Form projectId={projectId} initial={copy} copyOf={original.data.key} />
}

function Form({ projectId, initial, copyOf }: { projectId: number; initial: Draft; copyOf?: string }) {
  const navigate = useNavigate()
  const [base] = useState(initial)
  const [draft, setDraft] = useState(initial)
  const issues = issuesOf(draft)
  const create = useMutation({
    mutationFn: () =>
      dataOf(
        client.POST('/api/projects/{project_id}/feature_flags/', {
          params: { path: { project_id: String(projectId) } },
          body: draft,
        }),
      ),
    async onSuccess(flag) {
      showFlag(projectId, flag)
      void refreshFlags(projectId)
      say(`${flag.key} created.`)
      await navigate({
        to: '/project/$projectId/feature_flags/$flagId',
        params: { projectId, flagId: flag.id },
        search: {},
        ignoreBlocker: true,
      })
    },
  })
  const isChanged = changedFields(base, draft).length > 0
  const {
    areIssuesShown,
    blocker,
    submit,
    refusal: said,
  } = useCreateForm({
    isChanged,
    hasIssues: issues.size > 0,
    create,
    input: [draft],
  })
  const refusal = create.error instanceof Problem && create.error.attr !== null ? create.error : null

  return (
    <>
      <Crumb to="/project/$projectId/feature_flags" params={{ projectId }} search={{}}>
        Feature flags
      </Crumb>
      <PageHeader
        title={copyOf ? `Copy of ${copyOf}` : 'New flag'}
        note="A new flag starts at 0%: give it a share, or conditions."
      />
      <FlagForm
        projectId={projectId}
        draft={draft}
        onChange={setDraft}
        issues={issues}
        areIssuesShown={areIssuesShown}
        refusal={refusal}
      />
      <CreateBar
        what="flag"
        issue={said ?? (areIssuesShown ? attentionWords(issues.size) : null)}
        hint={
          draft.active
            ? 'The flag is enabled as soon as it is created.'
            : 'The flag is disabled until you enable it.'
        }
        cancel={
          refusal?.attr === 'active' ? (
            <Button onClick={() => setDraft({ ...draft, active: false })}>Start disabled</Button>
          ) : (
            <Link
              className="button"
              to="/project/$projectId/feature_flags"
              params={{ projectId }}
              search={{}}
            >
              Cancel
            </Link>
          )
        }
        isBusy={create.isPending}
        blocker={blocker}
        onCreate={submit}
      />
    </>
  )
}
