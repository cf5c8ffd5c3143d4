/** Phrases, by what they ask for and language. Each speaks to the agents: "each of you", never "each request". SPEC.md § DP9. */
import { type Phrases, phrase } from './phrase.ts'

/** Reports what the agents did, or greets them, instead of asking them all something. */
const reported =
  '(?! (?:just |have |had |already |also |both |all )*(?:said|say|says|told|agreed|disagree|disagreed|differ|differed|wrote|suggested|recommended|proposed|mentioned|missed|got|gave|are|were|is|was)(?![a-z]))'

/** Follows "you all" where "all" belongs to the next noun: "can you all the files", "give you all of it". */
const ofThings = '(?! (?:the|of|my|our|your|that|this|these|those|its|their|in one|at once|know)(?![a-z]))'

const numbers = '(?:two|three|four|five)'
const views =
  '(?:takes?|views?|opinions?|guess|guesses|thoughts|estimates?|answers?|numbers?|votes?|picks?|verdicts?|gut feelings?|recommendations?|first reactions?)'

/** A part of an answer that one person gives: "one word each", never "512 MB each". */
const unit =
  '(?:word|sentence|line|number|reason|idea|risk|point|pick|vote|paragraph|name|opinion|take|view|guess|estimate|answer|example|argument|thing|bullet|option|favou?rite|question|suggestion)'

/** Where an order or a wish begins: the start of the message, of a sentence or of a clause. */
const clauseStart = '(?<=^|[.!?:;,\\n)]\\s*|[–—-] )'

/** Every agent is to speak. */
export const everyone: Phrases = {
  en: [
    phrase`(?:each|every one|every single one|all|both|(?:all |the )?${numbers}) of you${reported}`,
    phrase`(?:would|do|could|can|will|should|are|did|have|how|if|want|like|need|ask|asking|hear) you (?:all|both|three|two|guys all)${reported}${ofThings}`,
    phrase`what (?:do|would|did) you (?:guys|folks|lot) (?:think|say|do|make|suggest|recommend|prefer)|what (?:do|would) y'all`,
    phrase`(?:what|how) (?:does|do|would|did) (?:everyone|everybody|all ${numbers})(?: here)? (?:think|say|suggest|recommend|do|pick|choose|prefer|guess|estimate|feel|see|vote)`,
    phrase`(?:everyone|everybody|all ${numbers}|you ${numbers})(?: here)?[,:]? (?:please |pls )?(?:give|name|pick|tell me|vote|guess|answer|write|list|propose|post|share|state|rate|weigh in|chime in)`,
    phrase`(?:everyone|everybody)(?:'s)?(?: \w+)? (?:${views}|reactions?|favou?rites?|preferences?|choices?|impressions?|input|stance|positions?|approach)`,
    phrase`(?<=^|[.!?\n]\s*)(?:(?:hey|ok|okay|so|now),? )?(?:everyone|everybody|all ${numbers}|all of you)(?: please)?(?=[,:](?! (?:except|including|even|but|from|on|in|not|who|that|which|and|or) ))`,
    phrase`(?:think|say|, |do|vote|decide),? ?(?:everyone|everybody|all of you)(?=\s*\?\s*$)`,
    phrase`(?:what|how|which) (?:do|does|would|should|did|is|are) (?:each|every|all) (?:of the )?(?:agents?|models?)|what's (?:each|every) (?:agent|model)'s`,
    phrase`(?:each|every) (?:agent|model),? (?:please |should |must |to |is to )+(?:answers?|gives?|names?|picks?|votes?|says?|writes?|states?|proposes?)(?= )`,
    phrase`(?:${clauseStart}|please |you )each (?:please )?(?:give|name|pick|tell|say|write|list|propose|state|rate|rank|choose|suggest|send|post|estimate|guess|vote|answer|come up with) (?:me|us|one|two|three|your|a|an|just|exactly|with|in|for)`,
    phrase`(?:are|do|would|could|can|should|will|have|did|what|how) you each`,
    phrase`${clauseStart}each(?: of you)?,? (?:please )?in (?:a|one|two|three|at most \w+|\d+) (?:\w+ )?${unit}s?`,
    phrase`(?:${clauseStart}|give me |want |need |please |only |just )(?:in )?(?:a|one|two|three|just one|no more than \w+|at most \w+|a single|max \w+|1|2|3) (?:\w+ )?${unit}s?(?: from)? each(?=\s*(?:please|pls)?\s*(?:[.,;:!?)–—-]|$))`,
    phrase`${views}(?:,? please,?)?(?: on \w+ \w+)? from (?:everyone|everybody|all|all sides|you all|the (?:whole )?(?:room|group|panel))(?=\s*(?:please|here|in here)?\s*(?:[.,;:!?)–—-]|$)| (?:on|about|regarding) )`,
    phrase`(?<=, )(?:all ${numbers}|all of you|each of you|both of you|every one of you)(?: please)?(?=\s*(?:[.?!]|$))`,
    phrase`(?:poll|polling|asking|ask|survey) (?:the|this) (?:room|table|group|panel)`,
    phrase`your (?:individual|separate|independent|respective) (?:\w+ )?${views}`,
    phrase`(?:from|by) each (?:of you|agent|model|one of you)|(?:hear|input|answers?|opinions?|an? \w+|one \w+) from (?:everyone|everybody|all of you|all ${numbers}|both of you|every agent|every model)`,
    phrase`(?:give|tell|send|write|name|pick|post|suggest|propose)(?: me)? (?:one|your|two|three|just one|a single|exactly one) (?:\w+ ){0,3}each(?= please|\s*(?:[.,;:!?)–—-]|$))`,
    phrase`(?:let's |we )?go(?:ing)? (?:a)?round the (?:room|table)|show of hands|(?:quick|straw) vote|(?:please vote|vote,? please)|take a (?:quick )?vote|let's (?:have a |take a )?vote|(?:quick|straw) poll|cast your votes?`,
  ],
  de: [
    phrase`(?:jede[rsnm]?|jede[rsnm]? einzelne[rsnm]?|alle|beide|allen|beiden|(?:alle |allen )?(?:zwei|drei|vier)) von euch${reported}`,
    phrase`ihr (?:alle|beide|beiden|drei|zwei)(?! (?:habt|seid|wart|sagt(?:et)?)(?!\p{L}))|euch (?:alle|allen|beide|beiden|dreien)`,
    phrase`${clauseStart}jede[rs]?(?:,? (?:bitte|mal|kurz|nur|und jede[rs]?|von euch|für sich|gibt|nennt|schreibt|schätzt|sagt|antwortet|wählt|mit))*,? (?:(?:genau|höchstens|maximal|je) )?(?:in )?(?:ein|eine|einen|einem|einer|eins|zwei|drei|seine[nr]?|kurz|für sich|\d+)(?!\p{L})`,
    phrase`(?:gebt|nennt|sagt|schreibt|schätzt|wählt|antwortet|bewertet|schickt|macht|entscheidet)(?: mir| uns| euch)?(?: bitte| mal| kurz)* (?:jede[rs]?|alle|beide|alle (?:drei|zwei|vier)|jeweils|je (?=eine?n? ))`,
    phrase`(?:ein(?:e|en)?|zwei|drei|kurze?|je) (?:\p{L}+ )?(?:wort|wörter|satz|sätze|zahl|zeile|zeilen|meinung|einschätzung|schätzung|idee|tipp|antwort|vorschlag|risiko|grund)(?: bitte)?(?: von)? (?:jedem|jedem von euch|allen|euch allen|allen dreien|jeder|pro nase|pro kopf)(?=\s*(?:bitte|hier)?\s*(?:[.,;:!?)–—-]|$))`,
    phrase`(?:gern|gerne|möchte|will|brauche|bitte)(?: \p{L}+)? von (?:allen|jedem|euch allen|allen (?:drei(?:en)?|beiden))(?= (?:eine?n?|kurz|je|bitte|hören|wissen|dazu)(?!\p{L})|\s*(?:[.,;:!?)–—-]|$))`,
    phrase`(?<=^|[.!?\n]\s*)(?:an alle|alle (?:drei|zwei|vier|zusammen)|alle mal|alle)(?: bitte)?(?=[,:]| bitte)`,
    phrase`(?:seid ihr(?: euch)?|findet ihr|würdet ihr|macht ihr|habt ihr|wollt ihr|könnt ihr) (?:da |das |es )?(?:alle|beide|alle (?:drei|zwei)|jeweils|jeder)`,
    phrase`(?:was|wie) (?:sagt|meint|denkt|findet|hält|sieht|schätzt) (?:denn |das )?(?:jeder(?: (?:von euch|einzelne))?|ihr jeweils)(?= |\s*[?,]|$)`,
    phrase`eure (?:einschätzungen|meinungen|schätzungen|ansichten|tipps|antworten|zahlen)`,
    phrase`(?:lasst uns |bitte )abstimmen|handzeichen bitte|stimmt(?: bitte| mal| kurz)* ab(?=[ .,:!?]|$)`,
  ],
  fr: [
    phrase`${clauseStart}chacune?(?: (?:à son tour|svp|s'il vous plaît))?(?= ?[,:]| (?:une?|deux|trois|en|avec|donne|dit|répond|propose|choisit|vote|estime|écrit|votre|vos)(?!\p{L}))`,
    phrase`chacune? (?:de|d'entre) vous|(?:tous|toutes) les (?:deux|trois)[, ]+(?:vous|donnez|dites|répondez)|vous (?:tous|toutes|trois)`,
    phrase`(?:l'avis|l'opinion|une? [^.?!\n]{1,25}) de (?:chacun|chacune|tous|vous tous|vous trois|vous deux)|vos (?:avis|opinions|estimations) (?:respectifs|respectives|à tous|à chacun)`,
    phrase`que chacune? (?:donne|dise|réponde|propose|choisisse|vote|estime|note)|votez(?: tous)?|chacune? (?:son|sa|ses|votre|vos) (?:avis|opinion|estimation|vote|idées?|choix)`,
    phrase`(?:une?|deux|trois)(?: seule?)? \p{L}+(?: de)? chacune?(?=\s*(?:svp|s'il vous plaît)?\s*(?:[.,;:!?)–—-]|$))`,
    phrase`(?:donnez|dites|proposez|choisissez|nommez|répondez|votez|écrivez|citez|notez|estimez|envoyez)(?:-moi|-nous)?,? (?:tous|toutes|chacune?|tous les (?:deux|trois))`,
    phrase`(?:vous \p{L}+|(?:êtes|pensez|feriez|seriez|avez|diriez|préférez|choisiriez)-vous) (?:tous|toutes|chacune?)(?! (?:les|mes|nos|ces|des|vos|leurs)(?!\p{L}))`,
    phrase`(?:entendre|savoir ce que pensent?|demande à|avis de|opinion de|que pensent?|qu'en pensent?)~(?:tout le monde|chacune?|vous (?:tous|trois|deux)|tous)(?=\s*(?:[.,;:!?)–—-]|$)| (?:avant|sur|ici))`,
  ],
  es: [
    phrase`${clauseStart}cada un[oa](?= ?[,:]| (?:una?|dos|tres|en|con|su|por favor|dé|diga|elija|proponga|responda|vote|estime)(?!\p{L}))`,
    phrase`cada (?:uno|una) de (?:vosotr[oa]s|ustedes)|tod[oa]s (?:vosotr[oa]s|ustedes)|(?:ustedes|vosotr[oa]s) (?:dos|tres|tod[oa]s)|l[oa]s (?:dos|tres) de (?:vosotr[oa]s|ustedes)`,
    phrase`que cada (?:uno|una) (?:dé|diga|proponga|responda|elija|estime|vote)|la opinión de (?:cada (?:uno|una)|todos|los tres|los dos)|votad|voten`,
    phrase`(?:una?|dos|tres)(?: sol[oa])? \p{L}+ (?:de )?cada un[oa](?=\s*(?:por favor)?\s*(?:[.,;:!?)–—-]|$))`,
    phrase`(?:opinad|opinen|dadme|decidme|denme|díganme|dad|den|decid|digan|nombrad|nombren|elegid|elijan|proponed|propongan|responded|respondan|escribid|escriban|estimad|estimen)(?:me|nos)?,? (?:cada un[oa]|tod[oa]s|l[oa]s (?:dos|tres))`,
    phrase`(?:estáis|están|pensáis|piensan|creéis|creen|opináis|opinan|haríais|harían|elegiríais|elegirían|coincidís|coinciden) (?:ustedes |vosotr[oa]s )?(?:tod[oa]s|l[oa]s (?:tres|dos)|cada un[oa])(?! (?:los|las|mis|tus|sus|l[oa]s \p{L}+)(?!\p{L}))`,
    phrase`(?:oír|oíros|escuchar|escucharos|opiniones? de|preguntar|pregunto) (?:a )?(?:l[oa]s (?:tres|dos)|tod[oa]s|cada un[oa])(?=\s*(?:[.,;:!?)–—-]|$)| (?:antes|sobre|primero|y|en)(?!\p{L}))`,
  ],
}

/** Answers that must not know of each other. */
export const apart: Phrases = {
  en: [
    phrase`(?:${clauseStart}|please |you |of you |everyone |everybody |to |should |and then )(?:answer|guess|estimate|decide|vote|propose|respond|reply|rate|rank|judge)(?: (?:it|this|that|me|each|them))? (?:independently|separately|individually|on your own)`,
    phrase`(?:without|before|don't|do not|no)~(?:read|reads|reading|see|sees|seeing|look at|looks at|looking at|peek at|peeking at) (?:each other|one another|(?:the|any) others?(?! \w)|another(?:'s)? (?:answer|reply|one)|the others?'? (?:answers?|replies|reply|numbers?|guesses)|(?:anyone|anybody|someone|somebody) else)`,
    phrase`(?:independent|separate|unbiased) (?:opinions|takes|estimates|guesses|answers|views|reviews|assessments|verdicts|votes|recommendations)`,
    phrase`(?:how far|how much|where|whether|how) (?:the|your) (?:guesses|estimates|answers|opinions|numbers|views) (?:are apart|are far apart|differ|diverge|lie apart|spread|vary)|(?:compare|see the spread of) your (?:answers|estimates|guesses|takes|opinions|numbers|picks)`,
  ],
  de: [
    phrase`(?:antwortet|schätzt|entscheidet|urteilt|ratet|stimmt ab|ihr|eure|bitte)~(?:unabhängig|getrennt) voneinander|(?:unabhängig|getrennt) voneinander~(?:antwort|schätz|einschätz|meinung)\p{L}*`,
    phrase`ohne~(?:die antworten? der anderen|voneinander abzu\p{L}+|zu wissen, was die anderen)|unabhängige (?:meinungen|schätzungen|einschätzungen|urteile)`,
  ],
  fr: [
    phrase`(?:répondez|estimez|donnez|votez|jugez|vos|votre)~(?:indépendamment|séparément)|sans (?:lire|voir|regarder)~(?:les? autres?|des autres)|(?:avis|estimations|opinions) indépendant(?:e)?s`,
  ],
  es: [
    phrase`(?:responded|respondan|estimad|estimen|dad|den|votad|voten)~(?:por separado|independientemente)|sin (?:leer|ver|mirar)~(?:los? demás|los? otros?)|(?:opiniones|estimaciones) independientes`,
  ],
}

/** More than one view is wanted, whoever gives it. */
export const voices: Phrases = {
  en: [
    phrase`(?:someone|somebody|one of you|an agent) who (?:[^?!]{1,160}?)(?:someone|somebody|one|another) who`,
    phrase`(?:want|need|like|love|get|hear|give me|collect|gather|looking for|interested in)~(?:several|multiple|different|more than one|various|diverse|all (?:your|the)|a few|a couple of|${numbers})(?: \w+)? (?:opinions|perspectives|viewpoints|points of view|takes|voices|second opinions|views)`,
  ],
  de: [
    phrase`(?:jemand(?:en|em)?,? (?:der|die|dem))(?:[^?!]{1,160}?)(?:jemand(?:en|em)?,? (?:der|die|dem))`,
    phrase`(?:mehrere|verschiedene|unterschiedliche|mehr als eine|zwei|drei) (?:meinungen|perspektiven|sichtweisen|blickwinkel|ansichten|stimmen)`,
  ],
  fr: [
    phrase`quelqu'un qui(?:[^?!]{1,160}?)quelqu'un qui`,
    phrase`(?:plusieurs|différents?|deux|trois|divers) (?:avis|points de vue|perspectives|opinions|sons de cloche)`,
  ],
  es: [
    phrase`alguien que(?:[^?!]{1,160}?)alguien que`,
    phrase`(?:varias|distintas|diferentes|múltiples|dos|tres|diversas) (?:opiniones|perspectivas|visiones)|(?:varios|distintos|diferentes) puntos de vista`,
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
  ],
  de: [
    phrase`(?<=^|[.!?:,\n]\s*|bitte )(?:streitet|diskutiert|debattiert)(?: (?:euch|bitte|mal|ruhig|kurz|das|es|darüber|doch|miteinander))+`,
    phrase`(?:diskutiert|streitet|debattiert|besprecht|klärt|einigt)~(?:miteinander|untereinander|unter euch)|(?:diskutiert|debattiert) (?:das|es|darüber)(?: bitte| mal)?|(?:eine|die) (?:echte |richtige )?debatte(?=~(?:bitte|will|möchte|hören|sehen|brauche))|(?:will|möchte|brauche)~debatte`,
    phrase`überzeugt (?:euch gegenseitig|einander)|widersprecht (?:euch|einander)|(?:prüft|kritisiert|korrigiert) (?:euch gegenseitig|einander)|einer (?:ist )?dafür,? (?:und )?einer (?:ist )?dagegen`,
  ],
  fr: [
    phrase`débattez|discutez(?:-en)?~entre vous|mettez-vous d'accord|(?:veux|voudrais|aimerais)~débat|convainquez-vous|l'un (?:de vous )?pour,? (?:et )?l'autre contre`,
  ],
  es: [
    phrase`debatid|debatan|(?:discutid|discutan|discutidlo|discútanlo)(?:lo)?~entre (?:vosotros|ustedes)|(?:quiero|necesito|me gustaría)~debate|poneos de acuerdo|convenceos|uno a favor,? (?:y )?(?:el )?otro en contra`,
  ],
}

/** An opinion asked of several in the plural; English and polite French do not tell one "you" from many. */
export const pluralOpinion: Phrases = {
  en: [],
  de: [
    phrase`(?:wie|was) (?:seht|meint|denkt|haltet|glaubt|findet|sagt) ihr|(?:wie|was)~(?:meint|denkt|findet|haltet|sagt) ihr|eure meinung(?:en)?|seht ihr das (?:auch so|anders)|seid ihr (?:einverstanden|einig|derselben|der gleichen)`,
  ],
  fr: [phrase`vous en pensez quoi,? (?:les gars|tout le monde|l'équipe)`],
  es: [
    phrase`qué (?:opináis|pensáis|creéis|decís|os parece)|cómo lo veis|(?:qué|cómo lo) (?:opinan|piensan|creen|ven) ustedes|qué les parece`,
  ],
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
    phrase`(?<=^|[.!?:\n]\s*)einer(?! (?:der|dieser|meiner|unserer|ihrer|seiner|von (?!euch))) (?:von euch )?\p{L}+t(?!\p{L})~,? ?(?:und )?(?:ein|der|einer) anderer? \p{L}+t(?!\p{L})`,
    phrase`(?:eine[rs]?|einer von euch)~(?:schreibt|entwirft|macht|baut|beginnt|antwortet|schlägt)~(?:der|die|ein|eine) andere[rn]?~(?:prüft|liest|kritisiert|verbessert|kürzt|überarbeitet|korrigiert|kontrolliert|testet)|(?:geprüft|gegengelesen|überprüft) von (?:jemand|einem|einer) ander\p{L}+|von (?:jemand|einem|einer) ander\p{L}+ (?:geprüft|gegengelesen|überprüft|prüfen|gegenlesen)`,
  ],
  fr: [
    phrase`(?:l'une? (?:de|d'entre) vous|un de vous|l'un)~(?:écrit|rédige|fait|propose|commence|répond)~(?:l'autre|un autre|quelqu'un d'autre)~(?:vérifi\p{L}*|reli\p{L}*|critiqu\p{L}*|corrig\p{L}*|amélior\p{L}*|test\p{L}*)|(?:relue?|vérifiée?|critiquée?) par (?:un autre|quelqu'un d'autre|un deuxième)`,
  ],
  es: [
    phrase`(?:uno|una)(?: de (?:vosotros|ustedes))?~(?:escribe|redacta|hace|propone|empieza|responde)~(?:el otro|la otra|otro|otra)~(?:revis\p{L}*|verifi\p{L}*|critic\p{L}*|corrij\p{L}*|corrig\p{L}*|mejor\p{L}*|comprueb\p{L}*)|(?:revisado|comprobado|verificado) por (?:otro|otra|alguien más)`,
  ],
}

const subject = "(?:it|this|that|these|those|him|her|them|the \\w+|what \\w+ (?:said|wrote|proposed)|\\w+'s \\w+)"
const checks =
  '(?:check|verify|confirm|review|double-check|double check|cross-check|sanity-check|sanity check|look (?:at|over)|go over|challenge|second|validate|proofread|critique|poke holes in)'
const somebody =
  '(?:some(?:one|body)|any(?:one|body)|another (?:(?:one|agent|model)(?: of you)?|of you)|one of (?:you|the others)|a different (?:one|agent|model))'

/** Somebody other than the last speaker is to look at what was said. */
export const otherView: Phrases = {
  en: [
    phrase`${clauseStart}(?:please |pls )?(?:someone|somebody|one of you|another (?:one|agent|model)|one of the others)(?: else)?,? (?:please |pls )+(?:quickly )?${checks} ${subject}`,
    phrase`(?:can|could|would|will|may|might|should) ${somebody}(?: else)? (?:please |quickly |maybe |also )*${checks} ${subject}`,
    phrase`(?:does|do|did|would|has|is) (?:some(?:one|body)|any(?:one|body))(?: else)? (?:here )?(?:agree|see (?:it|this|that)|read (?:it|this|that|the \w+)|think (?:differently|otherwise)|see a (?:problem|flaw|hole)|have (?:a different|another|anything to add))`,
    phrase`any(?:one|body)(?: else)? (?:agrees?|sees? (?:it|this|that) differently|reads? \w+ \w+ differently)(?=~(?:\?|$))`,
    phrase`(?:some(?:one|body)|any(?:one|body)) else(?:'s)?(?= (?:take|view|opinion|check|verify|confirm|look|agree|disagree|idea|want|weigh|chime|think|say|suggest|answer|recommend|see)|\s*\?)`,
    phrase`(?:a |an )?(?:second|another|different|other|fresh) (?:opinion|pair of eyes|set of eyes|eyes|view|take|perspective|voice)(?=(?: (?:on (?:that|this|it|his|her|the \w+)|please|here|before|from))|\s*[.?!,]|\s*$)`,
    phrase`(?:is|was|are) (?:that|this|it|these|those)(?: \p{L}+)? (?:really |actually |even |still )?(?:right|correct|true|accurate|plausible|realistic)(?=\s*\?)|does (?:that|this|it)(?: \p{L}+)? (?:really |actually )?(?:hold up|hold water|check out|add up|sound right)`,
    phrase`${clauseStart}(?:please |pls )?(?:check|verify|double-check|fact-check|confirm) (?:that|this|it|these|those)(?: \p{L}+)?(?: please| pls)?(?=\s*(?:[.!?,]|$))(?! again)`,
    phrase`not (?:convinced|sure (?:that's|that is|i (?:buy|believe|trust)))~(?:any(?:one|body)|some(?:one|body)|other)`,
  ],
  de: [
    phrase`(?:kann|könnte|mag|würde|soll|sollte)(?: das| es| bitte| mal| kurz)* (?:(?:noch )?jemand|einer|wer|ein(?:e|er)? andere[rs]?(?: von euch)?|einer von euch)(?: anders| anderes| anderer| sonst)?(?: das| es| bitte| mal| kurz| noch| \p{L}+s zahlen?)* (?:prüfen|gegenlesen|bestätigen|checken|nachrechnen|drüberschauen|überprüfen|gegenprüfen|ansehen|anschauen|widersprechen)`,
    phrase`stimmt (?:das|es)(?: so| wirklich| denn| überhaupt)*(?=\s*\?)|(?:ist|war) das (?:wirklich |so |denn )*(?:richtig|korrekt|wahr|plausibel)(?=\s*\?)|(?<=^|[.!?\n]\s*)(?:bitte )?(?:prüft?|überprüft?) (?:das|es)(?: bitte| mal| kurz)*(?=\s*(?:[.!,]|$))`,
    phrase`sieht (?:das|es)(?: hier)? (?:jemand|wer|einer) anders|(?:zweite|andere|weitere) meinung|(?:jemand|wer) anders(?= |\?|$)~(?:meinung|dazu|prüfen)`,
  ],
  fr: [
    phrase`(?:c'est|est-ce) (?:bien |vraiment )?(?:vrai|juste|correct|exact)(?=\s*\?)`,
    phrase`(?:quelqu'un|un autre)(?: d'autre)? (?:peut|pourrait|veut)(?:-il)?(?: \p{L}+)? (?:vérifier|confirmer|relire|contrôler|regarder)|(?:est-ce que )?quelqu'un (?:voit (?:ça|cela) autrement|d'autre)|(?:un |une )?(?:(?:autre|second|deuxième) (?:avis|regard)|(?:autre|seconde|deuxième) opinion)(?! (?:du|des|de la|de l'))`,
  ],
  es: [
    phrase`(?<=^|[.!?¿\n]\s*)(?:es|está)(?: eso| esto)? (?:realmente )?(?:cierto|verdad|correcto|bien)(?: eso| esto)?(?=\s*\?)`,
    phrase`(?:puede|podría|quiere) (?:alguien|otro)(?: más)?(?: \p{L}+)? (?:comprobar|verificar|revisar|confirmar|mirar)(?:lo|la)?|alguien (?:más )?(?:puede|podría) (?:comprobar|verificar|revisar|confirmar)(?:lo|la)?|¿?alguien lo ve (?:distinto|diferente|de otra forma)|(?:otra|segunda) opinión(?! (?:del|de la|de los|de las))`,
  ],
}
