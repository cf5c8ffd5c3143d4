/** The geometry of two circles whose shared area shows the overlap. */
import { keywords } from '../../../../src/rules/text/words.ts'

/** The distance between the centres of two circles of radius 1 that share this part of what they cover together. */
export function centreDistance(overlap: number): number {
  if (overlap <= 0) return 2.12
  if (overlap >= 1) return 0
  let [near, far] = [0, 2]
  for (let step = 0; step < 40; step += 1) {
    const middle = (near + far) / 2
    if (sharedPart(middle) > overlap) near = middle
    else far = middle
  }
  return (near + far) / 2
}

export function sharedPart(distance: number): number {
  if (distance >= 2) return 0
  const lens = 2 * Math.acos(distance / 2) - (distance / 2) * Math.sqrt(4 - distance * distance)
  return lens / (2 * Math.PI - lens)
}

export interface Topics {
  first: string[]
  both: string[]
  second: string[]
}

/** Which topics only one would cover, and which both would, compared as the rule compares them. SPEC.md § DP4. */
export function topicsApart(a: { angle: string; covers: string[] }, b: { angle: string; covers: string[] }): Topics {
  const isIn = (topic: string, other: { angle: string; covers: string[] }) => {
    const words = keywords([other.angle, ...other.covers].join('\n'))
    const found = [...keywords(topic)]
    // A topic without a word that counts, such as `UI`, is the same topic where it is written the same.
    if (found.length === 0) return other.covers.some((each) => plain(each) === plain(topic))
    return found.every((word) => words.has(word))
  }
  const both = [...a.covers.filter((topic) => isIn(topic, b)), ...b.covers.filter((topic) => isIn(topic, a))]
  return {
    first: unique(a.covers.filter((topic) => !isIn(topic, b))),
    both: unique(both),
    second: unique(b.covers.filter((topic) => !isIn(topic, a))),
  }
}

/** Of topics that are the same to the rule, the first. */
function unique(topics: string[]): string[] {
  const known = new Set<string>()
  return topics.filter((topic) => known.size < known.add(sameness(topic)).size)
}

const sameness = (topic: string) => [...keywords(topic)].sort().join(' ') || plain(topic)

const plain = (topic: string) => topic.trim().toLowerCase()
