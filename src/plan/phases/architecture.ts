/** Phase 4: the design, from as many sides as the mode asks for. */
import { decisionSection, fromSynthesis, type PhaseResult, strategyFields } from '../phase-result.ts'
import type { Phase } from '../plan.ts'
import { castOf, workTogether } from '../teamwork.ts'

export async function architecture(phase: Phase): Promise<PhaseResult> {
  const { plan } = phase
  const again = plan.guidance ? `\nThis is done again, because: ${plan.guidance}` : ''
  const work = await workTogether(phase, castOf(phase), {
    task: `Design how the request is met: components and their borders, interfaces, data, the order of work, and what stays untouched.${again}`,
    acceptance: [
      'One option is recommended, with its trade-offs against the next best',
      'Every interface between parts is named',
      'A Mermaid diagram shows the parts and how they talk',
    ],
    headings: ['Approach', 'Components', 'Interfaces', 'Diagram', 'Order of work', 'Alternatives'],
  })
  const found = fromSynthesis('4', work.synthesis, phase.pass)
  const agreement = work.agreement ? `## Agreement\n\n${work.agreement}` : ''
  const votes = `${work.members.length} of ${work.expected} answered`
  const body = [work.synthesis.artefact, agreement, decisionSection(found)].filter(Boolean).join('\n\n')
  return {
    title: 'Design',
    body,
    text: work.synthesis.summary || work.synthesis.artefact.slice(0, 800),
    ...found,
    ...(work.ask ? { ask: work.ask } : {}),
    more: strategyFields(work.choice),
    files: {
      'plan.md': `# Plan\n\n${work.synthesis.summary || 'See design.md.'}\n\n${decisionSection(found)}\n\n_${votes}._\n`,
    },
  }
}
