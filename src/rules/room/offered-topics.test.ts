import { describe, expect, it } from 'vitest'
import { keywords } from '../text/words.ts'
import { offeredTopics } from './offered-topics.ts'

describe('offered topics', () => {
  it('[RD4] are the words of the message that can be compared, as first written, in order', () => {
    expect(offeredTopics('Should we cache the Postgres queries, or is caching in Redis enough for 3 of them?')).toEqual(
      ['cache', 'postgres', 'queries', 'redis', 'enough'],
    )
    expect(offeredTopics('thanks, ok?')).toEqual([])
  })

  it('[RD4] are one for each stem, so that picking one is picking a keyword', () => {
    const topics = offeredTopics('test tests testing tested migration migrate databases')
    expect(topics).toEqual(['test', 'migration', 'databases'])
    expect(keywords(topics.join(' ')).size).toBe(topics.length)
  })

  it('[RD4] are the most frequent of a long message, never more than asked for', () => {
    const filler = Array.from({ length: 40 }, (_, at) => `filler${String.fromCharCode(97 + (at % 26))}${at}`).join(' ')
    const topics = offeredTopics(`${filler} latency. Budget first; latency, budget!`, 3)
    expect(topics).toEqual(['fillera0', 'latency', 'budget'])
    expect(offeredTopics(filler)).toHaveLength(12)
  })

  it('[RD4] leave out figures and pasted hashes', () => {
    expect(offeredTopics(`2024 404 ${'deadbeef'.repeat(8)} outage`)).toEqual(['outage'])
  })
})
