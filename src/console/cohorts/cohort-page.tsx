// Shows a cohort: its conditions, its members, what uses it, and its history.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Card } from '../design/card'
import { type Cohort, cohortQuery, sizeQuery } from '../api/cohorts'
import { fieldErrors } from '../api/field-errors'
import { Badge, Created, Time } from '../design/small'
import { OvertakenEdit } from '../edit/save-dialog'
import { useEdit } from '../edit/use-edit'
import '../flag/flag.css'
import { ChangeList } from '../grammar/difference-list'
import { changesBetween } from '../grammar/differences'
import { deleteCohort, labelOf } from './change-cohorts'
import { KindBadge, sizeWords } from './cohort-columns'
import { Conditions, DetailFields } from './definition'
import { changedFields, type Draft, draftOf, issuesOf, SHOWN_FIELDS, writtenOf } from './draft'
import { writeCohort } from './write-cohort'
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
  const edit = useEdit<Cohort, Draft>(cohort, {
    ...RULES,
    name: `cohort ${cohort.id}`,
    write: (base, draft) => writeCohort(projectId, base, draft),
  })
  const isStatic = cohort.is_static
  const issues = issuesOf(edit.draft, isStatic)
  const submit = () => {
    if (edit.try(issues.size === 0)) edit.save()
    else requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  const { errorOf, otherError } = fieldErrors(edit.error, SHOWN_FIELDS)
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
          {cohort.errors_calculating > 0 && <Badge tone="warn">Incomplete</Badge>}
        </>
      }
      note={
        <>
          <Size projectId={projectId} cohort={cohort} />
          {cohort.errors_calculating > 0 &&
            ` · ${cohort.errors_calculating.toLocaleString('en')} could not be evaluated, or the flag changed while the cohort was filled`}
          {' · '}created <Created {...cohort} />
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
              <Card title="General">
                <DetailFields
                  draft={edit.draft}
                  onChange={edit.setDraft}
                  issue={edit.isTried ? issues.get('name') : undefined}
                  refused={errorOf}
                />
              </Card>
              {!isStatic && (
                <Conditions
                  projectId={projectId}
                  draft={edit.draft}
                  onChange={edit.setDraft}
                  issues={edit.isTried ? issues : NO_ISSUES}
                  refused={errorOf}
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
        words: edit.changed.includes('tree')
          ? 'The conditions are changed: flags use them as soon as you save.'
          : 'The name or description is changed.',
        issue: edit.isTried && issues.size > 0 ? 'Complete the fields first.' : null,
        refusal: otherError,
        onSave: submit,
        onDiscard: () => edit.discard(),
      }}
    >
      <OvertakenEdit
        noun="cohort"
        edit={edit}
        differences={(before, after) => (
          <ChangeList
            scope="Cohort"
            changes={changesBetween(['name', 'description', 'filters'], writtenOf(before), writtenOf(after))}
          />
        )}
        headingOf={() => 'Somebody else changed'}
      />
    </EntityPage>
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
