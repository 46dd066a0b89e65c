/** Requires of each migration that requests of running programs, also of the release before, succeed while and after it runs. */
import { describe, expect, it } from 'vitest'
import { readMigrations } from './platform/database/migration/migration-file.ts'
import { MIGRATIONS } from './readiness.ts'
import { migrationErrors } from './testing/compatibility/migration-errors.ts'

/** Older ones ran before there was a release, on no database in use. */
const FIRST_NUMBER = 23
/** Errors that are none, each with the reason: for example that no release reads a column any more. */
const REVIEWED: Readonly<Record<string, string>> = {}

const errorsIn = (sql: string) => migrationErrors({ name: '0099-x.sql', sql, index: null })

describe('migrations', async () => {
  const migrations = await readMigrations(MIGRATIONS)

  it('block no requests, and add only what the release before works with', () => {
    const errors = migrations.filter(({ number }) => number >= FIRST_NUMBER).flatMap(migrationErrors)
    expect(errors.filter((error) => REVIEWED[error] === undefined)).toEqual([])
    expect(Object.keys(REVIEWED).filter((error) => !errors.includes(error))).toEqual([])
  })

  it('of the time before were not all so, which is found', () => {
    const byNumber = new Map(migrations.map((migration) => [migration.number, migrationErrors(migration)]))
    expect([...byNumber].filter(([, errors]) => errors.length > 0).map(([number]) => number)).toEqual([
      3, 6, 9, 11, 16, 18,
    ])
    expect(byNumber.get(3)?.join()).toContain('an index on cancellations blocks its writes')
    expect(byNumber.get(18)?.join()).toContain('"rename column payment_id to subject_id" of events')
  })
})

describe('a migration may', () => {
  it.each([
    [
      'create a table with its keys and indexes',
      'create table a (id int primary key); create unique index b on a (id);',
    ],
    [
      'fill and alter a table that it creates',
      'create table a (id int); insert into a values (1); alter table a add check (id > 0);',
    ],
    ['add columns that may be empty', 'alter table payments add column note text,\n  add column size numeric(10, 2);'],
    ['add a column with a constant default', "alter table payments add column a text not null default 'x';"],
    [
      'add a column whose empty array is the default',
      "alter table payments add column a text[] not null default '{}';",
    ],
    ['say more in comments', '-- drop table payments;\nalter table payments add column a timestamp with time zone;'],
  ])('%s', (_what, sql) => {
    expect(errorsIn(sql)).toEqual([])
  })

  it('create an index while its table is written to', () => {
    const statement = 'create index concurrently a on payments (id);'
    const sql = `-- without transaction\n${statement}`
    expect(migrationErrors({ name: 'x', sql, index: { name: 'a', table: 'payments', statement } })).toEqual([])
  })
})

describe('a migration may not', () => {
  it.each([
    ['create index a on payments (id);', 'an index on payments blocks its writes'],
    ['create unique index a on payments (id);', 'an index on payments blocks its writes'],
    ['drop table payments;', '"drop table payments" is not known'],
    ['alter table payments drop column note;', '"drop column note" of payments is not known'],
    ['alter table payments add column a text, drop column b;', '"drop column b" of payments is not known'],
    ['alter table payments rename column a to b;', '"rename column a to b" of payments'],
    ['alter table payments alter column a type bigint;', '"alter column a type bigint" of payments'],
    ['alter table payments alter column a set not null;', '"alter column a set not null" of payments'],
    ['alter table payments add constraint c check (a > 0);', '"add constraint c check (a > 0)" of payments'],
    ['alter table payments add column a text not null;', 'payments.a is required'],
    ['alter table payments add column a uuid default gen_random_uuid();', 'payments.a has more than a type'],
    ['alter table payments add column a int check (a > 0);', 'payments.a has more than a type'],
    ['alter table payments add column a uuid references partners;', 'payments.a has more than a type'],
    ['alter table payments add column a bigserial;', 'payments.a has more than a type'],
    ['alter table payments add column a int; alter table consents add column b int;', 'locks payments and consents'],
    [
      'create table a (id uuid references partners); alter table payments add column b int;',
      'locks partners and payments',
    ],
    ['update payments set note = null;', '"update payments set note = null" is not known'],
    ['insert into banks values (1);', '"insert into banks values (1)" is not known'],
    ['do $$ begin perform 1; end $$;', 'is not known'],
  ])('%s', (sql, error) => {
    expect(errorsIn(sql).join('\n')).toContain(error)
  })

  it('create a unique index on a table of the release before', () => {
    const statement = 'create unique index concurrently a on payments (id);'
    const sql = `-- without transaction\n${statement}`
    const errors = migrationErrors({ name: 'x', sql, index: { name: 'a', table: 'payments', statement } })
    expect(errors).toEqual(['x: the unique index a may reject what the release before inserts'])
  })
})
