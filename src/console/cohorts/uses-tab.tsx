// Shows the flags, cohorts and saved queries that use a cohort.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Link2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '../design/card'
import { type Cohort, cohortUsesQuery } from '../api/cohorts'
import { Empty } from '../design/feedback'
import { LoadedPart } from '../entity/loaded-part'
import { Badge } from '../design/small'
import { labelOf } from './change-cohorts'
import { toFlag } from '../shell/pages'
import { toCohort, toQuery } from '../shell/item-pages'

/** The most items of each kind that the API lists. */
const MAX_USES = 100

export default function UsesTab({ projectId, cohort }: { projectId: number; cohort: Cohort }) {
  const uses = useQuery(cohortUsesQuery(projectId, cohort.id))
  return (
    <LoadedPart query={uses} label="Looking for uses">
      {({ flags, cohorts, endpoints }) => {
        if (flags.length + cohorts.length + endpoints.length === 0)
          return (
            <div className="card">
              <Empty icon={<Link2 size={26} aria-hidden />} title="Nothing uses it yet">
                Choose the cohort in a condition of a flag or of another cohort, or write{' '}
                <code>person_id IN COHORT {cohort.id}</code> in a saved query.
              </Empty>
            </div>
          )
        return (
          <>
            <UseList
              title="Feature flags"
              items={flags.map(({ id, key, name, active }) => (
                <li key={id} className="row spread">
                  <span className="grow">
                    <Link className="mono" {...toFlag(projectId, id)}>
                      {key}
                    </Link>{' '}
                    <span className="soft small">{name}</span>
                  </span>
                  <Badge tone={active ? 'good' : ''}>{active ? 'Enabled' : 'Disabled'}</Badge>
                </li>
              ))}
            />
            <UseList
              title="Cohorts"
              items={cohorts.map((other) => (
                <li key={other.id}>
                  <Link {...toCohort(projectId, other.id)}>{labelOf(other)}</Link>
                </li>
              ))}
            />
            <UseList
              title="Saved queries"
              items={endpoints.map(({ id, name }) => (
                <li key={id}>
                  <Link className="mono" {...toQuery(projectId, name)}>
                    {name}
                  </Link>
                </li>
              ))}
            />
          </>
        )
      }}
    </LoadedPart>
  )
}

const UseList = ({ title, items }: { title: string; items: readonly ReactNode[] }) =>
  items.length === 0 ? null : (
    <Card
      title={title}
      action={<Badge>{items.length === MAX_USES ? `first ${MAX_USES}` : items.length}</Badge>}
      isFlush
    >
      <ul className="body stack">{items}</ul>
    </Card>
  )
