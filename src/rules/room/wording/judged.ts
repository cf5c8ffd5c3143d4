/** Whose words the last answers judged: a further opinion on them is for neither. SPEC.md § DP9. */
import { asksAnother } from './other-view.ts'
import { findPhrase, type Phrases, phrase } from './phrase.ts'
import { rolesOfNames } from './roles.ts'
import { spokenWords } from './spoken-words.ts'
import { asksOutsider } from './those-who-spoke.ts'

export interface Line {
  sender: string
  text: string
}

/** `lines` are the earlier ones, oldest first. Empty unless the last request was about what an agent had said. */
export function judgedIn(lines: readonly Line[], agents: readonly string[]): string[] {
  const at = lines.findLastIndex(({ sender }) => !agents.includes(sender))
  if (at < 0 || at === lines.length - 1) return []
  const judges = lines.slice(at + 1).map(({ sender }) => sender)
  const spoke = lines.slice(0, at).map(({ sender }) => sender)
  const text = spokenWords(lines[at]!.text)
  const { addressed, questioned, turnedDown } = rolesOfNames(text, agents, spoke)
  const judged = [
    ...questioned.filter((name) => !turnedDown.includes(name)),
    ...unnamed(text, addressed, agents, spoke),
  ]
  return [...new Set(judged)].filter((name) => !judges.includes(name))
}

/** "Is that true?", "who of you is right?", "cyd, do you agree?": the message names nobody whose words it is about. */
function unnamed(
  text: string,
  addressed: readonly string[],
  agents: readonly string[],
  spoke: readonly string[],
): string[] {
  const outsider = asksOutsider(text, agents, spoke)
  if (outsider && !outsider.silent) return outsider.except
  const last = spoke.findLast((sender) => agents.includes(sender))
  const isAbout = asksAnother(text) ?? (addressed.length > 0 ? findPhrase(text, toJudge) : undefined)
  return last !== undefined && isAbout !== undefined ? [last] : []
}

/** Said to an agent after another one's answer. */
const toJudge: Phrases = {
  en: [
    phrase`(?:do you )?(?:agree|disagree|object|concur)|what do you (?:think|say|make)(?: (?:of|about|to) (?:it|that|this))?(?=\s*(?:[.,;!?–—]|$))|your (?:view|take|opinion|verdict)`,
  ],
  de: [
    phrase`(?:siehst du das|stimmst du|bist du einverstanden|was (?:sagst|meinst|denkst) du dazu|was hältst du davon|deine (?:meinung|einschätzung))`,
  ],
  fr: [phrase`(?:tu es )?d'accord|(?:qu'en|tu en) (?:penses|dis)(?:-tu)?|ton avis`],
  es: [phrase`(?:estás )?de acuerdo|qué (?:opinas|piensas|dices)(?: de eso)?|tu opinión`],
}
