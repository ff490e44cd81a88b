// Defines the theme: light, dark, or that of the system. A cookie stores it, so that the server writes it into each page.

export type Theme = 'system' | 'light' | 'dark'

const NAME = 'theme'
const YEAR_SECONDS = 365 * 24 * 3_600

export function storedTheme(): Theme {
  const stored = document.cookie.split('; ').find((each) => each.startsWith(`${NAME}=`))
  return stored === `${NAME}=light` ? 'light' : stored === `${NAME}=dark` ? 'dark' : 'system'
}

export function applyTheme(theme: Theme): void {
  const [value, seconds] = theme === 'system' ? ['', 0] : [theme, YEAR_SECONDS]
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `${NAME}=${value}; path=/; max-age=${seconds}; samesite=lax${secure}`
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
