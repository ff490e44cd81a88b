// A cohort: its conditions, its members, what uses it, and its history.
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { PageHeader } from '../design/page-header'
import { Card } from '../design/card'
import { type Cohort, cohortKey, cohortQuery, sizeQuery } from '../api/cohorts'
import { Problem } from '../api/problem'
import { queryClient } from '../api/queries'
import { Button } from '../design/button'
import { PageLoading, PageProblem, ProblemNotice } from '../design/feedback'
import { usePageName } from '../design/page-title'
import { Badge, nameOf, Time } from '../design/small'
import { Tabs } from '../design/tabs'
import { LeaveDialog } from '../edit/leave-dialog'
import { ChangesBar } from '../edit/save-bars'
import { say } from '../design/popups/toast'
import { useDraft } from '../edit/use-draft'
import { Crumb } from '../design/crumb'
import '../flag/flag.css'
import type { CohortTab } from '../router'
import { deleteCohort, labelOf, refreshCohorts, updateCohort } from './change-cohorts'
import { KindBadge, sizeWords } from './cohort-columns'
import { Conditions, DetailFields } from './definition'
import { bodyOf, changedFields, type Draft, draftOf, issuesOf } from './draft'
import { lazyPart } from '../design/lazy-part'
import { useSaveKey, WriterFields, Writers } from '../team/writers'

const Members = lazyPart(() => import('./members-tab'))
const Uses = lazyPart(() => import('./uses-tab'))
const History = lazyPart(() => import('./history-tab'))

const route = getRouteApi('/project/$projectId/cohorts/$cohortId')

export function CohortPage() {
  const { projectId, cohortId } = route.useParams()
  const query = useQuery(cohortQuery(projectId, cohortId))
  if (query.isPending) return <PageLoading label="Loading the cohort" />
  if (!query.data) return <PageProblem error={query.error} onRetry={() => void query.refetch()} />
  return <Loaded key={query.data.id} projectId={projectId} cohort={query.data} />
}

const RULES = {
  draftOf,
  changedFields,
  hasMoved: (loaded: Cohort, base: Cohort) => changedFields(draftOf(base), draftOf(loaded)).length > 0,
}

function Loaded({ projectId, cohort }: { projectId: number; cohort: Cohort }) {
  usePageName(labelOf(cohort))
  const { tab = 'definition' } = route.useSearch()
  const navigate = useNavigate()
  const edit = useDraft<Cohort, Draft>(cohort, { name: `cohort ${cohort.id}`, ...RULES })
  const [isTried, setIsTried] = useState(false)
  const [isDeleting, setIsDeleting] = useState(false)
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
  useSaveKey(() => edit.isChanged && tab === 'definition' && submit())
  const refusal = save.error instanceof Problem ? save.error : null
  const isElsewhere =
    save.isError && !['name', 'description', 'filters', 'groups'].includes(refusal?.attr ?? '')
  const remove = async () => {
    setIsDeleting(true)
    const isDeleted = await deleteCohort(projectId, cohort)
    setIsDeleting(false)
    if (!isDeleted) return
    await navigate({
      to: '/project/$projectId/cohorts',
      params: { projectId },
      search: {},
      ignoreBlocker: true,
    })
  }
  return (
    <>
      <Crumb to="/project/$projectId/cohorts" params={{ projectId }} search={{}}>
        Cohorts
      </Crumb>
      <PageHeader
        title={labelOf(cohort)}
        marks={
          <>
            <KindBadge cohort={cohort} />
            {cohort.is_calculating && <Badge tone="warn">Being filled</Badge>}
          </>
        }
        note={
          <>
            <Size projectId={projectId} cohort={cohort} /> · created <Time at={cohort.created_at} />
            {cohort.created_by && <> by {nameOf(cohort.created_by)}</>}
          </>
        }
      >
        <Writers>
          <Button kind="danger" isBusy={isDeleting} onClick={() => void remove()}>
            <Trash2 size={15} aria-hidden /> Delete
          </Button>
        </Writers>
      </PageHeader>
      <Tabs
        label="Parts of the cohort"
        current={tab}
        tabs={TABS}
        unsaved={edit.isChanged ? 'definition' : undefined}
      />
      {tab === 'definition' && (
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
      )}
      {tab === 'members' && <Members projectId={projectId} cohort={cohort} />}
      {tab === 'uses' && <Uses projectId={projectId} cohort={cohort} />}
      {tab === 'history' && <History projectId={projectId} cohort={cohort} />}
      {edit.isChanged && (
        <ChangesBar
          save={
            <Button kind="primary" isBusy={save.isPending} onClick={submit}>
              Save
            </Button>
          }
          onDiscard={() => {
            edit.reset(cohort)
            save.reset()
            setIsTried(false)
          }}
        >
          {edit.changed.includes('tree')
            ? 'The conditions are changed: flags use them as soon as you save.'
            : 'The name or description is changed.'}
          {isTried && issues.size > 0 && <span className="error-text"> Complete the fields first.</span>}
        </ChangesBar>
      )}
      <LeaveDialog blocker={edit.blocker}>Your changes to {labelOf(cohort)} are not saved.</LeaveDialog>
    </>
  )
}

const NO_ISSUES: ReadonlyMap<string, string> = new Map()

const TABS: readonly (readonly [CohortTab, string])[] = [
  ['definition', 'Definition'],
  ['members', 'Members'],
  ['uses', 'Used by'],
  ['history', 'History'],
]

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
