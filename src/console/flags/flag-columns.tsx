// Defines the columns of the list of flags.
import { Link } from '@tanstack/react-router'
import type { Flag } from '../api/client'
import { type Column, Meta, RowTitle } from '../design/data-table'
import { Badge, Time } from '../design/small'
import { FlagBadges } from './flag-badges'
import { FlagSwitch } from './flag-switch'
import { releaseWords, setsOf } from '../grammar/sets'
import { timeColumn } from '../list/columns'
import { useWording } from '../grammar/use-wording'
import { toFlag } from '../shell/pages'

/** Tags that a row shows. */
const MAX_TAGS = 1

export const flagColumns = (projectId: number): readonly Column<Flag>[] => [
  {
    heading: 'Flag',
    place: 'main',
    order: 'key',
    cell: (flag) => (
      <>
        <RowTitle detail={flag.name}>
          <Link className="row-link mono truncate" title={flag.key} {...toFlag(projectId, flag.id)}>
            {flag.key}
          </Link>
          <FlagBadges flag={flag} />
        </RowTitle>
        <Meta>
          {flag.tags.length > 0 && <span>{flag.tags.join(', ')}</span>}
          <span>
            {flag.last_called_at ? (
              <>
                Called <Time at={flag.last_called_at} />
              </>
            ) : (
              'Never called'
            )}
          </span>
        </Meta>
      </>
    ),
  },
  {
    heading: 'Enabled',
    place: 'side',
    width: '5.7rem',
    order: 'active',
    cell: (flag) => <FlagSwitch projectId={projectId} flag={flag} />,
  },
  {
    heading: 'Release',
    place: 'full',
    // The key has enough of a wide screen.
    width: 'clamp(14rem, 34vw - 10rem, 40rem)',
    cell: (flag) => <Release projectId={projectId} flag={flag} />,
  },
  {
    heading: 'Tags',
    place: 'wide',
    width: 'clamp(6.5rem, 10vw, 14rem)',
    cell: ({ tags }) => (
      <span className="row tags" title={tags.join(', ')}>
        {tags.slice(0, MAX_TAGS).map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
        {tags.length > MAX_TAGS && <span className="soft small">+{tags.length - MAX_TAGS}</span>}
      </span>
    ),
  },
  timeColumn('Last called', ({ last_called_at: at }) => at, { none: 'Never', order: 'last_called_at' }),
  timeColumn('Changed', ({ updated_at: at }) => at, { order: 'updated_at' }),
]

/** Says who gets the flag. */
function Release({ projectId, flag }: { projectId: number; flag: Flag }) {
  const words = releaseWords(flag.filters, useWording(projectId, setsOf(flag.filters)))
  return (
    <div className={flag.active ? 'truncate' : 'truncate soft'} title={words}>
      {words}
    </div>
  )
}
