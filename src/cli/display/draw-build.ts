/** Draws a build as a tree of lines: node, state, attempt, tests, cost, time. */

import type { BuildView, NodeStatus, NodeView } from '../../build/view.ts'
import { type Cost, requestWords } from '../../kernel/ask/cost.ts'
import { durationText } from './duration-text.ts'
import type { Output, Style } from './output.ts'
import { printable } from './printable.ts'

interface Pen {
  style: Output['style']
  columns: number
  frame: number
  now: number
}

const marks: Record<NodeStatus, { mark: string; style: Style }> = {
  idle: { mark: '·', style: 'dim' },
  working: { mark: '', style: 'cyan' },
  checking: { mark: '', style: 'blue' },
  waiting: { mark: '…', style: 'dim' },
  question: { mark: '?', style: 'yellow' },
  merged: { mark: '✓', style: 'green' },
  failed: { mark: '✗', style: 'red' },
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

export function drawBuild(view: BuildView, pen: Pen): string[] {
  const root = view.nodes.filter(({ path }) => path.length === 1)
  const head = [
    pen.style('bold', view.spec),
    view.strategy ?? '',
    view.rehearsal ? 'rehearsal' : '',
    costOf(view.cost),
    took(view.started, view.finished, pen.now),
  ]
  return [
    head.filter(Boolean).join(pen.style('dim', ' · ')),
    ...root.flatMap((node) => drawNode(view, node, '', '', pen)),
    ...view.forecasts.map(({ node, with: other, files }) =>
      cut(pen.style('yellow', `  ⚠ ${node} and ${other} would conflict in ${files.join(', ')}`), pen),
    ),
    ...view.questions.map(({ text }) => cut(pen.style('yellow', `  ? ${printable(text)}`), pen)),
  ]
}

function drawNode(view: BuildView, node: NodeView, lead: string, below: string, pen: Pen): string[] {
  const children = view.nodes.filter(
    ({ path }) => path.length === node.path.length + 1 && node.path.every((id, index) => path[index] === id),
  )
  const { mark, style } = marks[node.state]
  const sign = mark || frames[pen.frame % frames.length]!
  const parts = [
    `${lead}${pen.style(style, sign)} ${node.id}`,
    pen.style('dim', stateOf(node)),
    testsOf(node, pen),
    costOf(node.cost),
    pen.style('dim', took(node.started, node.finished, pen.now)),
  ]
  const line = cut(parts.filter(Boolean).join('  '), pen)
  return [
    line,
    ...children.flatMap((child, index) => {
      const last = index === children.length - 1
      return drawNode(view, child, `${below}${last ? '└─ ' : '├─ '}`, `${below}${last ? '   ' : '│  '}`, pen)
    }),
  ]
}

function stateOf(node: NodeView): string {
  const attempt = node.attempt > 1 ? ` (attempt ${node.attempt})` : ''
  switch (node.state) {
    case 'working':
      return `${node.at}${attempt} · ${node.agent ?? ''}`
    case 'checking':
      return `checking ${node.at}${attempt}${node.running ? `: ${printable(node.running.command)}` : ''}`
    case 'waiting':
      return `waits for ${node.waiting_for.join(', ') || 'its turn'}`
    case 'question':
      return 'waits for you'
    case 'merged':
      return `merged${node.merge ? ` (${node.merge.impactLevel})` : ''}`
    case 'failed':
      return node.reason ? printable(node.reason) : 'failed'
    default:
      return node.at
  }
}

function testsOf({ tests }: NodeView, { style }: Pen): string {
  if (!tests?.parsed) return ''
  const green = tests.passed > 0 ? style('green', `${tests.passed} passed`) : ''
  const red = tests.failed > 0 ? style('red', `${tests.failed} failed`) : ''
  return [green, red].filter(Boolean).join(' ')
}

function costOf({ asks, calls, tokens, usd }: Cost): string {
  if (asks === 0) return ''
  const money = usd === null ? '' : usd > 0 ? ` $${usd.toFixed(usd < 0.1 ? 4 : 2)}` : ''
  return `${requestWords({ asks, calls })} ${short(tokens)} tokens${money}`
}

function short(count: number): string {
  return count < 1000 ? String(count) : count < 1e6 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1e6).toFixed(1)}M`
}

function took(started: string | undefined, finished: string | undefined, now: number): string {
  if (!started) return ''
  return durationText((finished ? Date.parse(finished) : now) - Date.parse(started))
}

/** Cuts a line by its visible width, without colour codes: a line that wraps cannot be redrawn in place. */
function cut(line: string, { columns }: Pen): string {
  let width = 0
  let result = ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colours.
  for (const part of line.split(/(\x1b\[[0-9;]*m)/)) {
    if (part.startsWith('\x1b[')) {
      result += part
      continue
    }
    const room = columns - width
    const characters = [...part]
    result += characters.length <= room ? part : `${characters.slice(0, Math.max(0, room - 1)).join('')}…`
    width += Math.min(characters.length, room)
    if (characters.length > room) return `${result}\x1b[0m`
  }
  return result
}
