/** Names of bindings: `EVENTS`, `EVENTS_2` … `EVENTS_99`. */
export const SHARD_BINDING = /^EVENTS(?:_(?:[2-9]|[1-9]\d))?$/
