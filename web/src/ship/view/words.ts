/** What happens on the ship floor, in words a person says. */

import type { FeatureStatus } from '../../../../src/ship/feature/features.ts'
import type { Tone } from '../../ui/chip.tsx'
import { working } from '../../ui/work-labels.ts'

export const statusWords: Record<FeatureStatus, { word: string; tone: Tone }> = {
  running: { word: 'at work', tone: 'live' },
  waiting: { word: 'waits for you', tone: 'warn' },
  stopped: { word: 'stopped', tone: 'plain' },
  done: { word: 'run ended', tone: 'ok' },
  failed: { word: 'run failed', tone: 'bad' },
}

const asked: Record<string, string> = {
  ...working,
  'failure-analysis': 'looking at the failure',
  'select-issue': 'choosing the next',
  summary: 'summing up',
}

/** What an agent does that was asked for this. */
export const doingWords = (kind: string) => known(asked, kind).replaceAll('-', ' ')

const diagnoses: Record<string, string> = {
  test_expectation: 'test expects the wrong thing',
  implementation_bug: 'bug in the code',
  missing_dependency: 'something is missing',
  blocked: 'blocked from outside',
}

export const diagnosisWords = (diagnosis: string) => known(diagnoses, diagnosis)

const recommendations: Record<string, string> = {
  retry: 'try again',
  skip: 'skip it',
  escalate: 'ask a person',
  modify: 'try another way',
}

export const recommendationWords = (recommendation: string) => known(recommendations, recommendation)

/** What nobody has words for is shown as it is written, with spaces. */
function known(words: Record<string, string>, name: string): string {
  return Object.hasOwn(words, name) ? words[name]! : name.replaceAll('_', ' ')
}
