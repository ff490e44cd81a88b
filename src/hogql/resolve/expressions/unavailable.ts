// Functions of PostHog that do not exist here, and what to write instead.

const NO_DISTANCE = "compare with LIKE '%part%', or on ClickHouse by editDistance(…)"
const NO_HASH =
  'there are no hashes. Ids of events and persons are random already, such as substring(uuid, -2)'
const NO_GEO = 'compare latitude and longitude as numbers'
const ADD_MAPS = 'use mapFromArrays(…) with sumMap(…), or with arrays of the keys and values of both'

/** What to use instead of an unavailable function, by its name in lower case. */
const INSTEAD: Readonly<Record<string, string>> = {
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
  arrayfold: 'use arraySum(x -> …), arrayCumSum(…) or arrayReduce(…)',
  ngramdistance: NO_DISTANCE,
  ngramsearch: NO_DISTANCE,
  soundex: NO_DISTANCE,
  md5: NO_HASH,
  sha1: NO_HASH,
  sha224: NO_HASH,
  sha256: NO_HASH,
  sha512: NO_HASH,
  cityhash64: NO_HASH,
  siphash64: NO_HASH,
  xxhash64: NO_HASH,
  murmurhash3_64: NO_HASH,
  farmhash64: NO_HASH,
  halfmd5: NO_HASH,
  encrypt: 'queries have no keys',
  decrypt: 'queries have no keys',
  sleep: 'queries do not wait',
  currentuser: 'the database is not described',
  version: 'the database is not described',
  hostname: 'the database is not described. Use domain(url) for a host in a URL',
  geohashencode: NO_GEO,
  geotoh3: NO_GEO,
  pointinpolygon: NO_GEO,
  dictget: 'there are no dictionaries. Use transform(…) or a join',
  retention: 'use a RetentionQuery, or minIf(…) for each condition',
  sequencematch: 'use windowFunnel(…)',
  sequencecount: 'use windowFunnel(…)',
}

/** Returns `: …` with what to write instead, or undefined for an unknown name. */
export function insteadOf(name: string): string | undefined {
  const key = name.toLowerCase().replace(/^__preview_/, '')
  return Object.hasOwn(INSTEAD, key) ? INSTEAD[key] : undefined
}
