// Defines the columns of the list of cohorts.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Cohort, sizeQuery } from '../api/cohorts'
import { Button } from '../design/button'
import { type Column, RowTitle } from '../design/data-table'
import { Badge, Time } from '../design/small'
import { createdColumn, CreatedMeta, deleteColumn } from '../list/columns'
import { deleteCohort, labelOf } from './change-cohorts'
import { useWording } from '../grammar/use-wording'
import { setOf, treeOf, treeWords } from './tree'
import { toCohort } from '../shell/item-pages'

export const KindBadge = ({ cohort }: { cohort: Pick<Cohort, 'is_static'> }) => (
  <Badge tone={cohort.is_static ? '' : 'accent'}>{cohort.is_static ? 'Static' : 'By conditions'}</Badge>
)

/** Describes who is in a cohort by its conditions. */
function Definition({ projectId, cohort }: { projectId: number; cohort: Cohort }) {
  const tree = treeOf(cohort.filters)
  return treeWords(tree, useWording(projectId, [setOf(tree)]))
}

export const cohortColumns = (projectId: number, canWrite: boolean): readonly Column<Cohort>[] => [
  {
    heading: 'Cohort',
    place: 'main',
    cell: (cohort) => (
      <>
        <RowTitle
          detail={
            cohort.description ||
            (cohort.is_static ? 'A list of people' : <Definition projectId={projectId} cohort={cohort} />)
          }
        >
          <Link className="row-link truncate" {...toCohort(projectId, cohort.id)}>
            {labelOf(cohort)}
          </Link>
          <KindBadge cohort={cohort} />
        </RowTitle>
        <CreatedMeta {...cohort} />
      </>
    ),
  },
  {
    heading: 'People',
    place: 'side',
    width: '7rem',
    cell: (cohort) =>
      cohort.is_static ? (
        <span className="numeric">{cohort.count?.toLocaleString('en') ?? '…'}</span>
      ) : (
        <Size projectId={projectId} cohort={cohort} />
      ),
  },
  {
    heading: 'Calculated',
    place: 'wide',
    width: '9rem',
    cell: (cohort) => (
      <span className="soft small">
        {cohort.is_calculating ? (
          'Being filled'
        ) : cohort.last_calculation ? (
          <Time at={cohort.last_calculation} />
        ) : (
          'When a flag asks'
        )}
      </span>
    ),
  },
  createdColumn,
  ...(canWrite ? [deleteColumn(labelOf, (cohort: Cohort) => void deleteCohort(projectId, cohort))] : []),
]

/** Members of a cohort with conditions are counted on demand: that evaluates up to 2,500 persons. */
function Size({ projectId, cohort }: { projectId: number; cohort: Cohort }) {
  const [isWanted, setIsWanted] = useState(false)
  const size = useQuery({ ...sizeQuery(projectId, cohort.id), enabled: isWanted })
  if (size.data) return <span className="numeric">{sizeWords(size.data.affected, size.data.total)}</span>
  return (
    <Button
      isSmall
      isBusy={size.isFetching}
      aria-label={`Count the people of ${labelOf(cohort)}`}
      onClick={() => (size.isError ? void size.refetch() : setIsWanted(true))}
    >
      {size.isError ? 'Try again' : 'Count'}
    </Button>
  )
}

/** Above this many persons the service estimates from a sample. */
const MAX_EXACT = 2_500

/** @param total persons of the project. */
export const sizeWords = (affected: number, total: number): string =>
  `${total > MAX_EXACT ? 'about ' : ''}${affected.toLocaleString('en')}`
