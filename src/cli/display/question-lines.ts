/** Shows questions to a person: options on lines of their own, numbered, with who holds them and what follows. */
import type { Question } from '../../kernel/runs/question-events.ts'
import type { Output } from './output.ts'
import { printable } from './printable.ts'

type Shown = Pick<Question, 'id' | 'text' | 'choices' | 'only_choices' | 'numbers' | 'context'>

/** Of the first block of an id: unique in practice, and checked where it is read. */
const shortId = 8
const longestDetail = 12_000

/** The question, its background and its options, without how to answer. `all`: what it is asked together with. */
export function questionText(question: Omit<Shown, 'id'>, output: Output, all: readonly unknown[] = []): string[] {
  const { text, choices = [], numbers, context } = question
  const place = all.length > 1 ? `(${all.indexOf(question) + 1} of ${all.length}) ` : ''
  const stands = standsIn(context.stands)
  // Issue numbers are answers themselves, so these choices have none.
  const mark = (index: number) => (numbers ? '-' : `${index + 1}`)
  const background = stands.length > 0 ? context.background : context.detail
  return [
    output.style('bold', printable(`${place}${text}`)),
    ...(typeof background === 'string' && background !== ''
      ? printable(background.slice(0, longestDetail))
          .split('\n')
          .map((line) => output.style('dim', `  ${line}`))
      : []),
    ...choices.flatMap((choice, index) => {
      const stand = stands.find((one) => one.choice === choice)
      const more = [stand?.agents.join(', '), stand?.follows].filter(Boolean).join(': ')
      return [
        `  ${mark(index)}  ${printable(choice)}`,
        ...(more ? [output.style('dim', `     ${printable(more)}`)] : []),
      ]
    }),
  ]
}

/** How to answer from another command. */
export function answerHint({ id, choices, only_choices, numbers }: Omit<Shown, 'text' | 'context'>): string {
  const command = `convene answer ${id.slice(0, shortId)}`
  if (!choices) return `${command} "…"`
  if (numbers) return `${command} ${numbers.join(',')}   (or one of the words above)`
  const last = choices.length > 1 ? `1 to ${choices.length}` : '1'
  return `${command} <${last}>${only_choices ? '' : '   (or your own words in quotes)'}`
}

interface Stand {
  choice: string
  agents: string[]
  follows?: string
}

function standsIn(value: unknown): Stand[] {
  return Array.isArray(value) ? (value as Stand[]) : []
}
