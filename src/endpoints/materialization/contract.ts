// What another form of a query has to keep, for whoever writes one: a caller, or the model that is asked for a suggestion
// (reference/endpoints-api.md §5.9).

export const REWRITE_CONTRACT = [
  '1. Whatever values the variables have, the new query returns the same rows, with the same columns, by name, type and order, as the old one.',
  '2. Every {variables.<code_name>} of the old query stands in the new one, under the same code_name and with the same meaning: callers send values by it.',
  '3. No variable is added, removed or renamed.',
  '4. Everything else may change as long as 1 holds: conditions may be rewritten, predicates moved, CTEs split, merged or written in place of subqueries.',
  '5. Where no such query passes the checks, none is forced: the old one stays as it is.',
].join('\n')
