// Functions of PostHog that do not exist here, and what to write instead.

const NO_ACTIONS =
  "there are no actions. Write the action's conditions, such as event = '$autocapture' AND elements_chain_href = '/pay'"
const ADD_MAPS = 'use mapFromArrays(…) with sumMap(…), or with arrays of the keys and values of both'

/** By name in lower case. */
const INSTEAD: Readonly<Record<string, string>> = {
  matchesaction: NO_ACTIONS,
  mapadd: ADD_MAPS,
  mapsubtract: ADD_MAPS,
  mapconcat: ADD_MAPS,
  mapupdate: ADD_MAPS,
  mappopulateseries: ADD_MAPS,
  grouparraysample: 'a sample differs from run to run. Use groupArray(10)(x)',
  convertcurrency: 'there are no exchange rates. Multiply by a rate of your own',
  getsurveyresponse: 'read the answer itself, such as properties.$survey_response',
  uniquesurveysubmissionsfilter: 'use argMax(…, timestamp) for each properties.$survey_submission_id',
  recordingbutton: 'there are no recordings',
  embedtext: 'there is no model',
  rand: 'a result must not differ from run to run. Use a hash of the id, such as substring(uuid, 1, 1)',
  randcanonical: 'a result must not differ from run to run',
  generateuuidv4: 'a result must not differ from run to run. Events have a uuid',
  dictget: 'there are no dictionaries. Use transform(…) or a join',
  retention: 'use a RetentionQuery, or minIf(…) for each condition',
  sequencematch: 'use windowFunnel(…)',
  sequencecount: 'use windowFunnel(…)',
}

/** `: …` with what to write; undefined for a name that is not known. */
export function insteadOf(name: string): string | undefined {
  const key = name.toLowerCase().replace(/^__preview_/, '')
  return Object.hasOwn(INSTEAD, key) ? INSTEAD[key] : undefined
}
