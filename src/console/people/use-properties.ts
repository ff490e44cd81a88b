// Defines the properties and their values that a field suggests.
import { useQuery } from '@tanstack/react-query'
import { type Properties, propertyValuesQuery } from '../api/people'
import { propertiesQuery } from '../api/queries'
import type { Suggestion } from '../design/fields/combobox'

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
export const usePropertyValues = (
  properties: Properties,
  property: string,
  text: string,
): readonly Suggestion[] =>
  useQuery({ ...propertyValuesQuery(properties, property, text), enabled: property !== '' }).data ?? NONE
