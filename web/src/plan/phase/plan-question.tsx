/** A plan's question with its evidence: scores, positions or findings. */
import type { Question } from '../../../../src/kernel/runs/question-events.ts'
import type { PlanView } from '../../../../src/plan/view.ts'
import { type PhaseId, phaseIds } from '../../../../src/rules/plan/phase-table.ts'
import { QuestionCard } from '../../ui/question-card.tsx'
import { phaseTitle } from '../view/labels.ts'
import { FindingLine } from './findings.tsx'

interface PlanQuestionProps {
  question: Question
  halted: boolean
  linked?: boolean
}

export function PlanQuestion({ question, halted, linked = false }: PlanQuestionProps) {
  const phase = phaseOfQuestion(question)
  const { dimension, score, progress } = question.context
  return (
    <QuestionCard question={question} halted={halted} linked={linked}>
      <p className="mt-1.5 text-small text-ink-2">
        {[
          phase ? phaseTitle(phase) : '',
          typeof dimension === 'string' ? `about its ${dimension}` : '',
          typeof score === 'number' ? `${score} of 10 so far` : '',
          typeof progress === 'string' ? progress : '',
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <Found question={question} />
    </QuestionCard>
  )
}

export function phaseOfQuestion({ context: { phase } }: Question): PhaseId | null {
  return phaseIds.find((id) => id === phase) ?? null
}

type Finding = PlanView['reviews'][number]['blocking'][number]

function Found({ question: { context } }: { question: Question }) {
  const findings = itemsOf(context.findings).filter((one): one is Finding =>
    ['CRITICAL', 'MAJOR', 'MINOR'].includes(String(one.severity)),
  )
  if (findings.length === 0) return null
  return (
    <ul className="mt-2 space-y-1.5">
      {findings.map((finding, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a question never changes
        <li key={index}>
          <FindingLine finding={finding} />
        </li>
      ))}
    </ul>
  )
}

function itemsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((one) => one !== null && typeof one === 'object') : []
}
