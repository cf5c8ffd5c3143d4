/** Puts the agents' HIGH open questions to the person. SG2. */
import { type QuestionForPerson, questionsForPerson } from '../../rules/context/open-questions.ts'
import { phaseById } from '../../rules/plan/phase-table.ts'
import type { Phase } from '../plan.ts'
import { askUserAll } from './ask-user.ts'
import { personsDecisions } from './phase-result.ts'

/** Those that the person has neither answered nor left to the agents. */
export function openFor({ plan }: Phase): QuestionForPerson[] {
  return questionsForPerson([...plan.summaries.values()], [...plan.clarifications, ...plan.left])
}

/**
 * SG2: what came up after the design is asked before the plan becomes issues, all at once. The prompts that follow have the
 * answers. A question that the person leaves open stays listed.
 */
export async function askLateQuestions(phase: Phase): Promise<void> {
  const open = openFor(phase)
  if (open.length === 0) return
  await askUserAll(
    phase,
    open.map(({ question, ids, phase: from }) => ({
      text: question,
      background: `Came up in phase ${from} (${phaseById(from).name}); no document of the plan answers it.`,
      choices: [leave],
      leaves: leave,
      assume: { answer: leave, words: 'left open; the plan keeps to its design' },
      remember: true,
      resolves: ids,
    })),
  )
  phase.renew({ key_decisions: personsDecisions(phase) })
}

const leave = 'leave it open'
