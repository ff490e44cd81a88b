// Shows what a flag depends on, and the flags that depend on it.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Flag } from '../api/client'
import { dependentsQuery } from '../api/queries'
import { Card } from '../design/card'
import { unnamedIn } from '../grammar/conditions'
import { useWording } from '../grammar/use-wording'
import { toFlag } from '../shell/pages'
import { toCohort } from '../shell/item-pages'

interface FlagLinkProps {
  projectId: number
  id: number
  name: string
}

const FlagLink = ({ projectId, id, name }: FlagLinkProps) => (
  <Link className="badge accent mono" {...toFlag(projectId, id)}>
    {name}
  </Link>
)

export function LinksCard({ projectId, flag }: { projectId: number; flag: Flag }) {
  const dependents = useQuery(dependentsQuery(projectId, flag.id))
  const { groups } = flag.filters
  const wording = useWording(projectId, groups)
  const conditions = groups.flatMap(({ properties }) => properties ?? [])
  const { flags } = unnamedIn(conditions)
  const cohorts = new Map(
    conditions
      .filter(({ type }) => type === 'cohort')
      .map(({ value, cohort_name: name }) => [Number(value), name as string | undefined]),
  )
  const users = dependents.data ?? []
  if (flags.length + cohorts.size + users.length === 0) return null
  return (
    <Card title="Dependencies">
      {flags.length + cohorts.size > 0 && (
        <div className="field">
          <span className="label">Depends on</span>
          <ul className="row wrap" aria-label="Depends on">
            {flags.map((id) => (
              <li key={`flag ${id}`}>
                <FlagLink projectId={projectId} id={id} name={wording.flagOf?.(id) ?? `flag ${id}`} />
              </li>
            ))}
            {[...cohorts].map(([id, name]) => (
              <li key={`cohort ${id}`}>
                <Link className="badge accent" {...toCohort(projectId, id)}>
                  {name ?? wording.cohortOf?.(id) ?? `cohort ${id}`}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      {users.length > 0 && (
        <div className="field">
          <span className="label">Used by</span>
          <ul className="row wrap" aria-label="Used by">
            {users.map(({ id, key }) => (
              <li key={id}>
                <FlagLink projectId={projectId} id={id} name={key} />
              </li>
            ))}
          </ul>
          <p className="soft small">
            {users.length === 1 ? 'Its value' : 'Their values'} may change with this flag, which cannot be
            disabled while {users.length === 1 ? 'it is' : 'they are'} enabled.
          </p>
        </div>
      )}
    </Card>
  )
}
