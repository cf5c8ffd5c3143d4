/** Labels and tones for the ship floor. */
import type { FeatureStatus } from '../../../../src/ship/feature/features.ts'
import type { Tone } from '../../ui/chip.tsx'
import { working } from '../../ui/work-labels.ts'

export const statusLabel: Record<FeatureStatus, { word: string; tone: Tone }> = {
  running: { word: 'running', tone: 'live' },
  waiting: { word: 'waiting for you', tone: 'warn' },
  stopped: { word: 'stopped', tone: 'plain' },
  done: { word: 'run finished', tone: 'ok' },
  failed: { word: 'run failed', tone: 'bad' },
}

const asked: Record<string, string> = {
  ...working,
  'failure-analysis': 'analysing the failure',
  'select-issue': 'choosing the next issue',
  summary: 'summarising',
}

/** What an agent does that was asked for this. */
export const doingLabel = (kind: string) => known(asked, kind).replaceAll('-', ' ')

const diagnoses: Record<string, string> = {
  test_expectation: 'wrong test expectation',
  implementation_bug: 'bug in the code',
  missing_dependency: 'missing dependency',
  blocked: 'external blocker',
}

export const diagnosisLabel = (diagnosis: string) => known(diagnoses, diagnosis)

const recommendations: Record<string, string> = {
  retry: 'try again',
  skip: 'skip it',
  escalate: 'ask a person',
  modify: 'try another approach',
}

export const recommendationLabel = (recommendation: string) => known(recommendations, recommendation)

/** An unknown name is shown with spaces. */
function known(words: Record<string, string>, name: string): string {
  return Object.hasOwn(words, name) ? words[name]! : name.replaceAll('_', ' ')
}
