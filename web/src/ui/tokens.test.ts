import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
const [, lightBlock = '', darkBlock = ''] = /:root \{([^}]*)\}\s*\[data-theme="dark"\] \{([^}]*)\}/.exec(css) ?? []
const themes = { light: colours(lightBlock), dark: colours(darkBlock) }

const agents = ['gpt', 'claude', 'gemini', 'human', 'router', ...Array.from({ length: 8 }, (_, n) => `agent-${n + 1}`)]
const grounds = ['bg', 'panel', 'sunken']
const pairs: [text: string, ground: string][] = [
  ...['ink', 'ink-2', 'ink-3', 'accent', 'ok', 'warn', 'bad', 'live', ...agents].flatMap((text) =>
    grounds.map((ground): [string, string] => [text, ground]),
  ),
  ...['ok', 'warn', 'bad', 'live', 'accent'].map((name): [string, string] => [name, `${name}-soft`]),
  ...agents.map((name): [string, string] => ['on-agent', name]),
  ...['word', 'text', 'number', 'name', 'type', 'note'].map((name): [string, string] => [`code-${name}`, 'sunken']),
  ['on-accent', 'accent'],
  ['ink', 'accent-soft'],
  ['ink-2', 'accent-soft'],
  ['ink-2', 'hover'],
]

describe.each(Object.entries(themes))('the %s theme', (_, theme) => {
  it('has every colour the other one has', () => {
    expect([...theme.keys()].sort()).toEqual([...themes.light.keys()].sort())
    expect(theme.size).toBeGreaterThan(30)
  })

  it('shows agents in colours that differ from one another, and from the dot of what is online', () => {
    const names = [...agents.filter((name) => /\d/.test(name)), 'ok']
    const near = names.flatMap((one, index) =>
      names
        .slice(index + 1)
        .flatMap((other) => (distance(theme.get(one)!, theme.get(other)!) < 0.05 ? [[one, other]] : [])),
    )
    expect(near).toEqual([])
  })

  it.each(pairs)('shows %s on %s with AA contrast', (text, ground) => {
    expect(contrast(theme.get(text)!, theme.get(ground)!)).toBeGreaterThanOrEqual(4.5)
  })
})

function colours(block: string): Map<string, string> {
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]))
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light! + 0.05) / (dark! + 0.05)
}

function luminance(hex: string): number {
  const [red, green, blue] = light(hex)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function light(hex: string): [red: number, green: number, blue: number] {
  return [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
}

/** How different two colours look, in Oklab. */
function distance(a: string, b: string): number {
  const [one, other] = [oklab(a), oklab(b)]
  return Math.hypot(...one.map((value, axis) => value - other[axis]!))
}

function oklab(hex: string): number[] {
  const [red, green, blue] = light(hex)
  const [long, middle, short] = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ].map(([r, g, b]) => Math.cbrt(r! * red + g! * green + b! * blue)) as [number, number, number]
  return [
    0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  ]
}
