/** The theme: the system's, unless the person chooses one. */
import { recall, remember } from '../data/memory.ts'
import { watched } from '../data/watched.ts'

export type ThemeChoice = 'system' | 'light' | 'dark'

export const themeChoice = watched<ThemeChoice>(recall<ThemeChoice>('theme') ?? 'system')

const systemDark = matchMedia('(prefers-color-scheme: dark)')

export function chooseTheme(choice: ThemeChoice): void {
  remember('theme', choice === 'system' ? undefined : choice)
  themeChoice.set(choice)
  applyTheme()
}

/** The other one than is shown now. */
export function toggleTheme(): void {
  chooseTheme(shownTheme() === 'dark' ? 'light' : 'dark')
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = shownTheme()
}

export function followSystemTheme(): void {
  systemDark.addEventListener('change', applyTheme)
  applyTheme()
}

export function shownTheme(): 'light' | 'dark' {
  const choice = themeChoice.get()
  return choice === 'system' ? (systemDark.matches ? 'dark' : 'light') : choice
}
