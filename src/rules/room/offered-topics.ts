/** The topics that proposals pick from, taken from the message, so that agents use the same words for the same topic. SPEC.md § RD4. */
import { contentWords } from '../text/content-words.ts'
import { isKeyword, stem } from '../text/words.ts'

/** One word per stem, as first written: the most frequent ones, in message order. */
export function offeredTopics(text: string, most = 12): string[] {
  const topics = new Map<string, { word: string; count: number; at: number }>()
  for (const word of contentWords(text).filter(isTopic)) {
    const topic = topics.get(stem(word))
    if (topic) topic.count += 1
    else topics.set(stem(word), { word, count: 1, at: topics.size })
  }
  return [...topics.values()]
    .sort((a, b) => b.count - a.count || a.at - b.at)
    .slice(0, most)
    .sort((a, b) => a.at - b.at)
    .map(({ word }) => word)
}

/** Longer words are pasted keys or hashes, not topics. */
const longestTopic = 40

function isTopic(word: string): boolean {
  return isKeyword(word) && word.length <= longestTopic && /\p{L}/u.test(word)
}
