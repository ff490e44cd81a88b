// Shows a cohort: its conditions, its members, what uses it, and its history.
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Card } from '../design/card'
import { type Cohort, cohortKey, cohortQuery, sizeQuery } from '../api/cohorts'
import { Problem } from '../api/problem'
import { queryClient } from '../api/queries'
import { ProblemNotice } from '../design/feedback'
import { Badge, Created, Time } from '../design/small'
import { say } from '../design/popups/toast'
import { useDraft } from '../edit/use-draft'
import '../flag/flag.css'
import { deleteCohort, labelOf, refreshCohorts, updateCohort } from './change-cohorts'
import { KindBadge, sizeWords } from './cohort-columns'
import { Conditions, DetailFields } from './definition'
import { bodyOf, changedFields, type Draft, draftOf, issuesOf } from './draft'
import { lazyComponent } from '../design/lazy-component'
import { EntityPage, Loaded } from '../entity/entity-page'
import { WriterFields } from '../team/writers'
import { pagesOf } from '../shell/pages'

const Members = lazyComponent(() => import('./members-tab'))
const Uses = lazyComponent(() => import('./uses-tab'))
const History = lazyComponent(() => import('./history-tab'))

const route = getRouteApi('/project/$projectId/cohorts/$cohortId')

export function CohortPage() {
  const { projectId, cohortId } = route.useParams()
  return (
    <Loaded query={useQuery(cohortQuery(projectId, cohortId))} noun="cohort">
      {(cohort) => <Page key={cohort.id} projectId={projectId} cohort={cohort} />}
    </Loaded>
  )
}

const RULES = {
  draftOf,
  changedFields,
  hasMoved: (loaded: Cohort, base: Cohort) => changedFields(draftOf(base), draftOf(loaded)).length > 0,
}

function Page({ projectId, cohort }: { projectId: number; cohort: Cohort }) {
  const { tab } = route.useSearch()
  const navigate = useNavigate()
  const edit = useDraft<Cohort, Draft>(cohort, { name: `cohort ${cohort.id}`, ...RULES })
  const [isTried, setIsTried] = useState(false)
  const isStatic = cohort.is_static
  const issues = issuesOf(edit.draft, isStatic)
  const save = useMutation({
    mutationFn: () => updateCohort(projectId, cohort.id, bodyOf(draftOf(edit.base), edit.draft)),
    onSuccess(saved) {
      const before = bodyOf(draftOf(saved), draftOf(edit.base))
      queryClient.setQueryData(cohortKey(projectId, saved.id), saved)
      edit.reset(saved)
      setIsTried(false)
      void refreshCohorts(projectId)
      say(`${labelOf(saved)} saved.`, () => {
        void updateCohort(projectId, saved.id, before).then(
          (undone) => {
            queryClient.setQueryData(cohortKey(projectId, undone.id), undone)
            void refreshCohorts(projectId)
            say(`${labelOf(undone)} is as it was before.`)
          },
          (error: unknown) => say(error instanceof Error ? error.message : String(error)),
        )
      })
    },
  })
  const submit = () => {
    setIsTried(true)
    if (issues.size === 0) save.mutate()
    else requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  const refusal = save.error instanceof Problem ? save.error : null
  const isElsewhere =
    save.isError && !['name', 'description', 'filters', 'groups'].includes(refusal?.attr ?? '')
  const list = pagesOf(projectId).cohorts
  const remove = async () => {
    if (await deleteCohort(projectId, cohort)) await navigate({ ...list, ignoreBlocker: true })
  }
  return (
    <EntityPage
      noun="cohort"
      list={{ ...list, label: 'Cohorts' }}
      title={labelOf(cohort)}
      marks={
        <>
          <KindBadge cohort={cohort} />
          {cohort.is_calculating && <Badge tone="warn">Being filled</Badge>}
        </>
      }
      note={
        <>
          <Size projectId={projectId} cohort={cohort} /> · created <Created {...cohort} />
        </>
      }
      remove={{ label: 'Delete', run: () => void remove() }}
      tab={tab}
      tabs={[
        [
          'definition',
          'Definition',
          () => (
            <WriterFields>
              {isElsewhere && <ProblemNotice error={save.error} />}
              <Card title="General">
                <DetailFields
                  draft={edit.draft}
                  onChange={edit.setDraft}
                  issue={isTried ? issues.get('name') : undefined}
                  refusal={refusal}
                />
              </Card>
              {!isStatic && (
                <Conditions
                  projectId={projectId}
                  draft={edit.draft}
                  onChange={edit.setDraft}
                  issues={isTried ? issues : NO_ISSUES}
                  refusal={refusal}
                />
              )}
            </WriterFields>
          ),
        ],
        ['members', 'Members', () => <Members projectId={projectId} cohort={cohort} />],
        ['uses', 'Used by', () => <Uses projectId={projectId} cohort={cohort} />],
        ['history', 'History', () => <History projectId={projectId} cohort={cohort} />],
      ]}
      edit={{
        ...edit,
        tab: 'definition',
        words: edit.changed.includes('tree')
          ? 'The conditions are changed: flags use them as soon as you save.'
          : 'The name or description is changed.',
        issue: isTried && issues.size > 0 ? 'Complete the fields first.' : null,
        isBusy: save.isPending,
        onSave: submit,
        onDiscard() {
          edit.reset(cohort)
          save.reset()
          setIsTried(false)
        },
      }}
    />
  )
}

const NO_ISSUES: ReadonlyMap<string, string> = new Map()

function Size({ projectId, cohort }: { projectId: number; cohort: Cohort }) {
  const isCounted = !cohort.is_static
  const size = useQuery({ ...sizeQuery(projectId, cohort.id), enabled: isCounted })
  if (!isCounted)
    return (
      <>
        {(cohort.count ?? 0).toLocaleString('en')} {cohort.count === 1 ? 'person' : 'people'}
        {cohort.last_calculation && (
          <>
            , calculated <Time at={cohort.last_calculation} />
          </>
        )}
      </>
    )
  if (size.isError) return <>not counted: {size.error.message}</>
  if (!size.data) return <>counting…</>
  return (
    <>
      {sizeWords(size.data.affected, size.data.total)} of {size.data.total.toLocaleString('en')} people,
      calculated <Time at={new Date(size.dataUpdatedAt).toISOString()} />
    </>
  )
}
