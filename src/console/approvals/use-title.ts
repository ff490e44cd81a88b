import type { ChangeRequest } from '../api/approvals'
import { setsIn } from '../grammar/differences'
import { useWording } from '../grammar/use-wording'
import { changesOf, titleOf } from './words'

/** Returns what a request is called, with the names of cohorts, flags and types of groups. */
export const useTitle = (projectId: number, request: ChangeRequest): string =>
  titleOf(request, useWording(projectId, changesOf(request).flatMap(setsIn)))
