/** Tests that the statements of an initiation find their rows by key, however many payments there are and whatever is known of them. */
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { invoice } from '../../../contract/examples/demo-fixture.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import {
  INSERT_SUBMISSIONS,
  insertSubmission,
  RECORD_ACKNOWLEDGEMENTS,
  type SubmissionRow,
  writeAcknowledgement,
} from './submission-store.ts'

const PARTNER = '01a207a2-3280-7a4c-9123-b1612dd272d1'
const AT = Temporal.Instant.from('2026-11-21T10:00:00Z')

let fresh: FreshDatabase
let database: Database<unknown>
beforeEach(async () => {
  fresh = await freshDatabase()
  const { connectionString } = fresh
  database = openDatabase<unknown>({ connectionString, applicationName: 'test', connectionsMax: 1 })
})
afterEach(async () => {
  await database.close()
  await fresh.drop()
})

/**
 * Settled payments of one partner from one account, a hundred of each amount, in addition to those before: indexes have
 * few, small entries.
 */
async function keepPayments(count: number, before = 0): Promise<void> {
  await database.pool.query(
    `insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
       amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, status, notification_token_hash,
       created_at, status_at, changed_at)
     select $1, gen_random_uuid(), 'Domestic', gen_random_uuid(), 'FJORNO22', 'NO', '987654325', 'kept-' || n, 1 + n / 100, 'NOK',
       '80501100017', '80501200011', '2026-11-21', '{}', 'known', gen_random_uuid(), 'Completed', 'hint', t.at, t.at, t.at
     from generate_series($4::int + 1, $2::int) n, (values ($3::timestamptz)) as t(at)`,
    [PARTNER, count, AT.toString(), before],
  )
}

/** How prepared statements, as the gateway has them, read the growing tables: the index and its condition. */
async function readsOf({ query }: Pick<pg.Pool, 'query'>, form: (typeof FORMS)[number]): Promise<readonly string[]> {
  const plans = [INSERT_SUBMISSIONS, RECORD_ACKNOWLEDGEMENTS].map(async (statement) => {
    const { rows } = await query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${statement[form]}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  const text = (await Promise.all(plans)).join('\n')
  const scans = text.matchAll(/(\w+ Scan|Index Scan using \w+) on (payments|idempotency)\b.*\n(?: +(Index Cond: .*))?/g)
  const reads = [...scans].map(([, scan, table, condition = 'all of it']) =>
    `${scan} on ${table}, ${condition}`
      .replaceAll(/ = (\$\d+|[\w.]+)/g, '')
      .replaceAll(/\(\$\d+\)::text/g, '(partner_id)::text')
      .replaceAll(/ >= (\$\d+|[\w.]+)/g, ' >= duplicates_since')
      .replaceAll(/\b[\w]+\./g, ''),
  )
  return reads.toSorted()
}

const FORMS = ['forOne', 'forMany'] as const
const BY_KEYS = [
  'Index Scan using idempotency_pkey on idempotency, Index Cond: ((partner_id) AND (operation) AND (key))',
  'Index Scan using payments_end_to_end on payments, Index Cond: ((end_to_end_id) AND ((partner_id)::text = (partner_id)::text) AND (created_at >= duplicates_since))',
  'Index Scan using payments_pkey on payments, Index Cond: ((partner_id) AND (id))',
  'Index Scan using payments_pkey on payments, Index Cond: ((partner_id) AND (id))',
]
const FEW = 20
const SOME_THOUSANDS = 5_000
/** Around 120 to 190, smaller indexes have one level less than that of endToEndIds. */
const NEVER_ANALYSED = [
  0,
  1,
  2,
  3,
  5,
  10,
  FEW,
  30,
  45,
  60,
  75,
  90,
  105,
  120,
  135,
  150,
  170,
  190,
  210,
  250,
  300,
  400,
  600,
  1_000,
  2_000,
  SOME_THOUSANDS,
]
/** More payments only raise the cost of reading without a key. */
const ANALYSED = [FEW, SOME_THOUSANDS]

describe('the plans', () => {
  it('go by keys on a database that was never analysed, however many payments it has', async () => {
    // Benchmarks run the statements as they are, on connections without settings.
    const client = new pg.Client({ connectionString: fresh.connectionString })
    await client.connect()
    for (const [index, count] of NEVER_ANALYSED.entries()) {
      await keepPayments(count, NEVER_ANALYSED[index - 1])
      await expectByKeys(bound(database.pool), count)
      await expectByKeys(bound(client), count)
    }
    await client.end()
  })

  it('go by keys on an analysed database, however many payments it has', async () => {
    for (const [index, count] of ANALYSED.entries()) {
      await keepPayments(count, ANALYSED[index - 1])
      await database.pool.query('vacuum analyze payments')
      await expectByKeys(bound(database.pool), count)
    }
  })
})

/** Of a row as parameters and of rows as JSON. */
async function expectByKeys(client: Pick<pg.Pool, 'query'>, payments: number): Promise<void> {
  for (const form of FORMS) {
    expect([payments, form, await readsOf(client, form)]).toEqual([payments, form, BY_KEYS])
  }
}

function bound(client: Pick<pg.Pool, 'query'>): Pick<pg.Pool, 'query'> {
  return { query: client.query.bind(client) }
}

it('plans made on empty tables serve thousands of initiations without reading more for each', async () => {
  const initiate = async () => {
    const submission = submissionRow()
    await insertSubmission(database, submission)
    await writeAcknowledgement(database, acceptanceRow(submission))
  }
  // More than PostgreSQL plans individually before it makes a generic plan.
  for (let count = 0; count < FEW; count += 1) {
    await initiate()
  }
  await keepPayments(SOME_THOUSANDS)
  const before = await readRows()
  for (let count = 0; count < FEW; count += 1) {
    await initiate()
  }
  const after = await readRows()
  expect(after.whole - before.whole).toBe(0n)
  // The payment is found twice, for its update and for its former outcome, and its idempotency key once.
  expect(after.byIndex - before.byIndex).toBeLessThanOrEqual(BigInt(6 * FEW))
})

it('rows that share a statement are stored as each would be alone, with and without a key', async () => {
  // The first row is sent alone while the others are collected.
  const rows = Array.from({ length: 6 }, (_, index) => submissionRow({ hasKey: index % 2 === 0 }))
  expect(await Promise.all(rows.map((row) => insertSubmission(database, row)))).toMatchObject(
    rows.map(() => ({ duplicateOf: null })),
  )
  const answers = await Promise.all(rows.map((row) => writeAcknowledgement(database, acceptanceRow(row))))
  expect(answers).toMatchObject(rows.map(() => ({ before: 'in-flight' })))
  const again = await insertSubmission(database, { ...submissionRow(), endToEndId: rows[0]?.endToEndId ?? '' })
  expect(again).toMatchObject({ duplicateOf: rows[0]?.id })
  const { rows: stored } = await database.pool.query(
    `select p.id, p.outcome, p.bank_payment_id, p.idempotency_key, h.status, k.subject_id, k.status as answered,
       encode(k.answer, 'hex') as answer
     from payments p join payment_history h on h.partner_id = p.partner_id and h.payment_id = p.id
     left join idempotency k on k.partner_id = p.partner_id and k.key = p.idempotency_key order by p.id`,
  )
  const outcome = ({ id, idempotencyKey }: SubmissionRow) => {
    const answered = idempotencyKey === undefined ? [null, null, null, null] : [id, id, 200, 'ab']
    const [idempotency_key, subject_id, status, answer] = answered
    const known = { id, outcome: 'known', bank_payment_id: id, status: 'Unsigned' }
    return { ...known, idempotency_key, subject_id, answered: status, answer }
  }
  expect(stored).toEqual(rows.map(outcome))
})

it('storing a response writes no index entry of its idempotency key', async () => {
  for (let count = 0; count < FEW; count += 1) {
    const submission = submissionRow()
    await insertSubmission(database, submission)
    await writeAcknowledgement(database, acceptanceRow(submission))
  }
  await database.pool.query('select pg_stat_force_next_flush()')
  const { rows } = await database.pool.query(
    `select n_tup_upd::int as updated, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = 'idempotency'`,
  )
  expect(rows).toEqual([{ updated: FEW, hot: FEW }])
})

/** The number of rows read from the growing tables, by sequential scans and by their indexes. */
async function readRows(): Promise<{ readonly whole: bigint; readonly byIndex: bigint }> {
  await database.pool.query('select pg_stat_force_next_flush()')
  const { rows } = await sql<{ whole: bigint; byIndex: bigint }>`
    select sum(t.seq_tup_read)::bigint as whole,
      sum((select sum(i.idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid))::bigint as "byIndex"
    from pg_stat_user_tables t where t.relname in ('payments', 'payment_history', 'idempotency')`.execute(
    database.query,
  )
  const [read] = rows
  if (read === undefined) {
    throw new Error('PostgreSQL returned no statistics')
  }
  return read
}

function submissionRow({ hasKey } = { hasKey: true }): SubmissionRow {
  const id = newId()
  return {
    partnerId: PARTNER,
    id,
    type: 'Domestic',
    ordered: JSON.stringify(invoice),
    consentId: newId(),
    bic: 'FJORNO22',
    countryCode: 'NO',
    organisationNumber: '987654325',
    endToEndId: id,
    ...{ amountMinor: 125_000n, currency: 'NOK' },
    debtorBban: '80501100017',
    creditorBban: '80501200011',
    dueDate: Temporal.PlainDate.from('2026-11-21'),
    payrollId: null,
    bankRequestId: newId(),
    notificationTokenHash: 'hint',
    createdAt: AT,
    recoverAt: AT,
    duplicatesSince: AT,
    ...(hasKey && {
      ...{ idempotencyOperation: 'POST /api/v2/payments', idempotencyKey: id, idempotencyFingerprint: 'fingerprint' },
      ...{ idempotencySubjectId: id, idempotencyStartedAt: AT },
    }),
  }
}

function acceptanceRow({
  id,
  idempotencyOperation,
  idempotencyKey,
}: SubmissionRow): Parameters<typeof writeAcknowledgement>[1] {
  return {
    partnerId: PARTNER,
    id,
    historyId: newId(),
    bankPaymentId: id,
    status: 'Unsigned',
    statusReason: null,
    statusReasonText: null,
    bankStatus: 'RCVD',
    signed: false,
    statusAt: AT,
    pollAt: AT,
    finalSince: null,
    exchange: null,
    ...(idempotencyOperation !== undefined &&
      idempotencyKey !== undefined && {
        ...{ idempotencyOperation, idempotencyKey, idempotencyStatus: 200 },
        ...{ idempotencyAnswer: 'ab', idempotencyFinishedAt: AT },
      }),
  }
}
