// A person's properties at a past moment, rebuilt from the events that set them (reference/flags-evaluation.md §9.1).
import type { JsonObject } from '../json'
import { applyChanges, type PropertyChanges } from './capture/property-changes'

/** Merges changes in time order: a later `$set` wins, `$set_once` counts where nothing is yet, and `$unset` removes. Pure. */
export const mergeHistory = (history: readonly PropertyChanges[]): JsonObject =>
  history.reduce<JsonObject>(applyChanges, {})
