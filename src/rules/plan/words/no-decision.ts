/** Tells an answer that settles nothing from a decision. SPEC.md § CX2. */

/**
 * Empty, or a first sentence that leaves the matter open (“no preference”, “egal”), with at most a remark behind it that demands
 * nothing. A plain no or none is a decision.
 */
export function settlesNothing(answer: string): boolean {
  const [, head = '', rest = ''] = /^([^.!;,:–—\n]*)([\s\S]*)$/.exec(answer.trim().replaceAll('’', "'")) ?? []
  if (!open.test(head.trim())) return false
  return rest.split(/\s+/).length <= longestRemark && !demanding.test(rest) && !names.test(rest)
}

const longestRemark = 25

/** A number, code, or a name such as JSON: the remark says something after all. */
const names = /\d|`|\b[A-Z]{2,}\b/

const open = new RegExp(
  `^(?:${[
    '|[-—?]+|n/?a|not applicable',
    '(?:none|nothing|no one)(?: of (?:them|these|those))? in particular|nothing special|no (?:particular |strong |real )?(?:preference|opinion|idea)s?',
    "(?:(?:i|we) )?(?:do not|don't) (?:care|mind|know)(?: which)?|(?:(?:it|that) )?(?:does not|doesn't) matter|(?:(?:i am|i'm|we are) )?not sure|all the same(?: to (?:me|us))?",
    '(?:either|any(?:thing|one| of (?:them|these))?|both)(?: (?:one|way))? (?:is|are|would be|will be) (?:fine|ok|okay)|either way|whatever|whichever',
    "(?:(?:whatever|whichever|as|what) )you (?:like|wish|want|prefer|see fit|think(?: (?:best|is best|right))?)|you (?:decide|choose|pick)|(?:it is |it's )?(?:up to you|your (?:choice|call))|leave it (?:open|to (?:you|the (?:team|agents)))",
    '(?:(?:das )?ist )?(?:mir |uns )?(?:ganz )?(?:egal|gleich|einerlei)|keine (?:präferenz|vorliebe|ahnung|meinung|vorgabe)|weiß (?:ich |wir )?nicht|(?:wie|was) (?:du|ihr|sie) (?:willst|wollt|wollen|möchtest|möchten|meinst|meinen)|entscheide(?:t|n)? (?:du|ihr|sie|selbst)(?: selbst)?|nichts bestimmtes',
    'peu importe|comme (?:tu veux|vous voulez)|(?:aucune|pas de) préférence|je ne sais pas|(?:me )?da igual|como (?:quieras|quieran)|(?:sin|ninguna) preferencia|no sé',
  ].join('|')})$`,
  'i',
)

/** The remark asks for something after all. */
const demanding =
  /\b(?:but|only|except|unless|must|should|shall|never|not|at least|at most|as long as|if|prefer|rather|better|keep|use|aber|nur|außer|muss|soll|nicht|mindestens|höchstens|solange|wenn|lieber|hauptsache|mais|sauf|doit|pero|salvo|debe)\b/i
