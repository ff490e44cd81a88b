import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { membersQuery } from '../api/queries'
import { Select } from '../design/fields/field'
import { nameOf } from '../design/small'

const project = getRouteApi('/project/$projectId')

/**
 * Filters a list by who created its items.
 * @param value id of a user; empty for all
 */
export default function CreatorSelect({ value, onChange }: { value: string; onChange(value: string): void }) {
  const { me } = project.useRouteContext()
  const members = useQuery({
    ...membersQuery(me.organization?.id ?? ''),
    enabled: Boolean(me.organization),
  })
  return (
    <Select
      label="Created by"
      value={value}
      options={[
        ['', 'Created by anybody'],
        ...(members.data?.results ?? []).map(({ user }) => [String(user.id), nameOf(user)] as const),
      ]}
      onChange={onChange}
    />
  )
}
