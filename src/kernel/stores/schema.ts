/** The tables of the local database. The journal and the log share one file, so that one transaction covers both. */
export const schemaVersion = 1

export const tables = `
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  ts TEXT NOT NULL,
  type TEXT NOT NULL,
  version INTEGER NOT NULL,
  stream TEXT NOT NULL,
  run TEXT,
  feature TEXT,
  actor TEXT,
  data TEXT NOT NULL,
  payload_ref TEXT,
  step TEXT,
  n INTEGER
);
CREATE INDEX events_by_stream ON events (stream, seq);
CREATE INDEX events_by_feature ON events (feature, seq) WHERE feature IS NOT NULL;
CREATE UNIQUE INDEX events_by_run ON events (run, step, n);

CREATE TABLE runs (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  workflow TEXT NOT NULL,
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  input TEXT,
  output TEXT,
  reason TEXT,
  code TEXT,
  parked_at INTEGER,
  parent TEXT,
  forked_from TEXT,
  forked_at INTEGER,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL
);
CREATE INDEX runs_by_status ON runs (status);
CREATE INDEX runs_by_parent ON runs (parent) WHERE parent IS NOT NULL;

CREATE TABLE steps (
  run INTEGER NOT NULL,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  value TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (run, position)
) WITHOUT ROWID;

CREATE TABLE signals (
  number INTEGER PRIMARY KEY,
  run TEXT NOT NULL,
  topic TEXT NOT NULL,
  value TEXT,
  key TEXT,
  consumed_at INTEGER
);
CREATE INDEX signals_by_run ON signals (run, number);
CREATE UNIQUE INDEX signals_by_key ON signals (run, key) WHERE key IS NOT NULL;

CREATE TABLE claims (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  until INTEGER
) WITHOUT ROWID;

CREATE TABLE rehearsal_lines (
  script TEXT NOT NULL,
  run TEXT NOT NULL,
  step TEXT NOT NULL,
  try INTEGER NOT NULL,
  line INTEGER NOT NULL,
  PRIMARY KEY (script, run, step, try)
) WITHOUT ROWID;
`

export const tableNames = ['events', 'runs', 'steps', 'signals', 'claims', 'rehearsal_lines']
