/** Finds the agents that a message addresses by `@name`. SPEC.md § RD2. */
import { byCodeUnit } from '../../text/by-code-unit.ts'
import { withoutCode } from '../../text/without-code.ts'
import { withoutQuotes } from '../../text/without-quotes.ts'
import { everyoneBut, isDismissed, turnsDown } from './turned-down.ts'

/**
 * The mentioned agents, each once, in order. `@all` means everyone, `@both` the two agents of a room of two. In "@gpt, is
 * @claude's idea safe?" claude is not called, nor in "@all except @claude".
 */
export function mentions(text: string, agents: readonly string[]): string[] {
  const called = callable(agents)
  const plain = withoutCode(withoutQuotes(text))
  const found = {
    named: new Set<string>(),
    dismissed: new Set<string>(),
    owners: new Set<string>(),
    turnedDown: new Set<string>(),
  }
  let lastEnd = -1
  for (const { index } of plain.matchAll(/[@＠]/gu)) {
    if (!mayBegin(plain, index, lastEnd)) continue
    const match = called.find(({ name }) => isCalled(plain, index + 1, name))
    if (!match) continue
    lastEnd = index + 1 + match.name.length
    const isOwner = /^['’‘]s(?!\p{L})/u.test(plain.slice(lastEnd, lastEnd + 3))
    const group = groupAt(plain, index, lastEnd) ?? (isOwner ? 'owners' : 'named')
    for (const agent of match.agents) found[group].add(agent)
  }
  const asked = [found.named, found.dismissed, found.owners].map((group) => group.difference(found.turnedDown))
  return [...(asked.find(({ size }) => size > 0) ?? [])]
}

/** "Not you, @gpt" and "everyone but @gpt" turn it down, "@gpt, forget it" withdraws what was asked. */
function groupAt(text: string, at: number, end: number): 'turnedDown' | 'dismissed' | undefined {
  const [before, after] = [text.slice(0, at), text.slice(end)].map((part) => part.toLowerCase().replace(/[’‘`´]/g, "'"))
  if (everyoneBut.test(before!) || turnsDown(before!, after!) !== undefined) return 'turnedDown'
  return isDismissed(before!, after!) ? 'dismissed' : undefined
}

/** [RD2] The absent agent that a message begins by addressing, if the message mentions nobody who is present. */
export function calledInVain(text: string, known: readonly string[], present: readonly string[]): string | null {
  if (!/^\s*[@＠]/u.test(withoutQuotes(text)) || mentions(text, present).length > 0) return null
  return mentions(text, known)[0] ?? null
}

interface Callable {
  name: string
  agents: readonly string[]
}

/** Longest first, so that `@gpt-mini` does not match `@gpt`; an agent named `all` keeps its name. */
function callable(agents: readonly string[]): Callable[] {
  const everybody = [...new Set(agents)].sort(byCodeUnit)
  const taken = new Set(everybody.map((name) => name.toLowerCase()))
  const groups = everybody.length === 2 ? ['all', 'both'] : ['all']
  return [
    ...everybody.map((name) => ({ name, agents: [name] })),
    ...groups.filter((name) => !taken.has(name)).map((name) => ({ name, agents: everybody })),
  ].sort((a, b) => b.name.length - a.name.length)
}

/** Not inside an email address (`a@gpt.com`), a link (`host/@gpt`) or after a backslash; `@gpt/@claude` are two mentions. */
function mayBegin(text: string, at: number, lastEnd: number): boolean {
  if (at === 0 || lastEnd === at - 1) return true
  return !/[\p{L}\p{M}\p{N}_.+\-/\\@＠=]$/u.test(text.slice(Math.max(0, at - 2), at))
}

/** Matches whole names: `@gpt.` and `@gpt's` are gpt; `@gpt4`, `@gpt-4`, `@gpt.com` and `@gpt/tools` are not. */
function isCalled(text: string, at: number, name: string): boolean {
  const end = at + name.length
  if (text.slice(at, end).toLowerCase() !== name.toLowerCase()) return false
  return !/^(?:[-./@＠]?[\p{L}\p{M}\p{N}_])/u.test(text.slice(end, end + 3))
}
