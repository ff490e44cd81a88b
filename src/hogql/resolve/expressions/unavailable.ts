// Functions of PostHog, ClickHouse and PostgreSQL that do not exist here, and what to write instead. They are not misspelt, so that no name like
// theirs is suggested.

const NO_DISTANCE = "compare with LIKE '%part%', or on ClickHouse by editDistance(…)"
const NO_HASH =
  'there are no hashes. Ids of events and persons are random already, such as substring(uuid, -2)'
const NO_GEO = 'compare latitude and longitude as numbers'
const NO_CODE = 'there are base64Encode(…), hex(…) and encodeURLComponent(…)'
const AGGREGATE_BITS = 'use groupBitAnd(…), groupBitOr(…) or groupBitXor(…)'
const DATE_OF_PARTS = "join a text, such as toDate(concat('2026-', leftPad(toString(month), 2, '0'), '-01'))"
const AMERICAN = 'write the date as year, month and day, for parseDateTimeBestEffort(…)'
const OTHER_QUANTILE = 'use quantile(…), quantileExact(…) or quantileTDigest(…)'
const PLACES = 'use arrayMap((x, i) -> …, array, arrayEnumerate(array))'
const NO_BITMAP = 'use arrays, with arrayDistinct(…), arrayIntersect(…) and length(…)'
const SIGNED = 'integers have a sign and 64 bits: use toInt(…), or toInt64OrNull(…)'
const ADD_MAPS = 'use mapFromArrays(…) with sumMap(…), or with arrays of the keys and values of both'

/** What to use instead of an unavailable function, by its name in lower case. */
const INSTEAD: Readonly<Record<string, string>> = {
  mapadd: ADD_MAPS,
  mapsubtract: ADD_MAPS,
  mapconcat: ADD_MAPS,
  mapupdate: ADD_MAPS,
  mappopulateseries: ADD_MAPS,
  bit_and: AGGREGATE_BITS,
  bit_or: AGGREGATE_BITS,
  bit_xor: AGGREGATE_BITS,
  hassubstr: "join the elements: position(arrayStringConcat(a, ','), 'x,y') > 0",
  arrayenumerateuniq: PLACES,
  arrayenumeratedense: PLACES,
  arrayfill: PLACES,
  arrayunion: 'use arrayDistinct(arrayConcat(…))',
  make_date: DATE_OF_PARTS,
  makedate: DATE_OF_PARTS,
  make_timestamp: DATE_OF_PARTS,
  makedatetime: DATE_OF_PARTS,
  make_interval: 'use toIntervalDay(…) and the like',
  date_bin: 'use toStartOfInterval(date, INTERVAL …)',
  to_date: "use toDate(…), or parseDateTime(text, '%d.%m.%Y')",
  strpos: 'use position(text, part)',
  isnullable: 'use toTypeName(…)',
  nullin: 'use IN, or x IS NULL',
  width_bucket: 'use floor((x - least) / width) + 1, or roundDown(x, [0, 10, 100])',
  roundage: 'use roundDown(x, [0, 18, 25, 35, 45, 55])',
  intexp2: 'use toInt(exp2(x))',
  intexp10: 'use toInt(exp10(x))',
  netloc: 'use domain(url) and port(url)',
  encodeurlformcomponent: 'use encodeURLComponent(…)',
  decodeurlformcomponent: "use decodeURLComponent(replaceAll(text, '+', ' '))",
  untuple: 'read each item, such as t.1, t.2',
  tuplenegate: 'use tupleMinus((0, 0), t)',
  tuplemultiplybynumber: 'use tupleMultiply(t, (2, 2))',
  tupledividebynumber: 'use tupleDivide(t, (2, 2))',
  formatreadabledecimalsize: 'use formatReadableSize(…)',
  l1norm: 'use arraySum(x -> abs(x), array)',
  l2norm: 'use sqrt(arraySum(x -> x * x, array))',
  bitmapbuild: NO_BITMAP,
  bitmaptoarray: NO_BITMAP,
  bitmapcardinality: NO_BITMAP,
  bithammingdistance: 'use bitCount(bitXor(a, b))',
  isascii: 'use length(x) = lengthUTF8(x)',
  bin: 'use bitTest(…) or hex(…)',
  groupbitmapor: 'use uniqExact(…), or arrays of groupUniqArray(…)',
  groupbitmapand: 'use uniqExact(…), or arrays of groupUniqArray(…)',
  base32encode: NO_CODE,
  base32decode: NO_CODE,
  base58encode: NO_CODE,
  base58decode: NO_CODE,
  encodexmlcomponent: NO_CODE,
  decodexmlcomponent: NO_CODE,
  parsedatetimebesteffortus: AMERICAN,
  parsedatetimebesteffortusornull: AMERICAN,
  parsedatetime64besteffortus: AMERICAN,
  quantiledd: OTHER_QUANTILE,
  quantilegk: OTHER_QUANTILE,
  quantilebfloat16: OTHER_QUANTILE,
  quantileexactexclusive: OTHER_QUANTILE,
  touint128: SIGNED,
  touint256: SIGNED,
  toint128: SIGNED,
  toint256: SIGNED,
  touint32ornull: SIGNED,
  touint64ornull: SIGNED,
  touint8ornull: SIGNED,
  touint16ornull: SIGNED,
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
