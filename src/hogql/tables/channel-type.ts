// The marketing channel that a session came through, by upstream's default rules: those of Google Analytics 4, with a shorter list of sources.
// Upstream's list has 1,300 domains; here a source counts by the labels of its domain, such as `google` in `www.google.co.uk`.

/** Sources by type: labels of their domains, or whole names. */
const SOURCES: Readonly<Record<string, string>> = {
  AI: 'chatgpt.com|chat.openai.com|openai|perplexity|claude.ai|gemini.google.com|copilot.microsoft.com|chat.deepseek.com|deepseek|grok.com|chat.mistral.ai|meta.ai|poe.com|you.com|phind',
  Email:
    'mail.google.com|com.google.android.gm|outlook.live.com|outlook.office.com|outlook.office365.com|mail.yahoo.com|mail.aol.com|mail.yandex.ru|mail.proton.me|com.apple.mobilemail|me.bluemail.mail|email|gmail|newsletter|mailchimp|klaviyo|hs_email|customer.io|activecampaign|sendgrid',
  Search:
    'google|adwords|googleads|bing|yahoo|duckduckgo|baidu|yandex|ecosia|qwant|startpage|naver|daum|seznam|sogou|aol|ask|search.brave.com|kagi|dogpile|lycos|swisscows|mojeek|rambler|virgilio|biglobe|auone|so.com|360.cn|coccoc',
  Social:
    'facebook|fb|fb.me|instagram|ig|l.wl.co|messenger|whatsapp|threads.net|threads|twitter|t.co|x.com|linkedin|lnkd.in|reddit|out.reddit.com|pinterest|pin.it|tiktok|snapchat|quora|tumblr|vk|vkontakte|weibo|wechat|telegram|t.me|discord|discord.com|slack|bsky|bsky.app|mastodon|ycombinator|producthunt|hackernews|medium|substack|github|stackoverflow|stackexchange|flipboard|meetup|nextdoor|xing|line.me|kakao|ok.ru|odnoklassniki|social|livejournal|wordpress|blogger|blogspot',
  Shopping:
    'shopping.google.com|amazon|ebay|etsy|walmart|alibaba|aliexpress|shopify|target.com|rakuten|mercadolibre|flipkart|wish.com|temu|shein|shopzilla|ikea|idealo|pricegrabber|allegro|bol.com|taobao|tmall|jd.com',
  Video:
    'youtube|youtu.be|vimeo|twitch|dailymotion|netflix|hulu|disneyplus|bilibili|youku|iqiyi|wistia|rumble|crunchyroll',
}

/** The channels of mediums, for paid and for other sources. */
const PAID_MEDIUMS: Readonly<Record<string, string>> = {
  Display: 'banner|cpm|display|expandable|interstitial',
  'Paid Social': 'sm|social|social media|social network|social-media|social-network',
  'Paid Video': 'video',
}
const ORGANIC_MEDIUMS: Readonly<Record<string, string>> = {
  Affiliate: 'affiliate|partnership|partnerships',
  Referral: 'app|link|referral',
  Audio: 'audio',
  Display: 'banner|cpm|display|expandable|interstitial',
  Email: 'e mail|e-mail|e_mail|email',
  Push: 'mobile|notification|push',
  SMS: 'sms',
  'Organic Social': 'sm|social|social media|social network|social-media|social-network',
  'Organic Video': 'video',
}

const quoted = (texts: string) =>
  texts
    .split('|')
    .map((text) => `'${text}'`)
    .join(', ')

/** Returns a field as the rules compare it. */
const normalized = (name: string) => `lower(nullIf(nullIf(${name}, ''), 'null'))`
const [CAMPAIGN, MEDIUM, SOURCE] = ['campaign', 'medium', 'source'].map(normalized) as [
  string,
  string,
  string,
]
/** The referring domain of a session that has one. */
const REFERRER = `nullIf(referrer, '$direct')`
const has = (name: string) => `ifNull(notEmpty(nullIf(${name}, 'null')), 0)`
const contains = (part: string) => `position(${CAMPAIGN}, '${part}') > 0`

/**
 * Returns HogQL of the type of a source. Whole names are compared first: `mail.google.com` is mail, not search. Then the first known label
 * decides.
 */
function sourceType(source: string, prefix: 'Paid' | 'Organic'): string {
  const kinds = Object.entries(SOURCES).flatMap(([kind, names]) => {
    if (kind !== 'Email' && kind !== 'AI') return [{ names, channel: `${prefix} ${kind}` }]
    return prefix === 'Organic' ? [{ names, channel: kind }] : []
  })
  const channel = `multiIf(${kinds.map((kind) => `name IN (${quoted(kind.names)}), '${kind.channel}'`).join(', ')}, '')`
  const all = quoted(kinds.map(({ names }) => names).join('|'))
  const known = `if(${source} IN (${all}), ${source}, arrayFirst(label -> label IN (${all}), splitByChar('.', ${source})))`
  // The array gives the found name a name of its own, by which it is computed once.
  return `if(${source} IS NULL, NULL, nullIf(arrayElement(arrayMap(name -> ${channel}, [${known}]), 1), ''))`
}

const mediumType = (mediums: Readonly<Record<string, string>>) =>
  `multiIf(${Object.entries(mediums)
    .map(([channel, names]) => `${MEDIUM} IN (${quoted(names)}), '${channel}'`)
    .join(', ')}, NULL)`

/** HogQL of whether the campaign has `shop` at the start of a word, or in `eshop`. */
const IS_SHOP = `(startsWith(${CAMPAIGN}, 'shop') OR multiSearchAny(${CAMPAIGN}, [${[...' -_+./0123456789e']
  .map((before) => `'${before}shop'`)
  .join(', ')}, 'shopping']))`

/** An expression of HogQL over the names of `CHANNEL_FIELDS`. */
export const CHANNEL_TYPE = `multiIf(
  ${contains('cross-network')}, 'Cross Network',
  ${MEDIUM} IN (${quoted('cpc|cpm|cpv|cpa|ppc|retargeting')}) OR startsWith(${MEDIUM}, 'paid') OR ${has('gclid')} OR ${has('gad_source')},
  coalesce(
    ${sourceType(SOURCE, 'Paid')},
    if(${IS_SHOP}, 'Paid Shopping', NULL),
    ${mediumType(PAID_MEDIUMS)},
    ${sourceType(REFERRER, 'Paid')},
    multiIf(gad_source = '1', 'Paid Search', ${contains('video')}, 'Paid Video', ${has('fbclid')}, 'Paid Social', 'Paid Unknown')),
  referrer = '$direct' AND ${MEDIUM} IS NULL AND ifNull(${SOURCE}, 'direct') IN (${quoted('(direct)|direct|$direct')})
    AND NOT ${has('fbclid')}, 'Direct',
  coalesce(
    ${sourceType(SOURCE, 'Organic')},
    if(${IS_SHOP}, 'Organic Shopping', NULL),
    ${mediumType(ORGANIC_MEDIUMS)},
    ${sourceType(REFERRER, 'Organic')},
    multiIf(${contains('video')}, 'Organic Video', endsWith(${MEDIUM}, 'push'), 'Push', ${has('fbclid')}, 'Organic Social',
      referrer = '$direct', 'Direct', ${has('referrer')}, 'Referral', 'Unknown')))`

/** The fields of a session, by their names in the expression. */
export const CHANNEL_FIELDS: Readonly<Record<string, string>> = {
  campaign: '$entry_utm_campaign',
  medium: '$entry_utm_medium',
  source: '$entry_utm_source',
  referrer: '$entry_referring_domain',
  gclid: '$entry_gclid',
  gad_source: '$entry_gad_source',
  fbclid: '$entry_fbclid',
}
