// The steps of an action: an event matches an action when it matches any of its steps.
import * as z from 'zod'
import { PropertyFilter } from './strict-filter'

const text = z.string().max(1_000).nullish()
const matching = z.enum(['contains', 'exact', 'regex']).nullish()

/** A step of an action. A field that is null or absent matches every event. */
export const ActionStep = z.strictObject({
  event: text,
  url: text,
  url_matching: matching,
  text,
  text_matching: matching,
  href: text,
  href_matching: matching,
  selector: text,
  selector_regex: text,
  tag_name: text,
  name: text,
  properties: z.array(PropertyFilter).max(20).nullish(),
})
export type ActionStep = z.output<typeof ActionStep>

export const MAX_ACTION_STEPS = 20

export const ActionSteps = z.array(ActionStep).max(MAX_ACTION_STEPS)
