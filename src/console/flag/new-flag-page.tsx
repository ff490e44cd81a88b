// Creates a flag, from nothing or as a copy of another one.
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { post } from '../api/client'
import { fieldErrors } from '../api/field-errors'
import { Problem } from '../api/problem'
import { Button } from '../design/button'
import { say } from '../design/popups/toast'
import { attentionWords } from '../edit/save-bars'
import { CreatePage, Loaded } from '../entity/entity-page'
import { useCreateForm } from '../edit/use-create-form'
import { useNewDraft } from '../edit/use-stored-draft'
import { refreshFlags, showFlag } from '../flags/change-flags'
import { type Draft, draftOf, issuesOf, newDraft, SHOWN_FIELDS } from './draft'
import { FlagForm } from './flag-form'
import { decidingSets } from '../grammar/sets'
import { flagSentence } from '../grammar/flag-sentence'
import { useWording } from '../grammar/use-wording'
import { flagQuery, inProject } from '../api/queries'
import { pagesOf, toFlag } from '../shell/pages'

const route = getRouteApi('/project/$projectId/feature_flags/new')

export function NewFlagPage() {
  const { projectId } = route.useParams()
  const { from } = route.useSearch()
  const original = useQuery({ ...flagQuery(projectId, from ?? 0), enabled: from !== undefined })
  if (from === undefined) return <Form projectId={projectId} initial={newDraft()} />
  return (
    <Loaded query={original} noun="flag">
      {(flag) => (
        <Form
          projectId={projectId}
          // Enabled, it would be released to the same people as soon as it is created.
          initial={{ ...draftOf(flag), key: `${flag.key}-copy`, active: false }}
          copyOf={flag.key}
        />
      )}
    </Loaded>
  )
}

function Form({ projectId, initial, copyOf }: { projectId: number; initial: Draft; copyOf?: string }) {
  const navigate = useNavigate()
  const { draft, setDraft, isChanged } = useNewDraft(`new flag ${projectId} ${copyOf ?? ''}`, initial)
  const issues = issuesOf(draft)
  const sets = decidingSets(draft.filters)
  const wording = useWording(projectId, sets)
  const create = useMutation({
    mutationFn: () =>
      post('/api/projects/{project_id}/feature_flags/', { path: inProject(projectId) }, draft),
    onSuccess(flag) {
      showFlag(projectId, flag)
      void refreshFlags(projectId)
      say(`${flag.key} created.`)
    },
  })
  const form = useCreateForm({
    isChanged,
    hasIssues: issues.size > 0,
    create,
    onCreated: ({ id }) => void navigate({ ...toFlag(projectId, id), ignoreBlocker: true }),
    input: [draft],
  })
  const { errorOf } = fieldErrors(create.error, SHOWN_FIELDS)

  return (
    <CreatePage
      noun="flag"
      list={{ ...pagesOf(projectId).flags, label: 'Feature flags' }}
      title={copyOf ? `Copy of ${copyOf}` : 'New flag'}
      note={
        copyOf
          ? `It has the values and conditions of ${copyOf}.`
          : sets.length === 0
            ? 'No one gets it yet: give a condition set a share.'
            : flagSentence({ ...draft, archived: false, deleted: false }, wording)
      }
      form={form}
      issue={attentionWords(issues.size)}
      hint={
        draft.active
          ? 'The flag is enabled as soon as it is created.'
          : 'The flag is disabled until you enable it.'
      }
      cancel={
        create.error instanceof Problem &&
        create.error.attr === 'active' && (
          <Button onClick={() => setDraft({ ...draft, active: false })}>Start disabled</Button>
        )
      }
    >
      <FlagForm
        projectId={projectId}
        draft={draft}
        onChange={setDraft}
        issues={issues}
        areIssuesShown={form.areIssuesShown}
        refused={errorOf}
      />
    </CreatePage>
  )
}
