// Defines the columns of the list of saved queries.
import { Link } from '@tanstack/react-router'
import type { Endpoint } from '../api/client'
import { type Column, RowTitle } from '../design/data-table'
import { Switch } from '../design/fields/field'
import { Time } from '../design/small'
import { createdColumn, CreatedMeta, deleteColumn } from '../list/columns'
import { setActive } from './change-queries'
import { KindBadge, MaterializationBadge } from './query-badges'
import { toQuery } from '../shell/item-pages'

/** @param onDelete null for a viewer. */
export const queryColumns = (
  projectId: number,
  onDelete: ((name: string) => void) | null,
): readonly Column<Endpoint>[] => [
  {
    heading: 'Query',
    place: 'main',
    cell: (query) => (
      <>
        <RowTitle detail={query.description ?? null}>
          <Link className="row-link mono truncate" {...toQuery(projectId, query.name)}>
            {query.name}
          </Link>
          <KindBadge query={query.query} />
        </RowTitle>
        <CreatedMeta {...query}>
          {query.materialization.enabled && (
            <span>
              Materialized: <MaterializationBadge materialization={query.materialization} />
            </span>
          )}
        </CreatedMeta>
      </>
    ),
  },
  {
    heading: 'Active',
    place: 'side',
    width: '5.2rem',
    cell: (query) => (
      <Switch
        isChecked={query.is_active}
        disabled={onDelete === null}
        onChange={(isActive) => void setActive(projectId, query, isActive)}
        label={`${query.name} active`}
      />
    ),
  },
  {
    heading: 'Materialized',
    place: 'wide',
    width: '8rem',
    cell: (query) => <MaterializationBadge materialization={query.materialization} />,
  },
  {
    heading: 'Last run',
    place: 'full',
    width: '8rem',
    cell: ({ last_executed_at: at }) => (
      <span className="soft small">
        {at ? (
          <>
            <span className="only-phone">Last run </span>
            <Time at={at} />
          </>
        ) : (
          <>
            Never<span className="only-phone"> run by a key</span>
          </>
        )}
      </span>
    ),
  },
  createdColumn,
  ...(onDelete === null
    ? []
    : [
        deleteColumn(
          ({ name }: Endpoint) => name,
          ({ name }) => onDelete(name),
        ),
      ]),
]
