/** Tells whether a second agent is to work on what the first one makes: "have gemini outline it and gpt cut it". SPEC.md § DP9. */
import { clauseOpens, isAddressed } from './addressed.ts'
import type { NameAt } from './names.ts'

/** The first task may be long; the second speaker still belongs to it. */
export const farthest = 600

/** The words that hand over from the first to the second, who is named next. */
export function handsOver(text: string, first: NameAt, second: Pick<NameAt, 'at' | 'end'>): string | undefined {
  const before = text.slice(0, first.at).replace(/@$/, '')
  const [between, after] = [text.slice(first.end, second.at), text.slice(second.end)]
  if (between.length > farthest) return undefined
  if (goesOn(before, between, after)) return text.slice(first.at, second.end)
  if (!isAddressed(before, text.slice(first.end))) return undefined
  const said = /[.?!;,]\s*@?$/.test(between) ? `${between} ${/^[^.?!\n]{0,80}/.exec(after)![0]}` : between
  return theirAnswer.exec(said)?.[0]
}

/** "Have gpt write the API and claude the tests": the second is told what to do as well. */
export function isAlsoTold(before: string, between: string): boolean {
  return lets.test(before) && andNext.test(between)
}

function goesOn(before: string, between: string, after: string): boolean {
  if (actsOn.test(between) && /(?:,|;| and| und| et| y) @?$/.test(between) && actsOn.test(after)) return true
  const isOrdered =
    lets.test(before) ||
    (clauseOpens.test(before) && /^ (?:should|soll|sollte|doit|devrait|debe|debería) /.test(between))
  if (isOrdered && andNext.test(between)) return takesOver.test(after)
  if (asksTo.test(before) && / (?:and|et (?:ensuite )?à|y (?:luego )?a) @?$/.test(between))
    return isToTakeOver.test(after)
  if (hasDone.test(before) && doneByNext.test(between)) return true
  if (!/^\s?[:,] /.test(between) || !clauseOpens.test(before)) return false
  return (
    (/[.;!?\n]\s*@?$/.test(between) && goesOnFrom.test(after)) ||
    (/[.;!\n]\s*@?$/.test(between) && asksOpinion.test(after))
  )
}

/** A verb in the third person that is neither a report nor a part of its own. */
const actsOn =
  /^ (?!is |was |has |does |says |thinks |takes |handles |covers |this |us |yes |thanks |plus |as |ist |hat |sagt |meint |macht die |nimmt )(?:\p{L}{3,}s|fängt|beginnt|macht|schreibt|entwirft|prüft|liest|kommentiert|ergänzt|kürzt|antwortet)(?=[ ,.:;!?]|$)/u

/** "Have gpt …", "Lass Claude …", "Laisse gemini …", "Que gpt …": somebody else is told what gpt is to do. */
export const lets =
  /(?<!\p{L})(?:(?:have|let|get|ask|lass|lasst|frage?|laisse[rz]?|fais|faites|demande[rz]? à|deja que|haz que|pregunta a|pregúntale a)(?: (?:bitte|mal|erst|zuerst|first|d'abord|primero))*|(?:^|(?<=[.!?:\n]\s*)|(?:veux|voudrais|aimerais|quiero|quisiera|gustaría) )que) @?$/u

const andNext =
  / (?:and|und|et|y|e) (?:(?:then|dann|danach|anschließend|ensuite|puis|luego|después) )?(?:(?:have|let|get|lass|laisse|fais|que|deja que|haz que) |qu')?@?$/

/** "Have it written by gpt and checked by claude". */
const hasDone = /(?<!\p{L})(?:have|get|lass|lasst|fais|faites|haz)(?!\p{L})[^.?!\n]* (?:by|von|par|por) @?$/u
const doneByNext =
  /^(?: \p{L}+)?,? (?:and|und|et|y)(?: (?:then|dann|ensuite|luego))?(?: \p{L}+)? (?:by|von|par|por) @?$/u

const english = '(?:(?:should|to|can) )?\\p{L}+(?: \\p{L}+)? (?:it|that|them|this|him|her)'
const germanChecks =
  '(?:prüfen|gegenlesen|überarbeiten|kürzen|kritisieren|verbessern|kommentieren|korrigieren|testen|bewerten|zerlegen|ergänzen)'
const frenchChecks =
  '(?:rel[ui]|vérifi|critiqu|corrig|amélior|raccourci|test|comment|complèt|attaqu|valid|résum|jug|conteste)\\p{L}*'
const spanishChecks =
  '(?:revis|verifi|comprueb|critiqu|corrij|mejor|acort|rebat|resum|coment|prueb|ataqu|complet|valid|simplifi)\\p{L}*'

/** After the second name: does something to what the first made. "la base" and "das Frontend" are parts of their own. */
const takesOver = new RegExp(
  `^ (?:${english}|(?:soll |sollte |dann |danach )*(?:(?:ihn|sie|es|das|ihm|dazu|daran)(?: \\p{L}+){0,4}? \\p{L}+[er]?n(?=\\s*(?:[.,;!?:]|$))|(?:(?:den|die|das) \\p{L}+ )?${germanChecks})|(?:doit |peut |devrait )?(?:les? |la |l')(?:\\p{L}+(?:er|ir|re)|${frenchChecks})|(?:lo|la|los|las) ${spanishChecks}|(?:debe |puede )?\\p{L}+[aei]rl[oa]s?)(?!\\p{L})`,
  'u',
)

const asksTo = /(?<!\p{L})(?:want|like|need|ask|demande[rz]? à|pide a|pídele a|dile a) @?$/u

const isToTakeOver =
  /^ (?:to \p{L}+(?: \p{L}+)? (?:it|that|them|this)|de (?:les? |la |l')\p{L}+|que (?:lo|la|los|las) \p{L}+)(?!\p{L})/u

/** "claude: write it. gpt: improve it.", "…; gpt, relis-la": an order about what the first was asked for; a question is none. */
const goesOnFrom =
  /^\s?[:,] (?:(?:please|bitte|then|dann|puis|ensuite|luego) )*(?!(?:is|are|was|does|do|did|has|can|could|would|will|should|why|how|what|when|where|who) )(?:\p{L}+(?: \p{L}+)? (?:it|that|them|this)|(?!\p{L}+t )\p{L}{3,}(?: bitte| mal| dann| kurz)* (?:ihn|sie|es|das|dazu|daran|darauf)|\p{L}+-(?:les?|la|y)|\p{L}*[áéíóú]\p{L}*l[oa]s?|(?:haz|pon|di)l[oa]s?)(?!\p{L})/u

/** "Otto, propose a name. Iris, what do you think of it?" */
const asksOpinion =
  /^\s?[:,] [^.?!\n]*(?:think (?:of|about) (?:it|that|this)|hältst du davon|(?:meinst|sagst) du dazu|en penses|en dis-tu|te parece|(?:opinas|piensas) de (?:eso|ello))(?!\p{L})/u

/** "… and tell me what you think of his answer, claude". */
const theirAnswer =
  /(?<!\p{L})(?:(?:his|her|its|their) (?:answers?|reply|list|draft|reasoning|view|numbers?|work|code|proposal|result|version|summary|take|estimate|plan|tests?|patch|fix|query|function)|(?:seine|ihre)[rmns]? (?:antwort|liste|rechnung|zahlen|lösung|version|zusammenfassung|einschätzung|schätzung|meinung|tests|abfrage|funktion)|(?:sein|ihr)(?:e[nms])? (?:entwurf|vorschlag|code|ergebnis|plan|text|test|patch)|(?:sa|son|ses|leurs?) (?:réponse|liste|brouillon|avis|proposition|version|code|calcul|chiffres|estimation|résumé|plan|travail|analyse|tests?|requête|fonction)|sus? (?:respuesta|lista|borrador|propuesta|versión|código|cálculo|cifras|estimación|resumen|plan|trabajo|análisis|opinión|tests?|consulta|función))(?!\p{L})/u
