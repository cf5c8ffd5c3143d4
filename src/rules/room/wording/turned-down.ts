/** Finds the words that turn down the agent a message names: "not you, gpt", "nicht du, Claude". SPEC.md § DP9. */
import { clauseOpens } from './addressed.ts'

/** `before` and `after` are the message on both sides of the name. */
export function turnsDown(before: string, after: string): string | undefined {
  const words = anyoneBut.exec(before)?.[0] ?? (closes.test(after) ? notYou.exec(before)?.[0] : undefined)
  if (words !== undefined) return words
  if (leaves.test(before) && out.test(after)) return `${leaves.exec(before)![0]}…${out.exec(after)![0]}`
  return clauseOpens.test(before) ? (notYouAfter.exec(after) ?? notToSpeak.exec(after))?.groups?.words : undefined
}

/** "anyone but gpt", "somebody other than claude"; "no one but gpt" is the opposite. */
const anyoneBut =
  /(?<!\p{L})(?<!(?<!\p{L})(?:no|no other|not one|none of you) )(?:anyone|anybody|someone|somebody|one|agent|model)(?: else)? (?:but|except|other than|besides|apart from|who is not|who isn't|that is not) $|(?<!\p{L})(?:jemand(?:en)? (?:außer|ander\p{L}+ als)|ein(?:en)? andere[rn] als|(?:quelqu'un d'autre|un autre) que|(?:alguien|otro) que no sea) $/u

/** "everyone except gpt", "alle außer claude": all others are asked. */
export const everyoneBut =
  /(?<!\p{L})(?:(?:everyone|everybody|all(?: of you)?)(?: else)? (?:but|except(?: for)?|other than|besides|apart from)|alle außer|tous sauf|tout le monde sauf|tod[oa]s (?:menos|excepto|salvo)) $/u

const thisTime =
  '(?: (?:again|this time|now|please|bitte|diesmal|jetzt|wieder|schon wieder|encore|cette fois|maintenant|svp|otra vez|esta vez|ahora|por favor))*'

/** "Not you, gpt", "anyone but you, gpt", "not this time, gpt". "Why not you, gpt?", "if not you, gpt, who?" and "it is not you, gpt" turn nobody down. */
const notYou = new RegExp(
  `(?<!\\p{L})(?<!(?<!\\p{L})(?:why|if|warum|wieso|wenn|pourquoi|si|sinon|por qué|is|is it|was it|it's|isn't|was|were|ist|bist|war|warst|est|es) )(?:(?:not|nicht|pas|no)${thisTime} (?:you|du|dich|dir|toi|vous|tú|ti|usted)|(?:du|dich)${thisTime} nicht|toi${thisTime} (?:non|pas)|(?:tú|usted)${thisTime} no|(?:any|some)(?:one|body)(?: else)? (?:but|except|other than|besides|apart from) you|jemand(?:en)? (?:außer dir|ander\\p{L}+ als du)|(?:quelqu'un d'autre|un autre) que toi|(?:alguien|otro) que no seas tú|not this time|pas cette fois|diesmal nicht|esta vez no)${thisTime},? $`,
  'u',
)

const closes = new RegExp(`^${thisTime}\\s*(?:[.,;:!?)–—]|- |$)`, 'u')

/** "gpt, not you this time: …" */
const notYouAfter = new RegExp(
  `^,? (?:please |bitte )?(?<words>not you|nicht du|du${thisTime} nicht|pas toi|toi non|tú no|no tú)${thisTime}\\s*(?:[.,;:!?)–—]|- |$)`,
  'u',
)

/** "gpt should not answer this", "Claude soll diesmal nicht antworten"; "should not answer with code" says how to answer. */
const notToSpeak = new RegExp(
  `^,? (?:please |bitte )?(?<words>(?:(?:should|must|need) not (?:answer|reply|respond)|(?:shouldn't|mustn't|needn't) (?:answer|reply|respond)|soll(?:te)?(?: \\p{L}+)? nicht antworten|ne doit pas répondre|no debe (?:responder|contestar)|que no (?:responda|conteste))(?=${thisTime}(?: (?:(?:this|that)(?: one| question)?|it|(?:the|my) question|darauf|dazu|à ça|a eso))?${thisTime}\\s*(?:[.,;:!?)–—-]|$))|sits? (?:this one|this|that) out|stays? out of (?:this|it)|halt(?:e)? dich (?:da |hier )?raus|reste en dehors)(?!\\p{L})`,
  'u',
)

/** "leave gpt out of it", "lass Claude da raus". */
const leaves = /(?<!\p{L})(?:leave|keep|lass|laisse|deja a) $/u
const out =
  /^ (?:da |hier )?(?:out of (?:this|it)|alone|raus|außen vor|in ruhe|en dehors(?: de ça)?|tranquille|fuera(?: de esto)?|en paz)(?!\p{L})/u

/** What was asked of it before is withdrawn: "gpt, forget it.", "never mind, gpt". It is asked only if nobody else is called. */
export function isDismissed(before: string, after: string): boolean {
  if (withdrawnAfter.test(after) && clauseOpens.test(before)) return true
  return /^\s*(?:[.,;!)–—]|- |$)/.test(after) && withdrawnBefore.test(before)
}

const withdrawn =
  "(?:(?:just |please |then )*(?:forget (?:it|that|about (?:it|that)|what i (?:said|asked))|ignore (?:that|my (?:last )?(?:question|message))|never ?mind(?: (?:that|it|then))?|don't (?:bother|worry)(?: about (?:it|that))?|skip (?:it|that)|drop (?:it|that)|leave it(?: (?:there|be|at that))?|stop(?: (?:it|there|now))?|that(?:'s| is) enough|no need)|(?:(?:schon|ist|alles) (?:gut|okay|ok)|vergiss (?:es|das)|lass (?:es|das)(?: (?:sein|gut sein|bleiben))?|lass (?:gut sein|mal|stecken)|hat sich erledigt|schon erledigt|nicht (?:mehr )?nötig)|(?:laisse(?: tomber)?|oublie(?:-le| ça)?|(?:c'est |ce n'est )?pas (?:grave|la peine)|peu importe|tant pis)|(?:déjalo|olvídalo|da igual|no importa|no hace falta|ya no))"

/** "gpt, forget it." ends there; "gpt, drop it from the list" is a task. */
const withdrawnAfter = new RegExp(
  `^(?:,|:| [-–—])? ?(?:(?:ok|okay|thanks|thank you|danke|merci|gracias),? )?${withdrawn}(?: (?:please|bitte|now|jetzt|thanks|danke))?\\s*(?:[.,;!)\\n–—]|- |$)`,
  'u',
)

/** Not after a comma: in "cyd, forget it, ada, …" it is said to cyd. */
const withdrawnBefore = new RegExp(
  `(?:^|[.!?;:\\n–—]\\s*)(?:(?:ok|okay|oh|ah|no|well|sorry|nein|ach|non|bon|bueno)[ ,]+)*${withdrawn}(?:,| then,?)? $`,
  'u',
)
