/** Prompts are Jinja templates. A project may lay its own beside ours, in `.convene/prompts/<name>.md`. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Template } from '@huggingface/jinja'
import { ConveneError } from '../../kernel/errors.ts'
import { agentMessage } from './agent-message.ts'
import { answer } from './answer.ts'
import { builder } from './builder.ts'
import { implement, implementAlone } from './implement.ts'
import { merge, rebase } from './merge.ts'
import { microProposal } from './micro-proposal.ts'
import { planner, planTask } from './planner.ts'
import { childFailed, judgeChild, reviewImpl } from './review-impl.ts'
import { scaffold } from './scaffold.ts'
import { turn, turnQuestion } from './turn.ts'
import { writeTests } from './write-tests.ts'

/** A tag that stands alone on its line leaves no line behind, and one at the end of a line takes the line break with it. */
export const templates = {
  answer,
  'micro-proposal': microProposal,
  turn,
  'turn-question': turnQuestion,
  'agent-message': agentMessage,
  builder,
  scaffold,
  'write-tests': writeTests,
  implement,
  'implement-alone': implementAlone,
  'review-impl': reviewImpl,
  merge,
  rebase,
  'judge-child': judgeChild,
  'child-failed': childFailed,
  planner,
  'plan-task': planTask,
}

export type PromptName = keyof typeof templates

export interface Prompts {
  render(name: PromptName, values: Record<string, unknown>): string
}

/** Templates are read once: a change in `folder` counts from the next start. */
export function createPrompts(folder: string): Prompts {
  const parsed = new Map<PromptName, Template>()
  return {
    render(name, values) {
      let template = parsed.get(name)
      if (!template) {
        template = parse(name, folder)
        parsed.set(name, template)
      }
      return template.render(values).trimEnd()
    },
  }
}

function parse(name: PromptName, folder: string): Template {
  const file = join(folder, `${name}.md`)
  if (!existsSync(file)) return new Template(templates[name])
  try {
    return new Template(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ConveneError(
      'invalid_prompt',
      `${file} is not a template that can be read: ${(error as Error).message}`,
      { cause: error },
    )
  }
}
