/** Says yes or no to what is on the table, as reviewers do: "good to go", "not fine by me", "I'd approve once that is in". */

/** `sentence`: as it was written. Undefined if it passes no verdict. */
export function verdictIn(sentence: string): 1 | -1 | undefined {
  const text = sentence.toLowerCase().replace(/[’‘]/g, "'")
  if (text.trimEnd().endsWith('?')) return undefined
  if (refusal.test(text)) return -1
  const found = approval.exec(text)
  if (!found) return undefined
  const end = found.index + found[0].length
  const [before, after] = [text.slice(Math.max(0, found.index - near), found.index), text.slice(end, end + near)]
  const isDenied = /\b(?:not|never|no|cannot|hardly|\w+n't)(?:\s+\w+){0,2}\s*$/.test(before)
  // What is approved once something else is done is not approved yet.
  const isPostponed = /^\s*(?:\w+\s+)?(?:as soon as|once|when|after|only (?:if|when|after))\b/.test(after)
  return isDenied || isPostponed ? -1 : 1
}

/** How far a word may be that turns the verdict. */
const near = 60

const approval =
  /\b(?:lgtm|approved?|ship it|good to go|go ahead|fine (?:by|with) me|works for me|ok(?:ay)? (?:by|with) me|(?:can|may) (?:be merged|go in)|no objections?|sounds good(?: to me)?|looks (?:good|right|fine|ok(?:ay)?) to me|mergeable|ready (?:from my side|to (?:go|merge))|(?:happily|gladly) (?:merge|approve))\b|(?:^|\s)\+1\b/
const refusal =
  /^\W*(?:blocking|blocker|veto|reject(?:ed)?)\b|\b(?:request(?:ing)? changes|hold off|do(?: not|n't) merge)\b|\bbefore (?:this|it) (?:goes in|lands|is merged|gets merged|ships|can go in)\b|\bfirst,? (?:and )?then i\b|(?:^|\s)[-−]1\b(?!\d)/
