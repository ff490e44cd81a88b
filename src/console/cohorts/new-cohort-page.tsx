// Creates a cohort by conditions, or from a list.
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Card } from '../design/card'
import { Choices } from '../design/fields/choices'
import { cohortKey } from '../api/cohorts'
import { fieldErrors } from '../api/field-errors'
import { queryClient } from '../api/queries'
import { say } from '../design/popups/toast'
import { attentionWords } from '../edit/save-bars'
import { CreatePage } from '../entity/entity-page'
import { useCreateForm } from '../edit/use-create-form'
import { useNewDraft } from '../edit/use-stored-draft'
import { createCohort, labelOf, refreshCohorts } from './change-cohorts'
import { Conditions, DetailFields } from './definition'
import { changedFields, type Draft, issuesOf, SHOWN_FIELDS } from './draft'
import { csvOfMembers, unknownWords, NO_MEMBERS } from './member-list'
import { MemberFields } from './member-fields'
import { emptyCondition, filtersOf } from './tree'
import { pagesOf } from '../shell/pages'
import { toCohort } from '../shell/item-pages'

const route = getRouteApi('/project/$projectId/cohorts/new')

const EMPTY: Draft = { name: '', description: '', tree: { type: 'AND', values: [emptyCondition()] } }

const NOTHING = { draft: EMPTY, list: NO_MEMBERS }

/** What the API says about the list. */
const LIST_FIELDS = ['csv', '_create_static_person_ids'] as const

export function NewCohortPage() {
  const { projectId } = route.useParams()
  const { kind = 'dynamic' } = route.useSearch()
  const navigate = useNavigate()
  const {
    draft: { draft, list },
    setDraft: setEntered,
  } = useNewDraft(`new cohort ${projectId}`, NOTHING)
  const isStatic = kind === 'static'
  const issues = issuesOf(draft, isStatic)
  const create = useMutation({
    mutationFn: () => {
      const { name, description, tree } = draft
      const csv = csvOfMembers(list)
      return createCohort(projectId, {
        name,
        description,
        is_static: isStatic,
        ...(!isStatic
          ? { filters: filtersOf(tree) }
          : csv === null
            ? { _create_static_person_ids: [] }
            : { csv }),
      })
    },
    onSuccess(cohort) {
      queryClient.setQueryData(cohortKey(projectId, cohort.id), cohort)
      void refreshCohorts(projectId)
      const added = cohort.count ?? 0
      say(
        isStatic
          ? `${labelOf(cohort)} created with ${added.toLocaleString('en')} ${added === 1 ? 'person' : 'people'}.${unknownWords(cohort.unknown_ids)}`
          : `${labelOf(cohort)} created.`,
      )
    },
  })
  const isChanged = changedFields(EMPTY, draft).length > 0 || csvOfMembers(list) !== null
  const form = useCreateForm({
    isChanged,
    hasIssues: issues.size > 0,
    create,
    onCreated: ({ id }) =>
      void navigate({
        ...toCohort(projectId, id),
        search: isStatic ? { tab: 'members' } : {},
        ignoreBlocker: true,
      }),
    input: [draft, list],
  })
  const { errorOf } = fieldErrors(create.error, [...SHOWN_FIELDS, ...LIST_FIELDS])
  return (
    <CreatePage
      noun="cohort"
      list={{ ...pagesOf(projectId).cohorts, label: 'Cohorts' }}
      title="New cohort"
      form={form}
      issue={attentionWords(issues.size)}
      hint="Flags and queries can use it as soon as it is created."
    >
      <Card title="General">
        <DetailFields
          draft={draft}
          onChange={(next) => setEntered((before) => ({ ...before, draft: next }))}
          issue={form.areIssuesShown ? issues.get('name') : undefined}
          refused={errorOf}
          autoFocus
        />
        <Choices
          legend="Kind"
          value={kind}
          options={KINDS}
          onChange={(next) =>
            void navigate({
              ...pagesOf(projectId).newCohort,
              search: next === 'static' ? { kind: next } : {},
              replace: true,
            })
          }
        />
      </Card>
      {isStatic ? (
        <Card title="Who is in it">
          <MemberFields
            list={list}
            onChange={(next) => setEntered((before) => ({ ...before, list: next }))}
            error={errorOf('csv') ?? errorOf('_create_static_person_ids')}
          />
        </Card>
      ) : (
        <Conditions
          projectId={projectId}
          draft={draft}
          onChange={(next) => setEntered((before) => ({ ...before, draft: next }))}
          issues={form.areIssuesShown ? issues : NO_ISSUES}
          refused={errorOf}
        />
      )}
    </CreatePage>
  )
}

const NO_ISSUES: ReadonlyMap<string, string> = new Map()

const KINDS = [
  ['dynamic', 'By conditions', 'Everyone who meets the conditions, from that moment on.'],
  ['static', 'Static', 'A list of people, which changes when you change it.'],
] as const
