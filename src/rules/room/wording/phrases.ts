/** Phrases that ask for more than one voice, by kind and language. SPEC.md § DP9. */
import { clauseStart, type Phrases, phrase } from './phrase.ts'

/** Answers that must not know of each other. */
export const apart: Phrases = {
  en: [
    phrase`(?:${clauseStart}|please |you |of you |everyone |everybody |to |should |and then )(?:answer|guess|estimate|decide|vote|propose|respond|reply|rate|rank|judge)(?: (?:it|this|that|me|each|them))? (?:independently|separately|individually|on your own)`,
    phrase`(?:without|before|don't|do not|no)~(?:read|reads|reading|see|sees|seeing|look at|looks at|looking at|peek at|peeking at) (?:each other|one another|(?:the|any) others?(?! \w)|another(?:'s)? (?:answer|reply|one)|the others?'? (?:answers?|replies|reply|numbers?|guesses)|(?:anyone|anybody|someone|somebody) else)`,
    phrase`your (?:opinions|takes|estimates|guesses|answers|views|picks|numbers)(?: please)?,? (?:separately|independently|individually)`,
    phrase`(?:independent|separate|unbiased) (?:opinions|takes|estimates|guesses|answers|views|reviews|assessments|verdicts|votes|recommendations)`,
    phrase`(?:how far|how much|where|whether|how) (?:the|your) (?:guesses|estimates|answers|opinions|numbers|views) (?:are apart|are far apart|differ|diverge|lie apart|spread|vary)|(?:compare|see the spread of) your (?:answers|estimates|guesses|takes|opinions|numbers|picks)`,
  ],
  de: [
    phrase`(?:antwortet|schätzt|entscheidet|urteilt|ratet|stimmt ab|ihr|eure|bitte)~(?:unabhängig|getrennt) voneinander|(?:unabhängig|getrennt) voneinander~(?:antwort|schätz|einschätz|meinung)\p{L}*`,
    phrase`ohne~(?:die antworten? der anderen|voneinander abzu\p{L}+|zu wissen, was die anderen)|unabhängige (?:meinungen|schätzungen|einschätzungen|urteile)`,
  ],
  fr: [
    phrase`(?:répondez|estimez|donnez|votez|jugez|vos|votre)~(?:indépendamment|séparément)|chacune? de (?:son|votre) côté|sans (?:lire|voir|regarder)~(?:les? autres?|des autres)|(?:avis|estimations|opinions) indépendant(?:e)?s`,
  ],
  es: [
    phrase`(?:responded|respondan|estimad|estimen|dad|den|votad|voten)~(?:por separado|independientemente)|cada un[oa] por su (?:lado|cuenta)|sin (?:leer|ver|mirar)~(?:los? demás|los? otros?)|(?:opiniones|estimaciones) independientes`,
  ],
}

/** More than one view is wanted, whoever gives it. */
export const voices: Phrases = {
  en: [
    phrase`(?:someone|somebody|one of you|an agent) who (?:[^?!]{1,160}?)(?:someone|somebody|one|another) who`,
    phrase`(?:want|need|like|love|get|hear|give me|collect|gather|looking for|interested in)~(?:several|multiple|different|more than one|various|diverse|all (?:your|the)|a few|a couple of|a range of|a variety of|a mix of)(?: \w+)? (?:opinions|perspectives|viewpoints|points of view|takes|voices|second opinions|views)`,
  ],
  de: [
    phrase`(?:jemand(?:en|em)?,? (?:der|die|dem))(?:[^?!]{1,160}?)(?:jemand(?:en|em)?,? (?:der|die|dem))`,
    phrase`(?:mehrere|verschiedene|unterschiedliche|mehr als eine) (?:meinungen|perspektiven|sichtweisen|blickwinkel|ansichten|stimmen)`,
  ],
  fr: [
    phrase`quelqu'un qui(?:[^?!]{1,160}?)quelqu'un qui`,
    phrase`(?:plusieurs|différents?|divers) (?:avis|points de vue|perspectives|opinions|sons de cloche)`,
  ],
  es: [
    phrase`alguien que(?:[^?!]{1,160}?)alguien que`,
    phrase`(?:varias|distintas|diferentes|múltiples|diversas) (?:opiniones|perspectivas|visiones)|(?:varios|distintos|diferentes) puntos de vista`,
  ],
}

/** Both sides of a question are wanted, each from another agent; "both sides of the boundary" are things. */
export const bothSides: Phrases = {
  en: [
    phrase`(?<=(?:hear|hearing|listen to|get|give me|give us|show me|show us|want|need|(?:i'd|would) like) (?:out |about |arguments |to hear |(?:the )?(?:arguments|case|reasons) )?(?:from |of |for )?)(?:both|the two) sides(?= (?:first|before|please|pls|argued|presented|here|now)(?!\p{L})| (?:of|on) (?:this|that|it|the (?:argument|debate|question|issue|story|matter|case|coin|trade-?off|decision))(?!\p{L})|\s*(?:[.,;:!?)–—-]|$))`,
    phrase`${clauseStart}both sides(?= please|,? (?:then|before) |\s*[:,.!]? ?(?:please|pls)?\s*$)`,
    phrase`(?:argue|present|defend|make the case for) both sides(?=,? (?:please|pls|then|of (?:this|that|it))|\s*(?:[.;:!?)–—-]|$))`,
  ],
  de: [
    phrase`(?:beide|sämtliche) seiten(?=~(?:hören|anhören|kennenlernen))|(?<=(?:höre|hör|hören wir)(?: \p{L}+){0,3} )(?:beide|sämtliche) seiten`,
  ],
  fr: [
    phrase`(?<=(?:entendre|écouter|entendons|écoutons)(?: \p{L}+){0,2} )les deux (?:côtés|parties|camps|versions|points de vue|positions|sons de cloche)`,
  ],
  es: [
    phrase`(?<=(?:oír|escuchar|oigamos|escuchemos)(?: \p{L}+)?(?: a)? )(?:(?:las dos|ambas) (?:partes|versiones|posturas|posiciones)|(?:los dos|ambos) lados)`,
  ],
}

/** The agents are to answer each other, so the second has to read the first. */
export const exchange: Phrases = {
  en: [
    phrase`(?:need|want|give me|have|hold|start|like|see|hear|run|get)(?: to \w+)? (?:the|a|this|your|you to|you two to|them to|an)?(?: \w+)? ?debate(?! (?:about|on) (?:this|it) (?:is|was))`,
    phrase`debate (?:this|it|that|each other|among yourselves|between yourselves|the (?:pros|point|question|trade))`,
    phrase`${clauseStart}(?:please |just )?(?:fight|duke|battle|slug|argue|thrash) (?:this|it|that) out`,
    phrase`(?:argue|debate|discuss|compete|play|pit|defend|make your case)~(?:against|with) (?:each other|one another)`,
    phrase`(?:argue|fight|hash|talk|battle|work|sort|slug) (?:this|it|that) out (?:among|amongst|between|with) (?:yourselves|you|each other)|(?:discuss|settle|decide|agree)~(?:among|amongst|between) (?:yourselves|the (?:two|three) of you)|put your heads together`,
    phrase`what do(?:es)? (?:you|each of you|either of you) (?:see|know|think) that the others? (?:do|does)(?:n't| not)|(?:convince|challenge|critique|criticise|criticize|rebut|push back on|poke holes in|cross-examine|argue with|argue against) (?:each other|one another)|(?:please|you|then|^)[ ,]*(?:review|check|cross-check|double-check|react to|respond to) (?:each other|one another)'s (?:answers?|work|numbers?|drafts?|reasoning|replies|proposals?)`,
    phrase`one (?:of you )?(?:to )?(?:argue|argues|defend|defends|make|makes|take|takes|speak|speaks|play|plays)~(?:for|pro|in favou?r|side|case)~(?:the other|another|one|someone)~(?:against|contra|con|opposite|other side|attack|advocate)`,
    phrase`(?:among|amongst|between) yourselves|compare notes|(?:two|three|both|all|some) of you (?:to |should |please |can |could )*(?:discuss|debate|argue|talk)(?! to me)`,
  ],
  de: [
    phrase`unter euch(?= (?:aus|ab|klären|einig\p{L}*)|\s*(?:[.,;:!?]|$))`,
    phrase`(?<=^|[.!?:,\n]\s*|bitte )(?:streitet|diskutiert|debattiert)(?: (?:euch|bitte|mal|ruhig|kurz|das|es|darüber|doch|miteinander))+`,
    phrase`(?:diskutiert|streitet|debattiert|besprecht|klärt|einigt)~(?:miteinander|untereinander|unter euch)|(?:diskutiert|debattiert) (?:das|es|darüber)(?: bitte| mal)?|(?:eine|die) (?:echte |richtige )?debatte(?=~(?:bitte|will|möchte|hören|sehen|brauche))|(?:will|möchte|brauche)~debatte`,
    phrase`überzeugt (?:euch gegenseitig|einander)|widersprecht (?:euch|einander)|(?:prüft|kritisiert|korrigiert) (?:euch gegenseitig|einander)|einer (?:ist )?dafür,? (?:und )?einer (?:ist )?dagegen`,
  ],
  fr: [
    phrase`(?:décidez|réglez|voyez|comparez|tranchez|vérifiez)~entre vous|débattez|discutez(?:-en)?~entre vous|(?:veux|voudrais|aimerais)~débat|convainquez-vous|l'un (?:de vous )?pour,? (?:et )?l'autre contre`,
  ],
  es: [
    phrase`(?:decidid|decidan|acordad|acuerden|comparad|comparen)\p{L}*~entre (?:vosotros|ustedes)|debatid|debatan|(?:discutid|discutan|discutidlo|discútanlo)(?:lo)?~entre (?:vosotros|ustedes)|(?:quiero|necesito|me gustaría)~debate|convenceos|uno a favor,? (?:y )?(?:el )?otro en contra`,
  ],
}

/** A noun after it makes another sentence of it: "was sagt ihr Chef dazu?", "was meint ihr damit?". */
const ofOpinion =
  '(?= (?:da|dazu|davon|darüber|denn|eigentlich|hier|jetzt|nun|wohl|alle|zu|zum|zur|von|vom|über|an|ist|wäre|wie|woran|ob|das|den|dem|diese[nmrs]?|anderen|so)(?!\\p{L})|\\s*(?:[.,;:!?)–—-]|$))'

/** Opinions asked of "you" in the plural, as "what do you all think?" does; English and polite French do not tell one "you" from many. */
export const pluralOpinion: Phrases = {
  en: [],
  de: [
    phrase`(?:was|wie) haltet ihr|(?:(?:was(?! genau)|welche[nrs]?)~(?:meint|denkt|glaubt|findet|sagt)|wie(?! genau)~(?:denkt|findet)) ihr${ofOpinion}|eure meinung(?:en)?`,
  ],
  fr: [phrase`vous en pensez quoi,? (?:les gars|tout le monde|l'équipe)`],
  es: [phrase`qué (?:opináis|pensáis|creéis|decís|os parece)|qué (?:opinan|piensan|creen) ustedes|qué les parece`],
}

/** A view of the person's own, laid before several: they are to weigh it, the second with the first one's answer. */
export const pluralView: Phrases = {
  en: [],
  de: [
    phrase`(?:wie|was) seht ihr|seht ihr das (?:auch so|anders)|seid ihr (?:einverstanden|einig|derselben|der gleichen)`,
  ],
  fr: [],
  es: [phrase`cómo lo veis|cómo lo (?:ven|piensan) ustedes`],
}

/** One works and another goes over it, without naming either. */
export const reviewedWork: Phrases = {
  en: [
    phrase`(?:reviewed|checked|verified|proofread|critiqued|double-checked|cross-checked|challenged) by (?:another|someone else|somebody else|a (?:second|different)|one of the others|the others?)(?: (?:agent|model|one|of you))?`,
    phrase`(?:review|critique|check|second opinion|second pass|rebuttal|counterpoint|challenge)(?: of (?:it|that|this|the)(?: \w+)?)? (?:by|from) (?:another|someone else|somebody else|a (?:second|different)|one of the others|the other)(?: (?:agent|model|one|of you))?`,
    phrase`(?:one (?:of you|agent|model)|${clauseStart}one)(?: please)? (?:writes?|drafts?|does|do|proposes?|builds?|starts?|answers?|designs?|implements?|sketch(?:es)?|outlines?|suggests?|codes?|plans?|to \w+)~(?:the other|another|a second|someone else|one of the others|the next)(?: (?:one|agent|model))?(?: of you)?~(?:checks?|reviews?|verif\w+|critiques?|edits?|improves?|attacks?|challenges?|tests?|tears?|corrects?|polish\w*|pokes?|shoots?|cuts?|tightens?|shortens?|counters?|rebuts?|breaks?|picks?)`,
    phrase`one of you(?! (?:just |already )?(?:say|said|think|thought|claim|told|tell|wrote|suggest|recommend|is|was|has|had)\w*)~(?:,|;| and) (?:then )?(?:another(?: one)?|the other(?: one)?|someone else|somebody else|a second one)(?! (?:said|says|told|wrote))`,
    phrase`${clauseStart}(?:please )?(?:somebody|someone) (?:please )?(?:write|draft|do|propose|build|start|answer|design|implement|sketch|outline|suggest|code|plan|give|make|explain)~(?:and|then|,) (?:then )?(?:somebody|someone) else \p{L}+`,
  ],
  de: [
    phrase`(?<=^|[.!?:\n]\s*)einer (?:von euch )?\p{L}+t(?: \p{L}+){0,4},? (?:und )?(?:einer|der andere) \p{L}+t(?!\p{L})`,
    phrase`(?<=^|[.!?:\n]\s*)einer(?! (?:der|dieser|meiner|unserer|ihrer|seiner|von (?!euch))) (?:von euch )?\p{L}+t(?!\p{L})~,? ?(?:und )?(?:ein|der|einer) anderer? \p{L}+t(?!\p{L})`,
    phrase`(?:eine[rs]?|einer von euch)~(?:schreibt|entwirft|macht|baut|beginnt|antwortet|schlägt)~(?:der|die|ein|eine) andere[rn]?~(?:prüft|liest|kritisiert|verbessert|kürzt|überarbeitet|korrigiert|kontrolliert|testet)|(?:geprüft|gegengelesen|überprüft) von (?:jemand|einem|einer) ander\p{L}+|\p{L}*(?:prüfung|kontrolle|kritik|review|durchsicht) (?:durch|von) (?:jemand\p{L}*|einen?|einem|einer) (?:zweiten|ander\p{L}+)|von (?:jemand|einem|einer) ander\p{L}+ (?:geprüft|gegengelesen|überprüft|prüfen|gegenlesen)`,
  ],
  fr: [
    phrase`(?:l'une? (?:de|d'entre) vous|un de vous|l'un)~(?:écrit|rédige|fait|propose|commence|répond)~(?:l'autre|un autre|quelqu'un d'autre)~(?:vérifi\p{L}*|reli\p{L}*|critiqu\p{L}*|corrig\p{L}*|amélior\p{L}*|test\p{L}*)|(?:relue?|vérifi\p{L}*|critiqu\p{L}*|relire|contrôler)(?: \p{L}+){0,3} par (?:un autre|quelqu'un d'autre|un deuxième)`,
  ],
  es: [
    phrase`(?:uno|una)(?: de (?:vosotros|ustedes))?~(?:escribe|redacta|hace|propone|empieza|responde)~(?:el otro|la otra|otro|otra)~(?:revis\p{L}*|verifi\p{L}*|critic\p{L}*|corrij\p{L}*|corrig\p{L}*|mejor\p{L}*|comprueb\p{L}*)|(?:revis\p{L}+|compr[uo]\p{L}+|verific\p{L}+)(?: \p{L}+){0,3} por (?:otro|otra|alguien más)`,
  ],
}
