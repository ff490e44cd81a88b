import { DEFINITION_COLUMNS, definitionFrom, type FeedDefinition } from '../../snapshots/definitions'
import type { FlagRow } from '../read/rows'
import { pick } from '../state'

/**
 * Returns the definition that a snapshot has of a flag, or null for a deleted flag. It is byte for byte the one that is rendered from D1.
 */
export const definitionOf = (row: FlagRow): FeedDefinition | null =>
  row.deleted
    ? null
    : definitionFrom(
        pick(
          {
            ...row,
            filters: JSON.stringify(row.filters),
            has_experiment: row.experiments.length === 0 ? 0 : 1,
          },
          DEFINITION_COLUMNS,
        ),
      )
