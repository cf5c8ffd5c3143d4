/** Asks every agent to speak. Each phrase speaks to the agents: "each of you", never "each request". SPEC.md § DP9. */
import { clauseStart, type Phrases, phrase } from './phrase.ts'

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

export const everyone: Phrases = {
  en: [
    phrase`(?:each(?: one| single one)?|every one|every single one|all|both|(?:all |the )?${numbers}) of you${reported}`,
    phrase`(?:would|do|could|can|will|should|are|did|have|how|if|want|like|need|ask|asking|hear) you (?:all|both|three|two|guys all)${reported}${ofThings}`,
    phrase`what (?:do|would|did) you (?:guys|folks|lot) (?:think|say|do|make|suggest|recommend|prefer)|what (?:do|would) y'all`,
    phrase`(?:what|how) (?:does|do|would|did) (?:everyone|everybody|all ${numbers})(?: here)? (?:think|say|suggest|recommend|do|pick|choose|prefer|guess|estimate|feel|see|vote)`,
    phrase`(?:everyone|everybody|all ${numbers}|you ${numbers})(?: here)?[,:]? (?:please |pls )?(?:give|name|pick|tell me|vote|guess|answer|write|list|propose|post|share|state|rate|weigh in|chime in)`,
    phrase`(?:everyone|everybody)(?:'s)?(?: \w+)? (?:${views}|reactions?|favou?rites?|preferences?|choices?|impressions?|input|stance|positions?|approach|concerns?|worries|objections?|ideas?|suggestions?)`,
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
    phrase`(?:answer|answering|reply|respond|speak|go|each|everyone),? (?:please,? )?(?:one after the other|in turn)(?=\s*(?:[.,;:!?)–—-]|$))`,
    phrase`(?:poll|polling|asking|ask|survey) (?:the|this) (?:room|table|group|panel)|(?:ask|asking) around(?= ?[:,])`,
    phrase`(?:${clauseStart}|need |want |like |get |give me |let me have |have |hear )(?:a |an |one |your |some |any )?(?:\w+ ){1,3}from (?:everyone|everybody)(?=\s*(?:please|here)?\s*(?:[.,;:!?)–—-]|$)| (?:on|about|before|here))`,
    phrase`${clauseStart}(?:vote|poll|all hands|round robin|roll call|lightning round|quick round)(?: please)?(?= ?[:–—])`,
    phrase`(?:all|the) ${numbers} (?:agents|models|of you)|your ${numbers} (?:\w+ )?(?:takes|views|opinions|verdicts|estimates|answers|guesses|votes|picks|recommendations|thoughts)`,
    phrase`${unit}s? (?:per|from each) (?:person|agent|model|head|nose)(?=\s*(?:please)?\s*(?:[.,:!?]|$))`,
    phrase`${clauseStart}(?:let's (?:do|have) )?(?:a )?(?:quick |short |lightning )round(?=[,:])|let's (?:do|have) a round(?=[,:])`,
    phrase`your (?:individual|separate|independent|respective) (?:\w+ )?${views}`,
    phrase`(?:from|by) each (?:of you|agent|model|one of you)|(?:hear|input|answers?|opinions?|an? \w+|one \w+) from (?:everyone|everybody|all of you|all ${numbers}|both of you|every agent|every model)`,
    phrase`(?:give|tell|send|write|name|pick|post|suggest|propose)(?: me)? (?:one|your|two|three|just one|a single|exactly one) (?:\w+ ){0,3}each(?= please|\s*(?:[.,;:!?)–—-]|$))`,
    phrase`(?:let's |we )?go(?:ing)? (?:a)?round the (?:room|table)|show of hands|(?:quick|straw) vote|(?:please vote(?! (?:on|for) (?:my|me))|vote,? please)|take a (?:quick )?vote|let's (?:have a |take a )?vote|(?:quick|straw) poll|cast your votes?`,
  ],
  de: [
    phrase`(?:jede[rsnm]?|jede[rsnm]? einzelne[rsnm]?|alle|beide|allen|beiden|(?:alle |allen )?(?:zwei|drei|vier)) von euch${reported}`,
    phrase`ihr (?:alle|beide|beiden|drei|zwei)(?! (?:habt|seid|wart|sagt(?:et)?)(?!\p{L}))|(?<!(?:eine[rs]?|wer|keine[rs]?|welche[rs]?|wem) von )euch (?:alle|allen|beide|beiden|dreien)`,
    phrase`${clauseStart}jede[rs]?(?:,? (?:bitte|mal|kurz|nur|und jede[rs]?|von euch|für sich|gibt|nennt|schreibt|schätzt|sagt|antwortet|wählt|mit))*,? (?:(?:genau|höchstens|maximal|je) )?(?:in )?(?:ein|eine|einen|einem|einer|eins|zwei|drei|seine[nr]?|kurz|für sich|\d+)(?!\p{L})`,
    phrase`(?:gebt|nennt|sagt|schreibt|schätzt|wählt|antwortet|bewertet|schickt|macht|entscheidet)(?: mir| uns| euch)?(?: bitte| mal| kurz)* (?:jede[rs]?|alle|beide|alle (?:drei|zwei|vier)|jeweils|je (?=eine?n? ))`,
    phrase`(?:ein(?:e|en)?|zwei|drei|kurze?|je) (?:\p{L}+ )?(?:wort|wörter|satz|sätze|zahl|zeile|zeilen|meinung|einschätzung|schätzung|idee|tipp|antwort|vorschlag|risiko|grund)(?: bitte)?(?: von)? (?:jedem|jedem von euch|allen|euch allen|allen dreien|jeder|pro nase|pro kopf)(?=\s*(?:bitte|hier)?\s*(?:[.,;:!?)–—-]|$))`,
    phrase`(?:gern|gerne|möchte|will|brauche|bitte)(?: \p{L}+)? von (?:allen|jedem|euch allen|allen (?:drei(?:en)?|beiden))(?= (?:eine?n?|kurz|je|bitte|hören|wissen|dazu)(?!\p{L})|\s*(?:[.,;:!?)–—-]|$))`,
    phrase`(?<=^|[.!?\n]\s*)(?:einmal |bitte |nun |jetzt |mal |kurz )*(?:an alle|alle)(?: drei| zwei| vier| zusammen| mal| kurz| bitte| reihum)*(?=[,:]| bitte)`,
    phrase`${clauseStart}(?:reihum|der reihe nach|abstimmung|umfrage|blitzrunde|kurze runde)(?: bitte| mal)*(?=[,:]| )`,
    phrase`eure (?:zwei|drei|vier|beiden) (?:\p{L}+ )?(?:meinungen|einschätzungen|ansichten|antworten|tipps|vorschläge)|eure[rn]? (?:meinung|einschätzung|antwort) (?:jeweils|getrennt|einzeln)`,
    phrase`(?:seid ihr(?: euch)?|findet ihr|würdet ihr|macht ihr|habt ihr|wollt ihr|könnt ihr) (?:da |das |es )?(?:alle|beide|alle (?:drei|zwei)|jeweils|jeder)`,
    phrase`(?:was|wie) (?:sagt|meint|denkt|findet|hält|sieht|schätzt) (?:denn |das )?(?:jeder(?: (?:von euch|einzelne))?|ihr jeweils)(?= |\s*[?,]|$)`,
    phrase`eure (?:einschätzungen|meinungen|schätzungen|ansichten|tipps|antworten|zahlen)`,
    phrase`(?:lasst uns |bitte )abstimmen|handzeichen bitte|stimmt(?: bitte| mal| kurz)* ab(?=[ .,:!?]|$)`,
  ],
  fr: [
    phrase`${clauseStart}chacune?(?: (?:à son tour|svp|s'il vous plaît))?(?= ?[,:]| (?:une?|deux|trois|en|avec|donne|dit|répond|propose|choisit|vote|estime|écrit|votre|vos)(?!\p{L}))`,
    phrase`${clauseStart}(?:deux|trois|quatre) d'entre vous(?=,| ?:| (?:svp|s'il vous plaît))|chacune? (?:de|d'entre) vous|(?<=avis |question |idées? |réponses? |pensez )à tous(?: les (?:deux|trois|quatre))?(?=\s*(?:[.,;:!?]|$))|${clauseStart}(?:tour de table|vote|sondage)(?= ?:)|(?:tous|toutes) les (?:deux|trois)[, ]+(?:vous|donnez|dites|répondez)|(?<!(?:l'une?|une?|qui|lequel|aucun) (?:de|d'entre) )vous (?:tous|toutes|trois)`,
    phrase`(?:l'avis|l'opinion|une? [^.?!\n]{1,25}) de (?:chacun|chacune|tous|vous tous|vous trois|vous deux)|vos (?:avis|opinions|estimations) (?:respectifs|respectives|à tous|à chacun)`,
    phrase`que chacune? (?:donne|dise|réponde|propose|choisisse|vote|estime|note)|votez(?: tous)?|chacune? (?:son|sa|ses|votre|vos) (?:avis|opinion|estimation|vote|idées?|choix)`,
    phrase`(?:une?|deux|trois)(?: seule?)? \p{L}+(?: de)? chacune?(?=\s*(?:svp|s'il vous plaît)?\s*(?:[.,;:!?)–—-]|$))`,
    phrase`(?:donnez|dites|proposez|choisissez|nommez|répondez|votez|écrivez|citez|notez|estimez|envoyez)(?:-moi|-nous)?,? (?:tous|toutes|chacune?|tous les (?:deux|trois))`,
    phrase`(?:vous \p{L}+|(?:êtes|pensez|feriez|seriez|avez|diriez|préférez|choisiriez)-vous) (?:tous|toutes|chacune?)(?! (?:les|mes|nos|ces|des|vos|leurs)(?!\p{L}))`,
    phrase`\p{L}+ez(?:-\p{L}+)?(?: \p{L}+){0,2},? (?:chacune?|tou(?:te)?s les (?:deux|trois|quatre))(?!\p{L})`,
    phrase`(?:entendre|savoir ce que pensent?|demande à|avis de|opinion de|que pensent?|qu'en pensent?)~(?:tout le monde|chacune?|vous (?:tous|trois|deux)|tous)(?=\s*(?:[.,;:!?)–—-]|$)| (?:avant|sur|ici))`,
  ],
  es: [
    phrase`${clauseStart}cada un[oa](?= ?[,:]| (?:una?|dos|tres|en|con|su|por favor|dé|diga|elija|proponga|responda|vote|estime)(?!\p{L}))`,
    phrase`${clauseStart}(?:dos|tres|cuatro) de (?:vosotr[oa]s|ustedes)(?=,| ?:| por favor)|cada (?:uno|una) de (?:vosotr[oa]s|ustedes)|tod[oa]s (?:vosotr[oa]s|ustedes)|(?:ustedes|vosotr[oa]s) (?:dos|tres|tod[oa]s)|l[oa]s (?:dos|tres) de (?:vosotr[oa]s|ustedes)`,
    phrase`que cada (?:uno|una) (?:(?:me|nos|lo) )?(?:dé|diga|proponga|responda|elija|estime|vote)|la opinión de (?:cada (?:uno|una)|todos|los tres|los dos)|votad|voten`,
    phrase`\p{L}+(?:áis|éis|ís|íais|ad|ed|id)(?:me|nos|lo|la)?(?: \p{L}+[aei]r(?:me|nos|lo|la)?)?,? (?:cada un[oa]|tod[oa]s(?! (?:los|las)(?!\p{L}))|l[oa]s (?:dos|tres))|${clauseStart}(?:l[oa]s (?:dos|tres)|tod[oa]s)(?= ?[:,])|${clauseStart}(?:ronda|votación|encuesta)(?: rápida)?(?= ?:)`,
    phrase`(?:una?|dos|tres)(?: sol[oa])? \p{L}+ (?:de )?cada un[oa](?=\s*(?:por favor)?\s*(?:[.,;:!?)–—-]|$))`,
    phrase`(?:contestad|contesten|opinad|opinen|dadme|decidme|denme|díganme|dad|den|decid|digan|nombrad|nombren|elegid|elijan|proponed|propongan|responded|respondan|escribid|escriban|estimad|estimen)(?:me|nos)?,? (?:cada un[oa]|tod[oa]s|l[oa]s (?:dos|tres))`,
    phrase`(?:estáis|están|pensáis|piensan|creéis|creen|opináis|opinan|haríais|harían|elegiríais|elegirían|coincidís|coinciden) (?:ustedes |vosotr[oa]s )?(?:tod[oa]s|l[oa]s (?:tres|dos)|cada un[oa])(?! (?:los|las|mis|tus|sus|l[oa]s \p{L}+)(?!\p{L}))`,
    phrase`(?:oír|oíros|escuchar|escucharos|opiniones? de|preguntar|pregunto) (?:a )?(?:l[oa]s (?:tres|dos)|tod[oa]s|cada un[oa])(?=\s*(?:[.,;:!?)–—-]|$)| (?:antes|sobre|primero|y|en)(?!\p{L}))`,
  ],
}
