/** Scores how much the wording of one clause sounds like a decision, without its context. */
import type { Clause } from './clause.ts'
import { actionVerbs, isFunctionWord } from './english.ts'

/** The strongest cue in the wording: 0 for none, 3.5 for "I recommend". */
export function wordingCue(clause: Clause, mayInstruct: boolean): number {
  const strongest = cues.reduce((best, [pattern, cue]) => (cue > best && pattern.test(clause.text) ? cue : best), 0)
  return mayInstruct && isInstruction(clause) ? Math.max(strongest, instruction) : strongest
}

/** "So", "on balance", "in short": what comes next is a conclusion. */
export function opensConclusion(clause: Clause): boolean {
  return conclusionOpening.test(clause.text)
}

/** The same words alone before a comma: they pass their weight to what follows. */
export function isLeadIn(clause: Clause): boolean {
  return leadIn.test(clause.text)
}

/** A former view or request, not the current decision. */
export function isHistory(clause: Clause): boolean {
  return history.test(clause.text) || (tells.test(clause.text) && !intends.test(clause.text))
}

/** "I came into this …", "my own idea was …": the first person in the past tells how it came to this. */
const tells =
  /\b(?:i|we) (?:\w+ly |also |once |first |even |had |have been |was )*(?:had|was|were|came(?! down| round| around)|held|thought|felt|wrote|went|saw|said|did|knew|began|started|meant|believed|argued|proposed|pushed|defended|resisted|expected|feared|liked|loved|worried|assumed|hoped|planned|tried|asked|tested|measured|looked|checked|read|counted|loaded|called|sided|supported|opposed|favoured|pushing|defending|arguing|reasoning)\b|\bmy (?:\w+ ){1,3}(?:was|were|had)\b/
const intends = /\b(?:would|should|will|must|now|today)\b/

/** What a third person says, wants or fears: it is not the speaker's decision. */
export function isReport(clause: Clause): boolean {
  return report.test(clause.text)
}

const report =
  /\b(?!(?:i|we|this|that|it|which|what|who|and|but|not|never|also|be|been|being|is|are|was|were|get|must|should|would) )\w+ (?:says|said|claims|claimed|argues|argued|thinks|wants|wanted|believes|warns|warned|reports|reported|told|estimates|fears|feared|promises|promised|hopes|asks|asked|replies|replied|proposed|suggested)\b|^(?:according to|they (?:say|said|want|think|claim))\b/

/** "Webpack needs a plugin": says how something is. */
export function describes(clause: Clause): boolean {
  return /^(?:the )?\w+ \w*[^su]s (?:the|a|an|it|this|that|no|not|to|too|more|less)\b|^(?:we|they|there) (?:are|were|have|had) /.test(
    clause.text,
  )
}

/** Joins the others: "we all arrive at the same", "I side with A". */
export function isAccord(clause: Clause): boolean {
  return accord.test(clause.text)
}

const accord =
  /\b(?:(?:we|all|both) (?:\w+ )?(?:want|say|mean|arrive at|come to) the same|same (?:conclusion|answer|choice|position|recommendation)(?: as\b|$)|as (?:[a-h]|the others?|you) (?:suggests?|proposes?|says?|wants?|recommends?)|(?:i|we) (?:would |will |now )?(?:join|side with|am with|second) (?:[a-h]|the others?)\b|count me in)\b/

/** Takes the other side: "I lean the other way", "I see it differently". */
export function isDissent(clause: Clause): boolean {
  return dissent.test(clause.text)
}

const dissent =
  /\b(?:i|we) (?:\w+ ){0,2}(?:(?:lean|go|come down|tend|fall) (?:\w+ )?the other way|see (?:it|this|that) (?:\w+ )?differently|(?:take|hold) the opposite (?:view|position|side)|(?:do|propose|want|recommend) the opposite)\b|^(?:and |but )?(?:i|we) still (?:differ|disagree)$/

/** A reply to another agent about a detail: "I agree with B that …". */
export function isConcession(clause: Clause): boolean {
  return concession.test(clause.text)
}

/** Lists options: "we could … or …", "options are …", "between A and B". */
export function isLayingOut(clause: Clause): boolean {
  return layingOut.test(clause.text)
}

/** "Rather than X", "not X", set off by a comma: it belongs to the decision beside it. */
export function isContrast(clause: Clause): boolean {
  return /^(?:and |but )?(?:rather than|instead of|not|no|without|never) /.test(clause.text)
}

export function namesDecision(title: string): boolean {
  return decisionTitle.test(title)
}

/** "Rejected: A, B": what follows is not chosen. */
export function namesRejection(title: string): boolean {
  return /^\W*(?:rejected|ruled out|discarded|not chosen|dismissed|verworfen|abgelehnt)\b/i.test(title)
}

/** Gives up its own view for the others': "I withdraw my objection", "agreed with B". */
export function isYielding(clause: Clause): boolean {
  return yielding.test(clause.text)
}

const yielding =
  /\b(?:i|we) (?:\w+ )?(?:give in|yield|withdraw my (?:\w+ ){0,2}(?:objection|proposal|option|view|vote|format|draft|suggestion|veto|concern)s?)\b|^(?:fully |i (?:fully |completely |entirely )?)?agree(?:d)? with (?:[a-h]|both|the others?|all of (?:you|them))$/

/** Takes the agreement back in the next breath: "however", "but". */
export function isTurning(clause: Clause): boolean {
  return /^(?:but|however|still|yet|that said|nevertheless|only)\b/.test(clause.text)
}

export function namesBackground(title: string): boolean {
  return backgroundTitle.test(title)
}

/** "Keep it", "do not add …", "paint the …": a verb first, or any plain word that is followed by an object. */
function isInstruction({ words, german }: Clause): boolean {
  let at = 0
  while (at < words.length && instructionOpening.test(words[at]!.text)) at += 1
  const [verb, next] = [words[at]?.text, words[at + 1]?.text]
  if (verb === undefined || next === undefined) return false
  if (verb === 'let' && next === 'me') return false
  if (verb === 'have') return !/^(?:been|had|to|no|not)$/.test(next)
  if (verb === 'do') return /^(?:not|the|it|this|that)$/.test(next)
  if (isNumber.test(verb)) return false
  if (verb === 'never') return actionVerbs.has(next)
  if (finite.test(words[at + 2]?.text ?? '')) return false
  if (actionVerbs.has(verb)) return !/^(?:is|are|was|will|would|and|or|can|makes|keeps|gives|has)$/.test(next)
  // German puts the verb first in other sentences, too.
  return !german && !isFunctionWord(verb) && !notInstructing.test(verb) && objectOpening.test(next)
}

/** "Saw the logs" tells, as "tried the plug-in" does. */
const notInstructing =
  /(?:ing|ed|s)$|^(?:wrote|saw|said|went|made|took|had|got|found|ran|built|felt|left|gave|came|knew|told)$/

/** "Block storage costs more" describes. */
const finite = /^(?:is|are|was|were|takes|costs|has|needs|would|will)$/

const isNumber =
  /^(?:\d.*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred|thousand)$/
const instruction = 2.2
const instructionOpening = /^(?:so|then|and|instead|please|just|simply|rather|but|or|still|yet|now|first)$/
const objectOpening =
  /^(?:the|a|an|our|your|their|its|it|them|this|that|these|those|every|each|all|both|any|no|us|people|everything|\d[\d.,]*|two|three|four|five|six|eight|ten|twelve)$/

const nouns =
  'recommendation|choice|pick|answer|vote|call|verdict|conclusion|preference|proposal|position|inclination|advice|decision|suggestion|winner|favourite|number|bet|route|preferred'
const adverbs =
  'would|will|can|could|must|shall|am|are|still|now|then|only|also|therefore|cautiously|tentatively|gladly|rather|not|no|longer|be|somewhat|mildly|slightly'
const choosing =
  'go for|go with|going with|recommend|choose|pick|prefer|favou?r|vote|suggest|propose|advise|opt|settle|lean|leaning|tend|inclined|take|adopt|stick|stay with|end up|end|join|side with|conclude|insist'
/** Verbs of intent that decide nothing. */
const musing =
  'like|say|want|reconsider|ask(?! for)|have(?! (?:an?|the|our|each|every|no|one|two)\\b)|look|think|agree|expect|hope|love|hate|fight|call|need|add|hold(?! on to| off)|change|welcome|guess|see|be|gladly|wager|bet|pretend|imagine|suppose|mention|note|remind|admit|concede|wonder|doubt|revisit|notice'

const cues: readonly (readonly [RegExp, number])[] = [
  [new RegExp(`\\bmy (?:\\w+ ){0,2}(?:${nouns})\\b`), 3.5],
  [new RegExp(`(?<!\\bwhat )\\b(?:i|we) (?:(?:${adverbs}) ){0,6}(?:${choosing})\\b`), 3.5],
  [new RegExp(`\\b(?:would|will) (?:i|we) (?:\\w+ ){0,5}(?!(?:${musing})\\b)\\w`), 2.4],
  [
    /\b(?:is|are|seems?|would be) (?:(?:right|wrong)(?= for| here|$)|(?:the way to go|a mistake|worth it|unwise|premature|not worth)\b)/,
    2.4,
  ],
  [/^(?:\w+ ){0,3}(?!\w+(?:ed|s) )\w+ for me(?: (?:as well|too))?$|\b(?:it is|it has to be|it should be)$/, 3],
  [/\b(?:decides|tips|settles|swings)(?: \w+){0,3} (?:for|in favou?r of|towards?) /, 2.4],
  [/^(?:(?:i am|we are|and|also|still) )*(?:fine|happy|ok|okay|comfortable|on board) with /, 2],
  [/^(?:so )?(?:yes|no) to /, 2.4],
  [/\b(?:keep|stay|take|use|leave|introduce|recommend|propose|choose|join|prefer|allow|forbid) (?:we|i)\b/, 2.4],
  [/^(?:the |our |a )?(?:\w+ ){1,4}(?:stays?|remains?|can go|may go)$/, 2.2],
  [/\bthere is nothing wrong with\b|\bno (?:objection|harm|problem) (?:to|in|with)\b/, 2.2],
  [/\b(?:i|we) would say$/, 3],
  [/\b(?:i|we) (?:still |do |only )?(?:want|need) (?!to (?:say|add|know|see|understand|ask|stress)\b)\w/, 2.2],
  [/\b(?:i|we) (?:still |do |also )?(?:think|believe|feel) (?!about\b|of\b|that\b)\w/, 1.8],
  [/\bno need (?:to|for)\b|\bcan (?:live|do|manage|cope) without\b/, 2.2],
  [
    /\b(?:does|do|will do) (?:the (?:job|trick)|it)$|\bis (?:plenty|right|enough)$|\bare (?:plenty|enough)$|\benough$/,
    2,
  ],
  [/\bbelongs? (?:in|on|to|with|at|into)\b/, 2],
  [
    /\b(?:is|are)(?: not)? (?:what|where|how) (?:i|we) (?:would|need|want|should)\b|^what (?:i|we) (?:need|want) is\b/,
    3,
  ],
  [/(?<!\bwhat )\b(?:i|we) (?:\w+ly |do |would |also |still )*(?:support|back|oppose|reject|endorse|second)\b/, 3],
  [
    /\b(?:am|are) (?:\w+ly |still |now |also |not |rather )*(?:for|against|behind|in favou?r of|opposed to|sceptical|skeptical|convinced|happy with) /,
    2.4,
  ],
  [/^(?:so |and )?(?:the|my) (?:\w+ )?(?:way forward|money|answer|winner|solution|option|call) (?:is|would be) /, 2.4],
  [/\b(?:speaks?|argues?|points?|counts?) (?:i |we |myself |all |everything )*(?:for|against|towards|to)\b/, 1.8],
  [
    /\bbetter (?:off|served)\b|\bmakes? (?:more|most|little|no) sense\b|\b(?:smaller|lesser) evil\b|\bthe one to \w/,
    2.2,
  ],
  [/\bcase (?:for|against) \w/, 1.8],
  [
    /\b(?:i|we) see (?:no|little|not much) (?!reason)\w|\b(?:i|we) have to (?!say|admit|ask)\w|\b(?:has|have) to go\b/,
    2.2,
  ],
  [/\bended up\b|\bcame (?:down|round|around)\b|\b(?:yes|no) to\b/, 2.4],
  [/\b(?:has|have|will have|needs?) to be (?!(?:said|noted|admitted)\b)/, 2.2],
  [/\bit (?:is|seems|would be|looks|feels) (?:\w+ )?(?:better|best|right|sensible|time|\w{3,}er) to /, 2.4],
  [/^(?:so |and )?(?:i|we) (?:am|are|now|will|would|do )*(?:stand|side|go)? ?with \w+(?: here| on this)?$/, 3],
  [/^(?:so |and |but )?\w+ (?:is|was|has been) right$/, 2.4],
  [/\b(?:i|we) have (?:\w+ )?(?:switched|changed|moved|come (?:round|around|over)|settled|decided|concluded)\b/, 2.4],
  [/^(?:then|please|after all)$/, 3],
  [/ (?:then|please)$/, 2.5],
  [/^(?:so |well |then )?(?:a \w+ )?(?:yes|no)$/, 2.5],
  [
    new RegExp(
      `\\b(?:i|we) (?:would|will) (?:(?:not|never|no longer|still|rather|only|just|also|then|cautiously|tentatively|now) ){0,4}(?!(?:${musing}|not|never|still|rather|only|just|also|then|now)\\b)\\w`,
    ),
    2.4,
  ],
  [
    /^(?:(?:so|then|but|and|therefore) )?we (?:avoid|keep|stay|use|remain|go|stick|leave|drop|take|buy|wait|adopt|move|switch|start)\b/,
    2.2,
  ],
  [/\b(?:should|ought to)\b(?! (?:say|add|mention|note|admit|stress|explain))/, 2.2],
  [/\b(?:see|is|find) no reason\b|^(?:and |but )?(?:would|will) (?:not |rather |still )?(?!be\b)\w+ /, 2.2],
  [/\b(?:wins|comes first)\b| instead$|^(?:so )?let us\b/, 2],
  [
    /\b(?:must|(?:that|which) leaves|what is left|points to|leads me to|that settles it|that means|am for|is enough)\b/,
    1.5,
  ],
  [
    /\b(?:the (?:better|best|proper|right|sensible|safer|natural|least|most)|seems? (?:\w+ )?(?:better|best|safer|right)|looks right|only .* can)\b/,
    1.5,
  ],
]

const conclusionWords =
  'so|therefore|thus|hence|in short|in conclusion|overall|on balance|bottom line|in sum|all in all|ultimately|for now|tentatively|in the end|to conclude|conclusion|in my (?:view|opinion)|from my (?:side|view)|for my part|if you ask me|if it were up to me|were it up to me|all things considered'
const conclusionOpening = new RegExp(`^(?:${conclusionWords}|then|given|i e)\\b`)
const leadIn = new RegExp(
  `^(?:and |but )?(?:${conclusionWords}|still|yet|however|on the whole|as things stand|(?:\\w+ )?\\w{3,}ly|with some hesitation|nevertheless|even so|all the same|in any case|for the moment|instead|if pressed|for the record|hard to (?:say|tell|be sure)|to be (?:fair|honest)|honestly|frankly)$`,
)

const history =
  /\b(?:no longer (?:insist|defend|ask|claim|hold|think|argue|oppose|object)|i (?:also |will |now |hereby |gladly )*(?:withdraw|withdrew|drop my|dropped)|my first|at first|initially|originally|used to|considered|was my|my (?:second|third|next) (?:choice|favourite|preference)|in mind|wanted|in another|if we were|asked for|(?:suggested|proposed) by|in round (?:1|one))\b/
const concession =
  /\b(?:i (?:could|can) live with|i (?:(?:also|only|still) )?(?:agree|share|accept|concede|disagree|dispute|see(?! (?:no|little|not much)\b)|differ)|is right (?!and\b)\w+|in agreement|convinced me|good points|(?:not|never) (?:fight|insist|block|object|mind|argue|quarrel))\b/
const layingOut =
  /\b(?:options?|candidates?|on the table|could|can)\b.*\bor\b|^(?:options|candidates|on the table)\b|\bthe question is\b|\bwhether\b|^between\b|^of the (?:two|three|four)\b/

const decisionTitle =
  /\b(?:decision|decided|recommend|recommendation|verdict|outcome|conclusion|result|therefore|proposal|propose|position|answer|summary|plan|entscheidung|empfehlung|fazit|ergebnis|vorschlag|beschluss|bottom line|tl;?dr|resolution|choice|short version|in short|what i|my take)\b/i
const backgroundTitle =
  /\b(?:options?|candidates?|alternatives|context|facts|background|discussion|assessment|why|considered|next steps|risks?|consequences?|notes?|pros|cons|optionen|kontext|hintergrund|warum|risiken|folgen|gründe)\b/i
