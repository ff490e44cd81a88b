// Finds who sends a user agent: a bot by its name, a program, or a browser.
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

export interface Agent {
  /** What the user agent contains in lower case. */
  part: string
  name: string
  category: string
  traffic: string
}

export const KNOWN_AGENTS: readonly Agent[] = AGENTS.flatMap(([category, traffic, agents]) =>
  agents.split('|').map((agent) => {
    const [part = '', name = ''] = agent.split('=')
    return { part, name, category, traffic }
  }),
)

/** What a function returns of the first known agent, and `otherwise` without one. */
export interface AgentFact {
  of(agent: Agent): string
  otherwise: string
}

/** Facts by the function that returns them. */
export const AGENT_FACTS: Readonly<Record<string, AgentFact>> = {
  getTrafficType: { of: ({ traffic }) => traffic, otherwise: 'Regular' },
  getTrafficCategory: { of: ({ category }) => category, otherwise: 'regular' },
  getBotType: { of: ({ category }) => category, otherwise: '' },
  getBotName: { of: ({ name }) => name, otherwise: '' },
}

/** @param userAgent in lower case */
export const agentOf = (userAgent: string): Agent | undefined =>
  KNOWN_AGENTS.find(({ part }) => userAgent.includes(part))
