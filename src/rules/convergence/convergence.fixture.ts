/** Planning rounds in prose, written for the tests of the convergence rule: eight kinds, half of each set agreeing. */
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

/** Looked at while the reading of decisions was built. */
export const knownRounds: FixtureRound[] = [
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
    kind: 'negation',
    topic: 'Keyboard shortcuts without modifier keys',
    agree: true,
    outputs: [
      'Single-key shortcuts are quick until somebody types into the wrong field. I would not ship them without a switch to turn them off, and since nobody has time for the switch, I would not ship them at all. Shortcuts with a modifier remain.',
      'Do not introduce shortcuts without a modifier. Screen-reader users cannot work with them, which is not a detail we may ignore. It is no great loss: the modifier costs one finger.',
    ],
  },
  {
    kind: 'negation',
    topic: 'Generated code in the repository',
    agree: false,
    outputs: [
      'Generated code should not be committed. Reviews fill up with noise and nobody reads it anyway; the build can produce it in four seconds. Not committing it also means that it cannot drift.',
      'I see no reason not to commit the generated code. A fresh checkout must compile without the generator, and a diff of the output shows what a schema change really did. The noise is no problem, since the review tool collapses those files.',
      'Commit the output. Never again do I want to debug a build in which the generator was one version behind. Drift is not possible if the pipeline compares both.',
    ],
  },
  {
    kind: 'negation',
    topic: 'Sharing one database among services',
    agree: false,
    outputs: [
      'No service should read the tables of another. We avoid the shared database, even though it is tempting, because a renamed column then breaks people we never talk to. Calls instead of joins.',
      'Splitting the data would be premature. Two services and one team do not need calls where a join will do, and nobody renames columns behind our back when we all sit in the same room. Do not give each service its own database; share it for now.',
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
    kind: 'same_words_opposite',
    topic: 'Pagination by cursor or by offset',
    agree: false,
    outputs: [
      'The list can be paged by cursor or by offset. A cursor is stable while rows are inserted but cannot jump to page ten; an offset can jump but shows rows twice while rows are inserted. Users do jump, as the logs show. I would page by offset.',
      'The list can be paged by offset or by cursor. An offset can jump to page ten but shows rows twice while rows are inserted; a cursor cannot jump but is stable. Rows are inserted all day, as the logs show. I would page by cursor.',
    ],
  },
  {
    kind: 'same_words_opposite',
    topic: 'Log levels set per service or centrally',
    agree: true,
    outputs: [
      'Log levels can be set in each service or in one central place. Each service knows best what is noise, but in an incident we touch eleven files. A central place is one edit in an incident, but teams lose some freedom. Incidents are when levels matter, hence the central place.',
      'Log levels can be set in one central place or in each service. One edit in an incident speaks for the central place, the freedom of teams speaks for each service. As levels matter only in incidents, and there we touch eleven files today, I am for the central place.',
      'In an incident we touch eleven files, because each service sets its log level. Each service knows best what is noise, true. But one edit in a central place is what we want in an incident, so that is what I would do: set them centrally.',
    ],
  },
  {
    kind: 'same_words_opposite',
    topic: 'Mocking the clock or passing it in',
    agree: false,
    outputs: [
      'Tests can mock the clock globally or code can take the clock as a parameter. A global mock leaves the code alone but leaks between tests; a parameter changes forty signatures but nothing leaks. Forty signatures are an afternoon. My preference is the parameter.',
      'Code can take the clock as a parameter or tests can mock the clock globally. A parameter changes forty signatures but nothing leaks; a global mock leaks between tests but leaves the code alone. A leak is fixed with one line in the set-up. My preference is the global mock.',
      'Tests can mock the clock globally or code can take the clock as a parameter. Leaks between tests have cost us two Fridays, and forty signatures would cost an afternoon. My preference is the parameter.',
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
    kind: 'numbers',
    topic: 'Heartbeat interval of the devices',
    agree: true,
    outputs: [
      'With 8,000 devices, a heartbeat every 10 seconds is 800 requests a second, which the broker handles at 30% load. At 5 seconds the batteries suffer. The alarm has to fire within half a minute. Ten seconds, allowing two to be missed.',
      'Battery tests: 5 s drains it in four days, 10 s in nine, 30 s in eleven. Half a minute is the limit for an alarm, so 30 would leave no margin. I recommend 10s.',
    ],
  },
  {
    kind: 'numbers',
    topic: 'Share of the budget for refactoring',
    agree: false,
    outputs: [
      'Last year we said a fifth of the time and used six percent. What gets scheduled gets done. I would reserve 20% of each sprint for refactoring and put it on the board as tickets.',
      'The backlog of wishes is worth about nine weeks, and customers wait for three features. A tenth of every sprint is what we can defend in front of them. So 10 percent for refactoring.',
    ],
  },
  {
    kind: 'numbers',
    topic: 'Number of shards',
    agree: true,
    outputs: [
      'We grow by 40% a year and one shard carries 2 TB comfortably. Sixteen shards last five years; eight last three. Resharding took us six weeks last time, so I would start with 16.',
      'Eight shards would be cheaper now and painful in 2028. Thirty-two would be mostly air. Between them lies 16, which divides evenly over our four machines. I would go there.',
      'My first sketch had 8. After reading the notes of the last resharding (six weeks, two of them nights) I take the larger figure: sixteen from the start.',
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
    kind: 'markdown',
    topic: 'Storing feature toggles',
    agree: true,
    outputs: [
      '## Toggles\n\n**Where?** In the database, in a config file, or with a vendor.\n\n- Vendor: 300 a month, targeting rules included\n- Database: we have the admin screen already\n- File: needs a deploy\n\n**Decision: database.** Targeting rules can be added when someone asks.',
      '# Proposal\n\nKeep toggles in a **database table**.\n\n## Reasons\n1. Changing a file means a deploy, and deploys are what toggles should decouple\n2. A vendor costs more than the two days of work\n\n## Open\n- who may flip them',
    ],
  },
  {
    kind: 'markdown',
    topic: 'Error format of the API',
    agree: false,
    outputs: [
      '### Error format\n\n* RFC 9457 problem details: known by tools, a bit verbose\n* Our own envelope: short, known by our three clients\n\n### Verdict\n\n**Problem details.** New partners ask for it, and the old clients can be adapted in a day.',
      '### Error format\n\n* Problem details: a standard, and three clients to change\n* Our own envelope: works today\n\n### Verdict\n\n**Keep our own envelope.** None of the partners has asked for anything else.\n\nWe can offer the standard later under another media type.',
      '### Error format\n\nThree clients parse the present envelope; no partner complained.\n\n- Changing costs a release of each client\n- Not changing costs nothing today\n\n**In short:** stay with our own envelope.',
    ],
  },
  {
    kind: 'markdown',
    topic: 'Testing the mobile app',
    agree: true,
    outputs: [
      '# Device tests\n\n| Way | Cost a month | Devices |\n|---|---|---|\n| Cloud farm | 480 | 60 |\n| Own cupboard | 40 | 7 |\n| Emulators | 0 | any |\n\n## Recommendation\n\n**Cloud farm**, for the release candidates only; emulators for each commit.',
      '## Observations\n- 5 of 8 field bugs came from phones we do not own\n- emulators showed none of them\n\n## Conclusion\nRent time on a cloud farm before each release. Our cupboard of seven phones is not enough, and emulators stay as the quick check.\n\nCost: below 500.',
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
    kind: 'cross_reference',
    topic: 'Round 2: Feature freeze before the fair',
    agree: true,
    outputs: [
      'B calls a freeze theatre; I do not, but I no longer insist on three weeks. However, some freeze is needed, because the demo build has to be the same on all stands. I would freeze for one week before the fair.',
      'I still disagree with A about last year, when the freeze prevented nothing. But the argument of identical demo builds is new and it is good. One week of freeze before the fair, then; three would have been too long.',
    ],
  },
  {
    kind: 'cross_reference',
    topic: 'Round 2: Local development in containers',
    agree: false,
    outputs: [
      'I agree with B that set-up takes newcomers two days and with C that file watching is slow in containers. Both can be true. What counts for me is the two days, since we hire four people this year: development moves into containers.',
      'We agree on nearly everything: two days are too long, file watching is slow. A and I also agree that a script could halve the set-up. I therefore say: everybody develops in containers, with the watcher on the host.',
      'A and B are right about the newcomers and I agree that two days hurt. However, slow file watching hurts thirty people every hour of every day. A set-up script, yes; containers for development, no.',
    ],
  },
  {
    kind: 'cross_reference',
    topic: 'Round 2: Single sign-on for contractors',
    agree: false,
    outputs: [
      'B and I share the facts: forty contractors, six leaks, no budget until July. I also agree that guest accounts are ugly. Nevertheless they can be had today. Give the contractors guest accounts in our directory.',
      'I agree with A on the facts and even on the urgency. Where we part is the remedy, because guest accounts are never cleaned up. Federate with the agencies instead, and live with the gap until July.',
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
    kind: 'different_words_same',
    topic: 'Where to render PDF invoices',
    agree: true,
    outputs: [
      'Browsers print differently, and an invoice must look the same for everyone and in ten years. Produce the PDF on the server, once, and file it.',
      'Tax law wants the very document the customer got. If each laptop makes its own rendition, there is no such document. So the back end should create and archive it; the client merely downloads.',
    ],
  },
  {
    kind: 'different_words_same',
    topic: 'Naming the on-call duty',
    agree: false,
    outputs: [
      'Volunteers burn out: the same three names are on the list since spring. A fixed rota with everybody on it, paid per week, is fair and predictable. I would put all eleven engineers on it.',
      'Being woken at night is not for parents of small children, and two colleagues would leave over it. It works as long as those who do it want to. I would leave it to those who raise their hand and double the allowance.',
    ],
  },
  {
    kind: 'different_words_same',
    topic: 'Reducing the bundle size',
    agree: true,
    outputs: [
      'A third of what we send is the charting library, and one visitor in nine opens a chart. Load it when the first chart scrolls into view. That alone brings us under the target.',
      'Measured by bytes the culprit is plain, and hardly anyone uses it. Fetch charts lazily, on demand, and leave the rest alone for now. Swapping the router, as some suggest, saves eleven kilobytes.',
      'Replacing the library would take a month, and the new one is not small either. Deferring its download until somebody needs it takes a day. That is the way to go for me.',
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
    kind: 'hedged',
    topic: 'Moving stand-ups to text',
    agree: false,
    outputs: [
      'I think I would give written stand-ups a try, at least for the two teams across time zones. There is a risk that nobody reads them, and I would want to look at it again in a month. Still, a cautious yes.',
      'Perhaps I am old-fashioned, but fifteen minutes with faces seem worth it to me. Time zones are a nuisance, admittedly. I would rather not move to text at this point, though I could be talked into it for Fridays.',
    ],
  },
  {
    kind: 'hedged',
    topic: 'Caching exchange rates for a day',
    agree: true,
    outputs: [
      'It is a close call. Rates move, but our invoices are rounded to whole euros, so caching them for a day would probably do no harm. I lean towards it, subject to what the controller says.',
      'I cannot rule out that someone notices a difference of cents. Even so, a daily cached rate appears to be good enough, and it would end the outages of the rate service. With some hesitation: yes, cache for a day.',
    ],
  },
  {
    kind: 'hedged',
    topic: 'Supporting right-to-left layout now',
    agree: true,
    outputs: [
      'We might regret it, but I would be inclined to leave right-to-left layout for next year. The only Arabic-speaking prospect has not signed, and it looks like a lot of work. If they sign, I would revise this.',
      'Logical properties in the style sheets are perhaps a sensible preparation. The layout itself I would rather put off until there is a customer; next year seems early enough to me, though it is a guess.',
      'Hard to tell without the contract. On the whole I tend towards waiting until next year with it, provided nobody hard-codes left and right in the meantime.',
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
  {
    kind: 'multi_option',
    topic: 'Choosing a charting library',
    agree: false,
    outputs: [
      'D3, ECharts, Chart.js or Plotly. D3 is a toolbox, not a library. Plotly is heavy. Chart.js lacks the heat map. ECharts has all our chart types and renders on canvas. I would go with ECharts.',
      'We draw nine kinds of charts, two of which exist nowhere. ECharts can do the other seven, Plotly six, Chart.js five. For the two special ones we need D3 anyway, so let us use D3 for all of them.',
      'Canvas rendering and the heat map are required, which leaves ECharts and Plotly. The latter is three times as heavy. ECharts, then. D3 for the two special charts would be fine with me as well, but later.',
    ],
  },
  {
    kind: 'multi_option',
    topic: 'Secrets for local development',
    agree: true,
    outputs: [
      'A shared password manager, encrypted files in git, a dev vault, or dummy values. Dummy values break the payment flow. A vault is one more server. Encrypted files travel with the branch and need no server. Encrypted files for me.',
      'A dev vault is more than six people need, and the password manager leads to copying by hand. I tried encrypted files in git with age for a week, and they did what they should. My pick as well.',
    ],
  },
  {
    kind: 'multi_option',
    topic: 'Replacing the home-grown job queue',
    agree: false,
    outputs: [
      'BullMQ, a table in Postgres, SQS or keeping ours. Ours loses jobs. SQS needs the cloud account we do not have on site. Between BullMQ and the table, the table saves us a Redis. I would use the Postgres table.',
      'Jobs in Postgres compete with queries for the same disk, and that disk is busy. SQS is out on customer sites. BullMQ has retries, priorities and a dashboard, and a Redis is already running for sessions. BullMQ it is.',
      'A Redis is running for sessions, so the usual objection to BullMQ is void. Rolling our own locking on a table is how we got here. I would take BullMQ and delete the old code.',
    ],
  },
]

/** Never looked at while it was built: an honest check, as long as nobody tunes on it. */
export const unseenRounds: FixtureRound[] = [
  {
    kind: 'negation',
    topic: 'Editing messages after sending',
    agree: true,
    outputs: [
      'Letting people edit a message after it was sent sounds harmless, but in a channel where orders are placed it is not. I would not allow editing. A correction can follow as a new message, and nobody has to wonder what stood there before.',
      'No editing, please. The audit department cannot work with texts that change, and keeping every version would be more work than the feature is worth. People are not helpless without it; they can write a second message.',
    ],
  },
  {
    kind: 'negation',
    topic: 'Vendoring third-party code',
    agree: false,
    outputs: [
      'We should not vendor dependencies. Copied code is never updated, and the lock file already pins what we use. Instead of copying, mirror the registry.',
      'A mirror is one more machine that nobody patches. I would not rely on it. Vendor the dependencies, all of them, so that a build needs no network; updating is a script and not a problem.',
    ],
  },
  {
    kind: 'negation',
    topic: 'Warnings as errors',
    agree: true,
    outputs: [
      'Not a single warning has been fixed since spring. As long as they do not break the build, they do not exist. Treat warnings as errors from now on.',
      'I was against this for a long time, because a compiler update should not stop everyone. But never looking at two hundred warnings is no better. Warnings must be errors, with the compiler version pinned.',
      'It cannot stay optional. Make every warning an error; those that make no sense for us can be switched off one by one, not ignored in bulk.',
    ],
  },
  {
    kind: 'same_words_opposite',
    topic: 'One big table or many small ones for events',
    agree: true,
    outputs: [
      'Events can go into one big table or into a table per type. One table makes the timeline a simple query but most columns are empty; a table per type has no empty columns but the timeline becomes a union of nineteen queries. The timeline is the screen people open first, so one big table.',
      'Events can go into a table per type or into one big table. A union of nineteen queries is what the timeline becomes with a table per type; empty columns are what we get with one table. People open the timeline first, so I would rather have empty columns: one big table.',
    ],
  },
  {
    kind: 'same_words_opposite',
    topic: 'Throwing errors or returning results',
    agree: false,
    outputs: [
      'Functions can throw errors or return results. Throwing keeps the happy path short but hides what may fail; returning shows what may fail but makes the happy path long. Hidden failures woke us twice this month. We should return results.',
      'Functions can return results or throw errors. Returning makes the happy path long but shows what may fail; throwing hides what may fail but keeps the happy path short. Long functions cost us reviews every day this month. We should throw errors.',
    ],
  },
  {
    kind: 'same_words_opposite',
    topic: 'Releasing weekly or on demand',
    agree: true,
    outputs: [
      'We can release every week or whenever something is ready. Weekly gives support a rhythm, on demand gives customers fixes sooner. Support has asked for a rhythm since January, and the fixes can wait three days on average. Weekly is what I suggest.',
      'We can release whenever something is ready or every week. On demand gives customers fixes sooner, weekly gives support a rhythm. Three days on average is what a fix would wait, and support has asked since January. What I suggest is weekly.',
      'Support wants a rhythm, customers want fixes sooner; weekly serves the first, on demand the second. Fixes would wait three days on average, which is bearable. I suggest weekly.',
    ],
  },
  {
    kind: 'numbers',
    topic: 'Password length',
    agree: false,
    outputs: [
      'The guideline says 8 at least, the auditor wants 12, and our users have password managers only in one case out of three. Twelve characters without rules about symbols are better than eight with them. I would require 12.',
      'Length beats rules, that is true. Yet at twelve the hotline will drown: when we moved from 6 to 8 we had 400 calls. Set the minimum to 10 and check against the list of leaked passwords.',
    ],
  },
  {
    kind: 'numbers',
    topic: 'Timeout of a user session',
    agree: true,
    outputs: [
      'Nurses are called away constantly; with 5 minutes they logged in forty times a shift. The data protection officer would accept anything up to a quarter of an hour. I propose 15 minutes of inactivity.',
      'Thirty minutes was refused, five is unusable. What remains, and what the officer has already nodded at, is fifteen minutes. I would implement that and look at the figures in autumn.',
    ],
  },
  {
    kind: 'numbers',
    topic: 'How many replicas',
    agree: false,
    outputs: [
      'Two replicas survive one failure, which is what the contract says. The third costs 700 a month for a case that has occurred once in six years. Two replicas.',
      'With two replicas, one failure during maintenance is an outage; this is how March happened. I want three. 700 a month is less than the credit notes of that single day.',
      'March was a maintenance window plus a failed disk. It will happen again, since we patch monthly. So a third replica is worth the 700 for me: three in total.',
    ],
  },
  {
    kind: 'markdown',
    topic: 'Where feature requests are collected',
    agree: false,
    outputs: [
      '## Feature requests\n\nToday: mails, tickets, a spreadsheet.\n\n**Options**\n- Public board with votes\n- Tickets only\n\n**My take:** a public board. Votes tell us what hurts, and customers see that they are heard.',
      '## Where should requests live?\n\n1. Votes reward the loud\n2. Competitors read public boards too\n3. Support lives in the ticket system already\n\n### Recommendation\nCollect them as **tickets**, with a label and a monthly review.',
    ],
  },
  {
    kind: 'markdown',
    topic: 'Choice of the component test level',
    agree: true,
    outputs: [
      '# Test levels\n\n| Level | Time | Finds |\n|---|---|---|\n| Unit | 20 s | logic |\n| Integration | 4 min | wiring |\n| Browser | 25 min | everything, sometimes |\n\n> Of 30 bugs last quarter, 22 were wiring.\n\n## So\n\nPut the effort into **integration tests**.',
      '### Summary\n- 22 of 30 bugs: parts that did not fit together\n- Browser tests were red for other reasons on 9 of 10 days\n\n### Proposal\n**More integration tests**, no new browser tests. Unit tests stay as they are.',
      '**TL;DR** integration tests first.\n\nDetails:\n* unit: enough of them\n* browser: flaky, keep five smoke tests\n* integration: nearly none, and this is where the bugs are',
    ],
  },
  {
    kind: 'markdown',
    topic: 'Type of the mobile navigation',
    agree: false,
    outputs: [
      '# Navigation\n\n- Bottom bar: reachable with the thumb, five entries at most\n- Drawer: unlimited entries, hidden\n\n## Decision\n\n**Bottom bar** with five entries.',
      '# Navigation\n\n- Bottom bar: five entries at most, we have nine\n- Drawer: all nine, grouped\n\n## Decision\n\n**Drawer**, grouped by task. Nine does not fit into five.',
    ],
  },
  {
    kind: 'cross_reference',
    topic: 'Round 2: Hiring a tester',
    agree: true,
    outputs: [
      'B says that testers make developers lazy. I disagree, and I find the example from the old company unfair. But on the budget B is right: one position, and the data engineer is needed more. No tester this year, then.',
      'A took offence at my example; I withdraw it. However, I maintain the general point. We end up at the same place anyway: no tester this year, and the position goes to the data engineer.',
    ],
  },
  {
    kind: 'cross_reference',
    topic: 'Round 2: Replacing the PDF library',
    agree: false,
    outputs: [
      'I agree with B about the licence and about the missing ligatures. C has a point with the memory figures as well. After weighing all of this I come to the conclusion that the library should be replaced.',
      'A and I see the same defects, and I agree with the list. But a defect list is not a reason to spend six weeks, and the licence is valid until 2027. My conclusion is to keep the library and patch the ligatures.',
      'I concur with both on the defects; my memory figures are undisputed. For me they decide the matter: replace it before the season starts.',
    ],
  },
  {
    kind: 'cross_reference',
    topic: 'Round 2: Switching the chat system',
    agree: true,
    outputs: [
      "Nothing in B's mail convinced me that Matrix is hard to run; we ran it for a year. Yet I accept that the bridge to the customers fails too often. I no longer ask for the switch: we stay with Slack.",
      "A's year with Matrix was with nine people, not ninety. I disagree about the effort, as before. What matters is that we both land on staying with Slack, and I am glad about it.",
    ],
  },
  {
    kind: 'different_words_same',
    topic: 'Backups of laptops',
    agree: false,
    outputs: [
      'Everything of value is in git or in the document store. What sits on a laptop only is holiday pictures. I would save us the licence and make no copies of the machines.',
      'Two people lost a week of work this year because their notes were nowhere else. A nightly image of each device to the office server costs a few hundred. That is cheap insurance and I would take it out.',
    ],
  },
  {
    kind: 'different_words_same',
    topic: 'How to introduce the new invoice layout',
    agree: true,
    outputs: [
      'Eleven thousand customers, and some of them scan our invoices with templates. Switching everyone on one day means a flooded hotline. I would begin with fifty friendly firms and widen the circle each week.',
      'Anything that machines read should change slowly. A pilot group first, then a tenth, then the rest, with a pause after each step to listen. Nobody needs the new look by a certain date.',
    ],
  },
  {
    kind: 'different_words_same',
    topic: 'Where the business rules live',
    agree: false,
    outputs: [
      'Three teams implement the discount rules, and each has its own bugs. Put them in the database as procedures, next to the data, and they exist once.',
      'Procedures cannot be debugged, and the only person who writes them well retires in May. A small library in the language we all speak, versioned and tested, is where such logic belongs.',
      'I have maintained stored code for a decade and would not wish it on anyone. The rules ought to be an ordinary package which the three teams pull in.',
    ],
  },
  {
    kind: 'hedged',
    topic: 'Letting the assistant send mails itself',
    agree: true,
    outputs: [
      'I am torn. The drafts are good, and clicking "send" forty times a day is dull. But one wrong mail to a judge would cost more than all those clicks, so for now I would probably keep a human in front of the button.',
      'Maybe in a year. At present I would rather have somebody approve each mail, even if it is a nuisance, because we have no idea how often it is wrong. I might be too careful.',
    ],
  },
  {
    kind: 'hedged',
    topic: 'Dropping the desktop client',
    agree: false,
    outputs: [
      'My feeling, and it is not more than that, is that the desktop client has had its day. Six percent use it. Unless the broadcasters protest, I would lean towards dropping it next year.',
      'Six percent is little, but it may be the six percent that pay most. I am not sure; I would still be inclined to keep the desktop client for the time being and look at the revenue per user first.',
    ],
  },
  {
    kind: 'hedged',
    topic: 'Buying the data set',
    agree: true,
    outputs: [
      'The price is steep, and I could be wrong about its value. Even so, collecting the same addresses ourselves would take until winter. I tend to say we should buy the data set, after a look at a sample.',
      'I would want to see the sample first. If it is as clean as they claim, then buying looks like the lesser evil, as we cannot collect that much before winter. A hesitant yes from me.',
      'Perhaps there is a cheaper source that we overlooked. Failing that, buy it. I do not feel strongly.',
    ],
  },
  {
    kind: 'multi_option',
    topic: 'Choosing a CI system',
    agree: true,
    outputs: [
      'Jenkins, GitLab CI, Buildkite or Drone. Jenkins knows everything and forgives nothing. Drone seems asleep. GitLab CI would mean moving the repositories. Buildkite runs on our own machines and is hosted where it should be. I vote for Buildkite.',
      'Moving the repositories is out, hence no GitLab. I have maintained Jenkins for six years and would like to stop. Of the two remaining, Buildkite is the one with a future.',
      'My ranking: Buildkite, GitLab CI, Drone, Jenkins. The first has the shortest queue and the best logs.',
    ],
  },
  {
    kind: 'multi_option',
    topic: 'Type of the primary key in the mobile database',
    agree: false,
    outputs: [
      'Local counters, ULIDs, or hashes of the content. Counters collide when two phones sync. Hashes change with the content. ULIDs sort by time and never collide. I would take ULIDs.',
      'The records never change once written, so the hash of the content is a perfect key: the same reading sent twice is one row. ULIDs would give us two. Counters are out of the question. Hashes, therefore.',
    ],
  },
  {
    kind: 'multi_option',
    topic: 'Format of the architecture documents',
    agree: false,
    outputs: [
      'Wiki pages, Markdown in the repository, or a diagram tool. Wiki pages rot, diagrams in a tool cannot be reviewed. Markdown in the repository changes with the code, in the same pull request. That is my choice.',
      'Half of the readers are not developers and have no access to the repository. The wiki is where they look, and it has comments. Yes, pages rot, but files rot as well. I would go with the wiki.',
      'For readers outside of development the wiki wins. Markdown next to the code is nicer for us, but we are not the audience. The diagram tool is a toy. Wiki pages, in my opinion, with an owner each.',
      'If only developers read it, I would say Markdown. They are not the only ones. Let us write it in the wiki and link to it from the repository.',
    ],
  },
]
