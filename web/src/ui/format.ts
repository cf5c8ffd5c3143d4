/** Formats figures and names. It avoids `Intl`, whose first use costs more than rendering a screen. */
export function money(usd: number): string {
  if (usd === 0) return '$0'
  if (usd < 0.00005) return '<$0.0001'
  if (usd < 0.01) return `$${usd.toFixed(4)}`
  return `$${usd.toFixed(usd < 1 ? 3 : 2)}`
}

/** Where cost is the subject. Null: the price of a model is not known. */
export const costWords = (usd: number | null) => (usd === null ? 'cost unknown' : money(usd))

/** What something took, in one figure: money, or tokens alone where a price is not known. */
export function spending({ usd, tokens }: { usd: number | null; tokens: number }): string {
  return usd === null ? `${count(tokens)} tokens` : money(usd)
}

/** What to do about an unknown cost. */
export const priceHint = "price in an agent's configuration makes its cost known"

export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function count(value: number): string {
  if (value < 10_000) return String(value).replace(/(\d)(?=\d{3}$)/, '$1\u2009')
  if (value < 1_000_000) return `${(value / 1000).toFixed(value < 100_000 ? 1 : 0)}k`
  return `${(value / 1_000_000).toFixed(1)}M`
}

export const hundredths = (value: number) => value.toFixed(2)

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** The time of day, with the day where it is not today. */
export function clock(at: string, now = new Date()): string {
  const date = new Date(at)
  return sameDay(date, now) ? timeOf(at) : `${day(date, now)}, ${timeOf(at)}`
}

export function timeOf(at: string): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
}

/** The day, as a heading: "Today", "Tue", "3 Mar". */
export function dayOf(at: string, now = new Date()): string {
  const date = new Date(at)
  return sameDay(date, now) ? 'Today' : day(date, now)
}

/** How long ago, as short as a list wants it. */
export function ago(at: string, now = new Date()): string {
  const date = new Date(at)
  const minutes = (now.getTime() - date.getTime()) / 60_000
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${Math.floor(minutes)} min`
  return sameDay(date, now) ? `${Math.floor(minutes / 60)} h` : day(date, now)
}

/** The same where it stands alone: "now", "3 min ago", "Tue". */
export function since(at: string, now = new Date()): string {
  const short = ago(at, now)
  return / (min|h)$/.test(short) ? `${short} ago` : short
}

const weekdays = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ')
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

function day(date: Date, now: Date): string {
  const days = (now.getTime() - date.getTime()) / 86_400_000
  if (days < 6) return weekdays[date.getDay()]!
  const year = date.getFullYear() === now.getFullYear() ? '' : ` ${date.getFullYear()}`
  return `${date.getDate()} ${months[date.getMonth()]}${year}`
}

function sameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString()
}

/** "a", "a and b", "a, b and c". */
export function joinNames(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const shortCommit = (commit: string) => commit.slice(0, 7)

/** "why unresolvable" for `whyUnresolvable`. */
export function spaced(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
}
