// Defines the properties and their values that a field suggests.
import { useQuery } from '@tanstack/react-query'
import { eventValuesQuery } from '../api/events'
import { propertyValuesQuery } from '../api/people'
import { propertiesQuery } from '../api/queries'
import type { Suggestion } from '../design/fields/combobox'

interface Properties {
  projectId: number
  /** Whose properties. */
  kind: 'event' | 'person' | 'group'
  groupType: number | null
}

/** @param text what a name begins with or has in it */
export const usePropertyNames = (
  { projectId, kind, groupType }: Properties,
  text: string,
): readonly Suggestion[] =>
  (useQuery(propertiesQuery(projectId, kind, groupType, text)).data?.results ?? []).map(
    ({ name, property_type: type }) => ({ value: name, ...(type ? { detail: type } : {}) }),
  )

const NONE: readonly Suggestion[] = []

/** Values that the property has, of those that contain `text`. */
export function usePropertyValues(
  { projectId, kind, groupType }: Properties,
  property: string,
  text: string,
): readonly Suggestion[] {
  const ofPeople = useQuery({
    ...propertyValuesQuery(projectId, kind === 'group' ? groupType : null, property, text),
    enabled: kind !== 'event' && property !== '',
  })
  const ofEvents = useQuery({
    ...eventValuesQuery(projectId, property, text),
    enabled: kind === 'event' && property !== '',
  })
  return (kind === 'event' ? ofEvents : ofPeople).data ?? NONE
}
