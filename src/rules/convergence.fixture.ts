/** Planning rounds in prose, written for the tests of the convergence rule: two true and two false in each of eight kinds. */
export interface FixtureRound {
  kind:
    | 'negation'
    | 'same_words_opposite'
    | 'numbers'
    | 'markdown'
    | 'cross_reference'
    | 'different_words_same'
    | 'hedged'
    | 'multi_option'
  topic: string
  agree: boolean
  outputs: string[]
}

export const fixtureRounds: FixtureRound[] = [
  {
    kind: 'negation',
    topic: 'Anonymous comments on the help centre',
    agree: true,
    outputs: [
      'I would not allow anonymous comments on the help centre. Two of our three spam waves came in through forms that asked for no account, and moderation already costs the desk an hour a day. Readers who have something to say can sign in, which takes one click with the company account.',
      'Anonymous comments should stay off. It is not that guests have nothing useful to add; it is that nobody will read the queue. Requiring a sign-in is no real hurdle for customers, so do not open the form to everyone.',
    ],
  },
  {
    kind: 'negation',
    topic: 'Force-pushing to shared branches',
    agree: true,
    outputs: [
      'Never rewrite a branch that someone else has checked out. Last month a force push ate two days of work, and the reflog saved only half of it. Protect the shared branches and forbid force pushes there; on private branches people may do what they like.',
      'A ban sounds heavy-handed, and I usually oppose rules that a short talk could replace. But the talk did not work. I would no longer permit force pushes on shared branches. Nobody loses anything they need, since a revert commit does the same job without hurting the others.',
      'There is no case for force-pushing to a branch that is not yours alone. Not once in a year did we need it. Turn protection on for all shared branches, rather than trusting that everyone remembers.',
    ],
  },
  {
    kind: 'negation',
    topic: 'Retrying failed webhooks',
    agree: false,
    outputs: [
      'We should not retry failed webhooks automatically. A receiver that answers with an error is usually overloaded, and hammering it makes things worse. Mark the delivery as failed and let the customer replay it from the dashboard instead of doing it behind their back.',
      'Not retrying would be a disservice: most failures last less than a minute, and no customer watches the dashboard at night. Retry automatically with growing pauses, and do not leave the replay to people. Overload is not an issue when the pauses grow.',
    ],
  },
  {
    kind: 'negation',
    topic: 'Allowing raw HTML in user profiles',
    agree: false,
    outputs: [
      'Raw HTML in profiles must go. No sanitiser has stayed free of holes for a whole year, and we do not have anyone who would follow the advisories. Offer a small Markdown subset and do not let markup through.',
      'I would not remove raw HTML from the profiles. Our oldest users built galleries with it and they are not going to accept a Markdown subset. The sanitiser has not failed us so far, and with a strict policy header a hole is no catastrophe. Keep it.',
      'Without raw HTML we lose nothing that matters. The galleries can be a proper feature. I do not trust any sanitiser for long, so I would not keep markup from strangers on our domain.',
    ],
  },
  {
    kind: 'same_words_opposite',
    topic: 'Optimise images at build time or on request',
    agree: true,
    outputs: [
      'Images can be optimised at build time or on request. Build time makes every deploy slower but serves plain files; on request keeps deploys quick but puts a service on the hot path. A slow deploy annoys us, a failing service annoys customers. I would optimise at build time.',
      'Images can be optimised on request or at build time. On request keeps deploys quick but puts a service on the hot path; build time serves plain files but makes every deploy slower. A failing service annoys customers, a slow deploy only annoys us. I would optimise at build time.',
    ],
  },
  {
    kind: 'same_words_opposite',
    topic: 'Soft delete or hard delete for projects',
    agree: true,
    outputs: [
      'Projects can be deleted softly, with a flag, or for good. A flag lets support undo mistakes but every query has to filter on it; a real delete keeps queries simple but support cannot undo anything. Support undoes a deletion twice a week, so my vote is the soft delete.',
      'Projects can be deleted for good or softly, with a flag. A real delete keeps queries simple, yet support cannot undo anything; a flag makes every query filter on it, yet mistakes can be undone. Undoing is needed twice a week, so my vote is the soft delete.',
      'Every query has to filter on the flag if projects are deleted softly, and a real delete would keep queries simple. But mistakes cannot be undone after a real delete, and support has to undo a deletion twice a week. Soft delete is my vote.',
    ],
  },
  {
    kind: 'same_words_opposite',
    topic: 'Sending receipts synchronously or through a queue',
    agree: false,
    outputs: [
      'Receipts can be sent in the request or through the queue. In the request the customer learns at once if the address is wrong, but a slow mail server slows the till. Through the queue the till stays quick, but a wrong address is noticed late. Speed at the till matters most, so send receipts through the queue.',
      'Receipts can be sent through the queue or in the request. Through the queue the till stays quick, but a wrong address is noticed late. In the request a slow mail server slows the till, but the customer learns at once if the address is wrong. A correct address matters most, so send receipts in the request.',
    ],
  },
  {
    kind: 'same_words_opposite',
    topic: 'Tabs with local state or one global store',
    agree: false,
    outputs: [
      'Each editor tab can hold its own state, or one global store can hold the state of all tabs. Own state makes tabs independent, although restoring a session means asking each of them. A global store makes restoring trivial, although one bug can spoil every tab. Restoring is used daily: I choose the global store.',
      'Each editor tab can hold its own state, or one global store can hold the state of all tabs. A global store makes restoring trivial, although one bug can spoil every tab. Own state makes tabs independent, although restoring a session means asking each of them. Independence saves us daily: I choose own state per tab.',
      'One global store can hold the state of all tabs, or each editor tab can hold its own. One bug can spoil every tab with a global store, although restoring is trivial. Own state makes restoring a session harder, although tabs become independent. Restoring is what people use daily: I choose the global store.',
    ],
  },
  {
    kind: 'numbers',
    topic: 'Size of the connection pool',
    agree: true,
    outputs: [
      'The database accepts 100 connections and we run four instances. With 20 each we stay under the limit and leave some for the nightly jobs. I measured 10 as well, and requests began to wait. Set the pool to 20 per instance.',
      'Ten connections per instance starve us at noon; forty would exceed what the server takes once all four instances are up. Twenty each is the number that fits, with a fifth of the hundred left over for maintenance.',
    ],
  },
  {
    kind: 'numbers',
    topic: 'How long invitations stay valid',
    agree: true,
    outputs: [
      'Half of all invitations are accepted on the first day and 94% within a week. After that, hardly any. Make the link expire after 7 days; people who come later can ask again.',
      'Security asked for 24 hours, which would cut off everyone on holiday. Sales asked for ninety days. The acceptance curve is flat after the first week, so one week it is.',
      'I had 14 days in mind at first. But the second week brings only 2% more, and each open invitation is a small risk. I join the proposal of seven days.',
    ],
  },
  {
    kind: 'numbers',
    topic: 'Maximum upload size',
    agree: false,
    outputs: [
      'Ninety-five percent of the files people send are below 40 MB, and the proxy buffers everything to disk. I would cap uploads at 50 MB and point to the desktop client for more. The disk has 200 GB left.',
      'A cap of 50 MB hits the film students, who are our loudest fans. The disk has 200 GB left and the proxy can be told not to buffer. Allow uploads of up to 500 MB.',
    ],
  },
  {
    kind: 'numbers',
    topic: 'Number of approvals for a merge',
    agree: false,
    outputs: [
      'We are six people and wait 11 hours for the second approval on average. One approval catches nearly everything: of 40 defects last year, the second reader found 3. Require a single approval.',
      'Three of the 40 defects were found by the second reader, and each of those three would have been an outage. Eleven hours of waiting is a matter of habit. I would ask for two approvals everywhere.',
      'One approval is enough for a team of six. The second reader mostly writes "looks good", eleven hours later, and those three defects would have shown up in staging. So: 1.',
    ],
  },
  {
    kind: 'markdown',
    topic: 'Documentation site generator',
    agree: true,
    outputs: [
      '## Docs site\n\n| Tool | Search | Effort |\n|---|---|---|\n| Docusaurus | plug-in | medium |\n| MkDocs | built in | small |\n\n### Decision\n\n**MkDocs.** Search works out of the box and the writers know Markdown already.\n\nThe theme can wait.',
      '# Which generator?\n\n- Docusaurus wants a Node build and React knowledge\n- MkDocs is one config file\n- We have no front-end person to spare\n\n> Versioned docs need one extra plug-in.\n\n**Conclusion:** go with MkDocs and add the versioning plug-in.',
    ],
  },
  {
    kind: 'markdown',
    topic: 'Where to keep audit entries',
    agree: true,
    outputs: [
      '### Options\n1. Same database, own table\n2. Separate append-only store\n3. Log files\n\n### Assessment\nLog files rotate away. The same database can be altered by whoever can alter the data.\n\n### Proposal\nWrite audit entries to a **separate append-only store**.',
      '**Short version:** a store of its own, append-only.\n\n- An administrator of the main database must not be able to change history\n- Volume is small: 2,000 entries a day\n- Log files do not answer questions\n\nStart with the bucket that has object lock.',
      '# Audit\n\nThe auditors want entries that nobody can edit, *including us*.\n\n## Result\n\n- [x] append-only, separate from the main database\n- [ ] retention: seven years\n\nA table next to the data would not pass.',
    ],
  },
  {
    kind: 'markdown',
    topic: 'Naming of API fields',
    agree: false,
    outputs: [
      '# Field names\n\n- The Python clients expect snake_case\n- The web client converts anyway\n\n## Recommendation\n\nUse **snake_case** in every payload and convert in the browser.',
      '# Field names\n\n- The web client is nine tenths of the traffic\n- Python users have a model layer that renames fields\n\n## Recommendation\n\nUse **camelCase** in every payload and rename in the Python models.',
    ],
  },
  {
    kind: 'markdown',
    topic: 'Approach to the design system',
    agree: false,
    outputs: [
      '## Summary\n\n- Building components ourselves: full control, about four months\n- Taking a headless kit: accessible from day one\n\n**Verdict:** take a headless kit and style it. Four months are not available.',
      '### Facts\n* 31 components are in use\n* 12 of them exist in no kit\n\n### What I propose\nBuild our own set, beginning with the twelve. A kit would be bent out of shape within a year.\n\nBudget: one designer, two developers.',
      '## Design system\n\n1. Accessibility is required by contract in May\n2. A headless kit brings it\n3. The twelve special components can sit on top of its primitives\n\nTherefore: **headless kit**, styled by us.',
    ],
  },
  {
    kind: 'cross_reference',
    topic: 'Round 2: Storing money as integers',
    agree: true,
    outputs: [
      'I disagree with B that decimals are slow; the difference is not measurable here. However, B is right that three of our services pass amounts through JSON, where a decimal turns into a float. That settles it for me: store amounts as integer cents.',
      'A rejects my benchmark, and I still think it stands. But we need not argue about it, because the conclusion is the same now. Integer cents in the database and on the wire. I also dispute that currencies without cents are a problem.',
    ],
  },
  {
    kind: 'cross_reference',
    topic: 'Round 2: Pair programming for newcomers',
    agree: true,
    outputs: [
      'C convinced me about the load on seniors, and B about the first month being decisive. I drop my idea of a self-study month. Newcomers should pair during their first four weeks.',
      'I stay with what I said: pairing for the first four weeks. A has come round, and to C I would say that half days are enough to keep the load bearable.',
      'Contrary to what B writes, half days will not do much for the load. However, the alternative is worse, and I no longer oppose it. Pairing in weeks one to four, then.',
    ],
  },
  {
    kind: 'cross_reference',
    topic: 'Round 2: Dropping the staging environment',
    agree: false,
    outputs: [
      'I agree with B that staging is stale most of the time and that it costs 900 a month. We also agree that preview environments catch more. All the same, the payment partner certifies against staging and nothing else. So: staging stays.',
      'A is right about the partner, and I agree it is a nuisance. I agree with the figures too. But the partner certifies once a year, and for that week we can bring an environment up. My conclusion: drop staging.',
    ],
  },
  {
    kind: 'cross_reference',
    topic: 'Round 2: Language of the new worker',
    agree: false,
    outputs: [
      'Having read both, I share the worry of C about hiring and the praise of B for the standard library. We all want a single binary. For me that points to Go.',
      'I agree with A on the single binary and with C on hiring. Nothing they said is wrong. It still leads me to Go, because the team can read it after a weekend.',
      'A and B agree with each other, and I agree with their list of requirements. On that list, though, memory use comes first, and the collector has bitten us twice. My choice remains Rust.',
    ],
  },
  {
    kind: 'different_words_same',
    topic: 'Hosting the status page',
    agree: true,
    outputs: [
      'A page that tells people we are down must not go down with us. Everything of ours sits with one cloud, so hosting it there defeats the purpose. Rent a status page from an outside vendor, forty a month, done.',
      'When the region failed in March, our own notice board failed with it, and customers learned about it from the press. The sensible thing is a third-party service that shares nothing with our infrastructure. I would buy rather than run it.',
    ],
  },
  {
    kind: 'different_words_same',
    topic: 'Moving from cron mails to alerts',
    agree: true,
    outputs: [
      'Nobody reads the four hundred mails a night. The two that mattered in May went unseen for a week. Send failures to the pager and drop the mails altogether.',
      'An inbox is where signals go to die. Whatever breaks should ring the person on duty, and whatever works should be silent. That means alerts on failure only and no more nightly messages.',
      'On-call staff have a tool that wakes them, and it costs us nothing extra to route job errors there. The mailing list can be closed. I am for it.',
    ],
  },
  {
    kind: 'different_words_same',
    topic: 'Open-sourcing the client library',
    agree: false,
    outputs: [
      'Customers patch our client in private forks and we never see the fixes. Publishing the repository under a permissive licence would turn forty forks into pull requests. The code holds no secrets. Open it up.',
      'Every public issue is a promise to answer, and there are two of us. The forks cost us nothing, whereas strangers with opinions cost evenings. Keep the source closed and hand out read access on request.',
    ],
  },
  {
    kind: 'different_words_same',
    topic: 'Handling of translations',
    agree: false,
    outputs: [
      'Agencies deliver in five days and return what we sent, commas included. For legal text that is worth the money, and nearly all of ours is legal text. I would keep paying professionals.',
      'The last three batches came back with our product names translated. A language model with a glossary made fewer slips in the blind test, at a hundredth of the price and within minutes. Let the machine do it and have a colleague proofread.',
      'Quality in the blind test was level, and turnaround was not. Waiting five days blocks each release. Automatic translation with a glossary, then, and a human eye on the contracts.',
    ],
  },
  {
    kind: 'hedged',
    topic: 'Dark mode in the first release',
    agree: true,
    outputs: [
      'I am not certain it is worth it, but leaving dark mode out of the first release seems the safer course. If the theme work turns out to be small after all, I would gladly be proved wrong. For now: ship without it.',
      'It might please a few reviewers. Still, with five weeks left, I would tend to postpone dark mode until after the launch, unless a designer becomes free. No strong feelings.',
    ],
  },
  {
    kind: 'hedged',
    topic: 'Splitting the nightly report job',
    agree: true,
    outputs: [
      'Splitting the job by region would probably help, though I have only looked at two nights. I lean towards doing it, provided the totals are still checked at the end.',
      'Hard to be sure. One long job is easy to reason about, and I like that. Yet when it fails at four in the morning everything starts over. On balance I would cautiously split it by region.',
      'If pressed, I would say split. My doubt is about the totals, but a check at the end should do. By region appears the natural cut.',
    ],
  },
  {
    kind: 'hedged',
    topic: 'Using a message format with schemas',
    agree: false,
    outputs: [
      'Perhaps Protobuf is more than we need, but field renames have broken us twice, and I would rather lean to schemas than hope. Call it a mild preference for Protobuf, to be revisited if the tooling hurts.',
      'I could live with either. Schemas are nice, and Protobuf is the usual answer. Still, being able to read a message in the log seems worth more to a team of our size, so I would tentatively stay with JSON.',
    ],
  },
  {
    kind: 'hedged',
    topic: 'Charging for the beta',
    agree: false,
    outputs: [
      'I would be inclined to charge from the start, even if it is a token amount. People who pay tell us what is wrong. I may be underestimating the paperwork.',
      'It seems a little early to me. The billing code is barely tested, and a free beta would probably bring us more varied users. Unless finance insists, I would lean towards keeping it free.',
      'A small fee looks right, as far as I can judge. Free users in the last beta rarely came back after the second week. If the paperwork is bad I would think again, but for the moment: charge.',
    ],
  },
  {
    kind: 'multi_option',
    topic: 'Choosing a load-testing tool',
    agree: true,
    outputs: [
      'JMeter, Gatling, k6 or Locust. JMeter files cannot be reviewed, and Gatling wants Scala. Between k6 and Locust the pipeline integration decides. I would take k6.',
      'We need scripts that live next to the code, which rules out JMeter. Locust is pleasant, but one machine gave us only a third of the load. k6 reached the target from a laptop. k6 for me.',
      'I compared all four on the same scenario. Gatling was fastest, k6 close behind, Locust third and JMeter last. Nobody here reads Scala, so the runner-up wins: k6.',
    ],
  },
  {
    kind: 'multi_option',
    topic: 'Format of the export',
    agree: true,
    outputs: [
      'CSV, Excel, Parquet or JSON. Accountants open the file by double-clicking, and umlauts in CSV break on that path every time. Parquet is for engineers. I would deliver Excel files.',
      'The readers are accountants, so JSON and Parquet are out. CSV looks simple until somebody has a comma in a company name. That leaves Excel, and a library for it is already in the project.',
    ],
  },
  {
    kind: 'multi_option',
    topic: 'Deployment strategy for the API',
    agree: false,
    outputs: [
      'Rolling, blue-green, canary or plain replacement. Plain replacement means a minute of errors. Canary needs metrics we do not have. Rolling is what the platform does by default, and it is good enough. Rolling for me.',
      'Rolling leaves two versions talking to one schema, which hurt us in June. Blue-green lets us switch back within seconds, and we have the spare machines. I would go with blue-green.',
      'Canary is attractive but blind without metrics. Of rolling and blue-green, the quick way back decides, since our schema changes weekly. Blue-green, please.',
    ],
  },
  {
    kind: 'multi_option',
    topic: 'Identity of documents',
    agree: false,
    outputs: [
      'Serial numbers, random UUIDs, time-ordered UUIDs or slugs. Serial numbers tell competitors how many we have. Random ones scatter the index. I would use time-ordered UUIDs.',
      'Slugs change when titles do, and UUIDs are unreadable on the phone, which is how support works. Competitors can guess our size from the press anyway. Serial numbers are my choice.',
    ],
  },
]
