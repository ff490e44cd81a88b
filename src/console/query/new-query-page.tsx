// Creates a query, from an example or as a copy of another one.
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { post } from '../api/client'
import { Card } from '../design/card'
import { fieldErrors } from '../api/field-errors'
import { Problem } from '../api/problem'
import { inProject } from '../api/queries'
import { Loading } from '../design/feedback'
import { TextField } from '../design/fields/field'
import { Choices } from '../design/fields/choices'
import { say } from '../design/popups/toast'
import { CreatePage, Loaded } from '../entity/entity-page'
import { useCreateForm } from '../edit/use-create-form'
import { useNewDraft } from '../edit/use-stored-draft'
import '../flag/flag.css'
import { refreshQueries, showQuery } from '../queries/change-queries'
import { kindName } from '../queries/query-badges'
import { type Kind, KINDS } from './kinds'
import {
  type Draft,
  type QueryKind,
  draftOf,
  issueOf,
  queryOf,
  SHOWN_FIELDS,
  templatesOf,
  type Values,
} from './draft'
import { SettingsCard } from './settings-card'
import { Workbench } from './workbench'
import { endpointQuery, eventNamesQuery } from '../api/saved-queries'
import { Writers } from '../team/writers'
import { pagesOf } from '../shell/pages'
import { toQuery } from '../shell/item-pages'

const route = getRouteApi('/project/$projectId/endpoints/new')

export function NewQueryPage() {
  const { projectId } = route.useParams()
  const { from, kind = 'HogQLQuery' } = route.useSearch()
  const original = useQuery({ ...endpointQuery(projectId, from ?? ''), enabled: from !== undefined })
  const names = useQuery(eventNamesQuery(projectId, ''))
  // A failure, or no network, leaves the usual events.
  if (names.isFetching && !names.data) return <Loading label="Loading the events" />
  const templates = templatesOf((names.data?.results ?? []).map(({ name }) => name))
  if (from === undefined)
    return <Form projectId={projectId} templates={templates} initial={newDraft(kind, templates)} />
  return (
    <Loaded query={original} noun="query">
      {(query) => (
        <Form
          projectId={projectId}
          templates={templates}
          initial={draftOf(query)}
          initialName={`${from}-copy`}
          stored={query.query}
        />
      )}
    </Loaded>
  )
}

type Templates = ReturnType<typeof templatesOf>

const newDraft = (kind: Kind, templates: Templates): Draft => ({
  kind,
  text: templates[kind],
  description: '',
  data_freshness_seconds: 86_400,
  tags: [],
})

const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,127}$/

interface FormProps {
  projectId: number
  templates: Templates
  initial: Draft
  initialName?: string
  stored?: Record<string, unknown>
}

function Form({ projectId, templates, initial, initialName = '', stored }: FormProps) {
  const navigate = useNavigate()
  const { kind: initialKind, text: initialText, ...initialSettings } = initial
  const {
    draft: entered,
    setDraft: setEntered,
    isChanged,
  } = useNewDraft(`new query ${projectId} ${initialName}`, {
    kind: initialKind,
    // Each kind has its own text: that of one is no query of another.
    texts: { ...templates, [initialKind]: initialText } as Record<QueryKind, string>,
    settings: initialSettings,
    name: initialName,
  })
  const { name, settings } = entered
  const draft: Draft = { ...settings, kind: entered.kind, text: entered.texts[entered.kind] }
  const [values, setValues] = useState<Values>({})
  const nameIssue =
    name === ''
      ? 'A name is needed.'
      : NAME.test(name)
        ? null
        : 'Begin with a letter; then letters, digits, - and _, at most 128.'
  const create = useMutation({
    mutationFn: () =>
      post(
        '/api/projects/{project_id}/endpoints/',
        { path: inProject(projectId) },
        { name, query: queryOf(draft, stored), ...settings },
      ),
    onSuccess(query) {
      showQuery(projectId, query)
      void refreshQueries(projectId)
      say(`${query.name} created.`)
    },
  })
  const issue = issueOf(draft)
  const form = useCreateForm({
    isChanged,
    hasIssues: nameIssue !== null || issue !== null,
    create,
    onCreated: (query) => void navigate({ ...toQuery(projectId, query.name), ignoreBlocker: true }),
    input: [entered],
  })
  const refusal = create.error instanceof Problem ? create.error : null
  const { errorOf } = fieldErrors(create.error, SHOWN_FIELDS)
  const parseError = refusal?.code === 'parse_error' ? refusal.message : null

  return (
    <CreatePage
      noun="query"
      list={{ ...pagesOf(projectId).queries, label: 'Saved queries' }}
      title={stored ? 'Copy of a query' : 'New query'}
      note="Try it here; save it to give programs an address for it."
      form={form}
      issue={nameIssue ?? issue}
      hint="Programs can run it as soon as it is created."
      viewerWords="You can run it here. Viewers cannot save it."
    >
      <Card title="Basics">
        <Writers>
          <TextField
            label="Name"
            hint="Part of the address. It cannot be changed later."
            error={
              (form.areIssuesShown ? nameIssue : null) ??
              (refusal?.attr === 'name' ? refusal.message : undefined)
            }
            className="mono"
            value={name}
            autoFocus
            spellCheck={false}
            placeholder="events-by-day"
            onChange={(typed) => setEntered((before) => ({ ...before, name: typed.replaceAll(' ', '-') }))}
          />
        </Writers>
        <Choices
          legend="Kind"
          value={draft.kind as Kind}
          options={KINDS.map((kind) => [kind, kindName(kind), KIND_HINTS[kind]] as const)}
          onChange={(chosen) => setEntered((before) => ({ ...before, kind: chosen }))}
        />
      </Card>
      <Workbench
        key={draft.kind}
        projectId={projectId}
        draft={draft}
        onText={(text) =>
          setEntered((before) => ({ ...before, texts: { ...before.texts, [before.kind]: text } }))
        }
        stored={stored}
        name={name}
        entered={values}
        onEntered={setValues}
        refusal={errorOf('query') ?? parseError ?? (form.areIssuesShown ? issue : null)}
      />
      <Writers>
        <SettingsCard
          draft={draft}
          onChange={(change) =>
            setEntered((before) => ({ ...before, settings: { ...before.settings, ...change } }))
          }
          refused={errorOf}
        />
      </Writers>
    </CreatePage>
  )
}

const KIND_HINTS: Readonly<Record<Kind, string>> = {
  HogQLQuery: 'Any table that SQL can make of your events.',
  TrendsQuery: 'How often events happen over time.',
  FunnelsQuery: 'How many people take each step.',
  RetentionQuery: 'Who comes back, period by period.',
  LifecycleQuery: 'Who is new, returning or gone.',
}
