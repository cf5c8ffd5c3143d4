/** The tables on Postgres, in a schema of their own. One schema holds any number of projects. */
import type pg from 'pg'
import { ConveneError } from '../errors.ts'

/** Each entry is one migration; its position is the version it leads to. Never change one that was released. */
const migrations: ((schema: string) => string)[] = [
  (schema) => `
CREATE TABLE ${schema}.projects (
  number int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  seq bigint NOT NULL DEFAULT 0,
  signals bigint NOT NULL DEFAULT 0
);

CREATE TABLE ${schema}.workers (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project int NOT NULL,
  host text NOT NULL,
  pid int NOT NULL,
  version text NOT NULL,
  agents text[] NOT NULL,
  capacity int,
  busy int NOT NULL DEFAULT 0,
  started timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen timestamptz NOT NULL DEFAULT clock_timestamp(),
  batch bigint NOT NULL DEFAULT 0,
  dead boolean NOT NULL DEFAULT false
);
CREATE INDEX workers_alive ON ${schema}.workers (project) WHERE NOT dead;

CREATE TABLE ${schema}.events (
  project int NOT NULL,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  ts text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  version int NOT NULL,
  stream text COLLATE "C" NOT NULL,
  run text COLLATE "C",
  feature text COLLATE "C",
  actor text COLLATE "C",
  data text COLLATE "C" NOT NULL,
  payload_ref text COLLATE "C",
  step text COLLATE "C",
  n int,
  PRIMARY KEY (project, seq)
);
CREATE INDEX events_by_stream ON ${schema}.events (project, stream, seq);
CREATE INDEX events_by_feature ON ${schema}.events (project, feature, seq) WHERE feature IS NOT NULL;
CREATE INDEX events_by_id ON ${schema}.events (project, id);
CREATE UNIQUE INDEX events_by_run ON ${schema}.events (project, run, step, n);

CREATE TABLE ${schema}.runs (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project int NOT NULL,
  id text COLLATE "C" NOT NULL,
  workflow text COLLATE "C" NOT NULL,
  version int NOT NULL,
  status text COLLATE "C" NOT NULL,
  input text COLLATE "C",
  output text COLLATE "C",
  reason text COLLATE "C",
  code text COLLATE "C",
  parked_at int,
  parent text COLLATE "C",
  forked_from text COLLATE "C",
  forked_at int,
  created bigint NOT NULL,
  updated bigint NOT NULL,
  owner bigint,
  UNIQUE (project, id)
);
CREATE INDEX runs_by_status ON ${schema}.runs (project, status);
CREATE INDEX runs_by_parent ON ${schema}.runs (project, parent) WHERE parent IS NOT NULL;
CREATE INDEX runs_by_owner ON ${schema}.runs (owner) WHERE owner IS NOT NULL;

CREATE TABLE ${schema}.steps (
  run bigint NOT NULL,
  position int NOT NULL,
  name text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  value text COLLATE "C",
  at bigint NOT NULL,
  PRIMARY KEY (run, position)
);

CREATE TABLE ${schema}.signals (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project int NOT NULL,
  run text COLLATE "C" NOT NULL,
  topic text COLLATE "C" NOT NULL,
  value text COLLATE "C",
  key text COLLATE "C",
  consumed_at int
);
CREATE INDEX signals_by_run ON ${schema}.signals (project, run, number);
CREATE UNIQUE INDEX signals_by_key ON ${schema}.signals (project, run, key) WHERE key IS NOT NULL;

CREATE TABLE ${schema}.claims (
  project int NOT NULL,
  name text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL,
  until bigint,
  PRIMARY KEY (project, name)
);

CREATE TABLE ${schema}.rehearsal_lines (
  project int NOT NULL,
  script text COLLATE "C" NOT NULL,
  run text COLLATE "C" NOT NULL,
  step text COLLATE "C" NOT NULL,
  try int NOT NULL,
  line int NOT NULL,
  PRIMARY KEY (project, script, run, step, try)
);

CREATE TABLE ${schema}.payloads (
  project int NOT NULL,
  ref text COLLATE "C" NOT NULL,
  upload uuid NOT NULL,
  PRIMARY KEY (project, ref)
);
CREATE TABLE ${schema}.payload_parts (
  upload uuid NOT NULL,
  n int NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (upload, n)
);
`,
  // Runs that any process may take, what each process takes, and how often a process crashed in the same step of a run.
  (schema) => `
ALTER TABLE ${schema}.runs
  ADD COLUMN apart boolean NOT NULL DEFAULT false,
  ADD COLUMN crashes int NOT NULL DEFAULT 0,
  ADD COLUMN crash_streak int NOT NULL DEFAULT 0,
  ADD COLUMN crash_steps int;
ALTER TABLE ${schema}.workers ADD COLUMN takes text NOT NULL DEFAULT '{}';
`,
  // The time of the last event, which no later one is before; who refers to a payload.
  (schema) => `
ALTER TABLE ${schema}.projects ADD COLUMN stamped bigint NOT NULL DEFAULT 0;
CREATE INDEX events_by_payload ON ${schema}.events (project, payload_ref) WHERE payload_ref IS NOT NULL;
`,
]

/** Throws for a name that would need quoting: it is part of every statement. */
export function checkSchemaName(schema: string): void {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(schema) && !schema.startsWith('pg_')) return
  throw new ConveneError('invalid_config', `engine.schema '${schema}' is not a valid schema name`, {
    path: 'engine.schema',
    expected: 'lower-case letters, digits and underscores, not beginning with pg_',
  })
}

/**
 * Brings the tables up to date. Any number of processes may do so at once: the lock is held by the transaction, so it
 * works behind a pooler that hands each transaction another session.
 */
export async function migrate(client: pg.ClientBase, schema: string): Promise<void> {
  const found = await versionIn(client, schema)
  if (found === migrations.length) return
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
  try {
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`convene:${schema}`])
    const version = await versionIn(client, schema)
    if (version > migrations.length) throw tooNew(schema, version)
    // `IF NOT EXISTS` would demand the right to create schemas even where the schema exists.
    const known = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
    if (known.rowCount === 0) await client.query(`CREATE SCHEMA ${schema}`)
    if (version === 0) await client.query(`CREATE TABLE ${schema}.format (version int NOT NULL)`)
    for (const migration of migrations.slice(version)) await client.query(migration(schema))
    await client.query(`DELETE FROM ${schema}.format`)
    await client.query(`INSERT INTO ${schema}.format (version) VALUES ($1)`, [migrations.length])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Reads the catalogue's tables: `to_regclass` may answer from a cache that is older than the lock. */
async function versionIn(client: pg.ClientBase, schema: string): Promise<number> {
  const sql = `SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = $1 AND relname = 'format'`
  if ((await client.query(sql, [schema])).rowCount === 0) return 0
  const { rows } = await client.query(`SELECT version FROM ${schema}.format`)
  return rows[0]?.version ?? 0
}

function tooNew(schema: string, version: number): ConveneError {
  return new ConveneError(
    'database_too_new',
    `the schema ${schema} was written by a newer Convene (format ${version}; this version supports ${migrations.length}). Update Convene.`,
  )
}
