// Derives from a user agent who sends it: a bot by its name, a program, or a browser.
import { textMacro, type Macro } from './form'

/**
 * Texts that user agents contain in lower case, by category and type of traffic, each with the name where it differs. The first one that
 * is found counts.
 */
const AGENTS: readonly [category: string, traffic: string, agents: string][] = [
  [
    'ai_assistant',
    'AI Agent',
    'chatgpt-user=ChatGPT-User|claude-user=Claude-User|perplexity-user=Perplexity-User|mistralai-user=MistralAI-User|gemini-deep-research=Gemini-Deep-Research|duckassistbot=DuckAssistBot',
  ],
  [
    'ai_search',
    'AI Agent',
    'oai-searchbot=OAI-SearchBot|claude-searchbot=Claude-SearchBot|perplexitybot=PerplexityBot|youbot=YouBot|phindbot=PhindBot',
  ],
  [
    'ai_crawler',
    'AI Agent',
    'gptbot=GPTBot|claudebot=ClaudeBot|claude-web=Claude-Web|anthropic-ai=anthropic-ai|google-extended=Google-Extended|google-cloudvertexbot=Google-CloudVertexBot|ccbot=CCBot|bytespider=Bytespider|amazonbot=Amazonbot|meta-externalagent=Meta-ExternalAgent|meta-externalfetcher=Meta-ExternalFetcher|applebot-extended=Applebot-Extended|cohere-ai=cohere-ai|diffbot=Diffbot|ai2bot=AI2Bot|deepseekbot=DeepSeekBot|imagesiftbot=ImagesiftBot|timpibot=Timpibot|omgili=Omgili|pangubot=PanguBot',
  ],
  [
    'search_crawler',
    'Bot',
    'adsbot-google=AdsBot-Google|mediapartners-google=Mediapartners-Google|googlebot=Googlebot|google-inspectiontool=Google-InspectionTool|googleother=GoogleOther|feedfetcher-google=FeedFetcher-Google|bingbot=Bingbot|bingpreview=BingPreview|msnbot=MSNBot|yandexbot=YandexBot|yandex.com/bots=Yandex|baiduspider=Baiduspider|duckduckbot=DuckDuckBot|applebot=Applebot|slurp=Yahoo Slurp|sogou=Sogou|petalbot=PetalBot|seznambot=SeznamBot|naver=Naver|qwantify=Qwantify|mojeekbot=MojeekBot|coccocbot=Coccocbot|exabot=Exabot',
  ],
  [
    'seo_crawler',
    'Bot',
    'ahrefsbot=AhrefsBot|ahrefssiteaudit=AhrefsSiteAudit|semrushbot=SemrushBot|mj12bot=MJ12bot|dotbot=DotBot|rogerbot=Rogerbot|dataforseobot=DataForSeoBot|screaming frog=Screaming Frog|serpstatbot=SerpstatBot|barkrowler=Barkrowler|blexbot=BLEXBot|sitebulb=Sitebulb',
  ],
  [
    'social_crawler',
    'Bot',
    'facebookexternalhit=Facebook|facebot=Facebot|twitterbot=Twitterbot|linkedinbot=LinkedInBot|slackbot=Slackbot|slack-imgproxy=Slack|discordbot=Discordbot|telegrambot=TelegramBot|whatsapp=WhatsApp|pinterestbot=Pinterestbot|pinterest/=Pinterest|redditbot=Redditbot|skypeuripreview=Skype|embedly=Embedly|vkshare=VK|tumblr/=Tumblr',
  ],
  [
    'monitoring',
    'Bot',
    'uptimerobot=UptimeRobot|pingdom=Pingdom|statuscake=StatusCake|site24x7=Site24x7|datadogsynthetics=Datadog Synthetics|newrelicpinger=New Relic|better uptime=Better Uptime|betteruptime=Better Uptime|checkly=Checkly|chrome-lighthouse=Lighthouse|gtmetrix=GTmetrix|ptst/=WebPageTest|google-read-aloud=Google-Read-Aloud|vercel-screenshot=Vercel Screenshot',
  ],
  [
    'headless_browser',
    'Automation',
    'headlesschrome=HeadlessChrome|phantomjs=PhantomJS|puppeteer=Puppeteer|playwright=Playwright|selenium=Selenium|electron-headless=Electron|slimerjs=SlimerJS|cypress=Cypress',
  ],
  [
    'http_client',
    'Automation',
    'python-requests=python-requests|python-urllib=Python-urllib|python-httpx=python-httpx|aiohttp=aiohttp|scrapy=Scrapy|curl/=curl|wget/=Wget|go-http-client=Go-http-client|okhttp=okhttp|axios/=axios|node-fetch=node-fetch|undici=undici|java/=Java|apache-httpclient=Apache-HttpClient|libwww-perl=libwww-perl|ruby=Ruby|postmanruntime=Postman|insomnia=Insomnia|httpie=HTTPie|guzzlehttp=Guzzle',
  ],
  ['unknown_bot', 'Bot', 'bot/=Other bot|bot;=Other bot|crawler=Other crawler|spider=Other spider'],
]

const all = AGENTS.flatMap(([category, traffic, agents]) =>
  agents.split('|').map((agent) => {
    const [part = '', name = ''] = agent.split('=')
    return { part, name, category, traffic }
  }),
)

type Agent = (typeof all)[number]

/** The patterns of the parts, as an array of HogQL. */
const PARTS = `[${all.map(({ part }) => `'${part.replaceAll('.', '[.]')}'`).join(', ')}]`

/** Returns a fact about the first agent whose text the user agent contains, or another text without one. */
function known(of: (agent: Agent) => string, otherwise: string): string {
  const texts = [otherwise, ...all.map(of)].join('|')
  return `splitByChar('|', '${texts}')[ifNull(multiMatchAnyIndex(lower(x), ${PARTS}), 0) + 1]`
}

const textOf = (name: string, of: (agent: Agent) => string, otherwise: string): Macro =>
  textMacro(`${name} __preview_${name}`, 'user_agent', known(of, otherwise))

export const BOT_MACROS: readonly Macro[] = [
  textMacro(
    'isLikelyBot isBot __preview_isBot',
    'user_agent',
    `ifNull(multiMatchAny(lower(x), ${PARTS}), 0)`,
  ),
  textOf('getTrafficType', ({ traffic }) => traffic, 'Regular'),
  textOf('getTrafficCategory', ({ category }) => category, 'regular'),
  textOf('getBotType', ({ category }) => category, ''),
  textOf('getBotName', ({ name }) => name, ''),
]
