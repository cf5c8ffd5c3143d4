/** Prompts are Jinja templates. A project can replace one with its own, in `.convene/prompts/<name>.md`. */
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
import { project } from './project.ts'
import { childFailed, judgeChild, reviewImpl } from './review-impl.ts'
import { roomSummary } from './room-summary.ts'
import { scaffold } from './scaffold.ts'
import { followUp, specMessage } from './spec-part.ts'
import { turn, turnQuestion } from './turn.ts'
import { writeTests } from './write-tests.ts'

/** A tag alone on its line leaves no empty line; a tag at the end of a line removes the line break. */
export const templates = {
  project,
  answer,
  'micro-proposal': microProposal,
  turn,
  'turn-question': turnQuestion,
  'agent-message': agentMessage,
  'room-summary': roomSummary,
  builder,
  spec: specMessage,
  scaffold,
  'write-tests': writeTests,
  implement,
  'implement-alone': implementAlone,
  'review-impl': reviewImpl,
  'follow-up': followUp,
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

/** Reads each template once: a change in `folder` takes effect at the next start. */
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
    throw new ConveneError('invalid_prompt', `${file} is not a valid template: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
