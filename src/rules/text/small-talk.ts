/** Words that are not about anything: assent, thanks, greetings and short grammar words. SPEC.md § RD3. */
export const smallTalk: ReadonlySet<string> = new Set(
  `a ah ahead alright am amazing an as at awesome aye be bye by cheers continue cool correct d do don done eh er
  exactly excellent fine go going good goodbye gotcha great ha haha he hello hey hi hm hmm huh i if in indeed is it k
  keep kk let lgtm ll lol m maybe me mm much my n nah nice no nope noted np of oh ok okay on oops or perfect please pls
  plz proceed r re really right roger s so sorry sure super sweet t thank thanks thx to true ty u uh um understood up us
  ve we welcome well wonderful wow y ya yay yeah yep yes yo yup`.split(/\s+/),
)
