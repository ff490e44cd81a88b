// Shows the members of a cohort, in pages.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, UserMinus, UsersRound } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Cohort, cohortMembersQuery, type Person } from '../api/cohorts'
import { Problem } from '../api/problem'
import { Button, IconButton } from '../design/button'
import { type Column, DataTable } from '../design/data-table'
import { Dialog, DialogButtons } from '../design/popups/dialog'
import { Empty, Loading, ProblemNotice } from '../design/feedback'
import { say } from '../design/popups/toast'
import { refreshCohorts, removeMember, updateCohort } from './change-cohorts'
import { timeColumn } from '../list/columns'
import { csvOfMembers, NO_MEMBERS, unknownWords } from './member-list'
import { MemberFields } from './member-fields'
import { useCanWrite, Writers } from '../team/writers'
import { toPerson } from '../shell/item-pages'

export default function MembersTab({ projectId, cohort }: { projectId: number; cohort: Cohort }) {
  const query = useInfiniteQuery(cohortMembersQuery(projectId, cohort.id))
  const canWrite = useCanWrite()
  const [isAdding, setIsAdding] = useState(false)
  const { id, is_static: isStatic } = cohort
  const rows = useMemo(() => query.data?.pages.flatMap(({ results }) => results) ?? [], [query.data])
  const columns = useMemo(
    () => memberColumns(projectId, isStatic && canWrite ? id : null),
    [projectId, id, isStatic, canWrite],
  )
  const isMore = query.hasNextPage && rows.length === 0
  return (
    <>
      {isStatic && (
        <div className="row spread wrap">
          <p className="soft small">Newest people first. Flags follow a change with the next request.</p>
          <Writers>
            <Button onClick={() => setIsAdding(true)}>
              <Plus size={15} aria-hidden /> Add people
            </Button>
          </Writers>
        </div>
      )}
      {isMore ? (
        <NoneYet
          examined={query.data?.pages.length ?? 0}
          isBusy={query.isFetchingNextPage}
          error={query.isFetchNextPageError ? query.error : null}
          onContinue={() => void query.fetchNextPage()}
        />
      ) : (
        <DataTable
          query={query}
          rows={rows}
          columns={columns}
          nameOf={nameOfPerson}
          empty={
            <Empty icon={<UsersRound size={26} aria-hidden />} title="No members">
              {isStatic
                ? 'Add people by their ids, or from a CSV file.'
                : 'No known person meets the conditions. People appear with their first event.'}
            </Empty>
          }
        />
      )}
      {query.isFetchingNextPage && <Loading label="Loading more members" />}
      {isAdding && <AddPersons projectId={projectId} cohort={cohort} onClose={() => setIsAdding(false)} />}
    </>
  )
}

const nameOfPerson = ({ name }: Person): string => name

const memberColumns = (projectId: number, listId: number | null): readonly Column<Person>[] => [
  {
    heading: 'Person',
    place: 'main',
    cell: ({ name, uuid }) => (
      <>
        <Link className="row-link truncate label" {...toPerson(projectId, uuid)}>
          {name}
        </Link>
        <div className="soft small mono truncate">{uuid}</div>
      </>
    ),
  },
  {
    heading: 'Distinct ids',
    place: 'wide',
    cell: ({ distinct_ids: ids }) => (
      <span className="soft small mono truncate">{ids.slice(0, 3).join(', ')}</span>
    ),
  },
  timeColumn('First seen', ({ created_at: at }) => at),
  ...(listId === null
    ? []
    : [
        {
          heading: 'Remove',
          place: 'side',
          width: '5.5rem',
          cell: (person: Person) => (
            <IconButton
              label={`Remove ${person.name}`}
              isSmall
              onClick={() => void removeMember(projectId, listId, person)}
            >
              <UserMinus size={15} aria-hidden />
            </IconButton>
          ),
        } as const,
      ]),
]

interface NoneYetProps {
  /** Pages without a member. */
  examined: number
  isBusy: boolean
  error: unknown
  onContinue(): void
}

/** The first persons that were examined are not in it: the user decides whether to continue. */
const NoneYet = ({ examined, isBusy, error, onContinue }: NoneYetProps) => (
  <div className="card">
    <Empty
      icon={<UsersRound size={26} aria-hidden />}
      title="None of the newest people"
      action={
        <Button isBusy={isBusy} onClick={onContinue}>
          Examine older people
        </Button>
      }
    >
      The newest {(examined * 2_500).toLocaleString('en')} people do not meet the conditions. Older ones may.
    </Empty>
    {error !== null && <ProblemNotice error={error} />}
  </div>
)

function AddPersons({ projectId, cohort, onClose }: { projectId: number; cohort: Cohort; onClose(): void }) {
  const [list, setList] = useState(NO_MEMBERS)
  const csv = csvOfMembers(list)
  const add = useMutation({
    async mutationFn() {
      const changed = await updateCohort(projectId, cohort.id, { csv })
      const added = (changed.count ?? 0) - (cohort.count ?? 0)
      const unknown = unknownWords(changed.unknown_ids)
      if (added > 0)
        return `${added.toLocaleString('en')} ${added === 1 ? 'person' : 'people'} added.${unknown}`
      throw new Problem(`No person is added.${unknown || ' They are in it already.'}`, 400, null, 'csv')
    },
    onSuccess(words) {
      say(words)
      void refreshCohorts(projectId)
      onClose()
    },
  })
  const refusal = add.error instanceof Problem && add.error.attr !== null ? add.error : null
  return (
    <Dialog
      title="Add people"
      onClose={onClose}
      error={refusal ? null : add.error}
      footer={
        <DialogButtons
          onCancel={onClose}
          isBusy={add.isPending}
          disabled={csv === null}
          onClick={() => add.mutate()}
          action="Add"
        />
      }
    >
      <MemberFields list={list} onChange={setList} error={refusal?.message ?? null} />
    </Dialog>
  )
}
