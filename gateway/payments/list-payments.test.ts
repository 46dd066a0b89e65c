/** Tests lists of payments: pages neither skip nor repeat, every filter has its index, cursors belong to one list. */

import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentSummary } from '../../contract/payments/payment-response.ts'
import type { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import { randomCases } from '../../setup/random-cases.ts'
import { type ListFilter, type ListQuery, parseListQuery } from '../orders/order-list-query.ts'
import { paymentListQuery } from '../orders/store/payment-list-store.ts'
import { createSeal, generateMasterKeyLine, parseMasterKeys } from '../platform/crypto/envelope-encryption.ts'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { type FreshDatabase, freshDatabase } from '../testing/database/fresh-database.ts'
import { contextOf } from '../testing/gateway/test-context.ts'
import { listPayments } from './read-payments.ts'

type Stored = { partnerId: string; id: string; company: string; endToEndId: string; status: string; at: string }

const STATUSES: readonly PaymentStatusValue[] = ['Unsigned', 'InProgress', 'Completed', 'Rejected']
const COMPANIES = ['987654325', '9900110-9', '5599901005']
const START = Temporal.Instant.from('2026-11-21T10:00:00Z')
const ORDERED = JSON.stringify({
  metadata: { endToEndId: 'INV-1' },
  from: { account: { type: 'bban', bban: '80501100017' }, contactInformation: { name: 'Nordlys' }, currency: 'NOK' },
  to: { account: { type: 'bban', bban: '80501200011' }, contactInformation: { name: 'Granli' } },
  amount: { amount: '1.00', currency: 'NOK' },
  dueDate: '2026-11-21',
})

let fresh: FreshDatabase
let database: Database<unknown>
const seal = createSeal(parseMasterKeys(generateMasterKeyLine('test')))
const context = () => contextOf({ database, seal })
beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase({ connectionString: fresh.connectionString, applicationName: 'test', connectionsMax: 2 })
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

let caller: { partnerId: string }
beforeEach(() => {
  caller = { partnerId: newId() }
})

async function keep(changes: Partial<Stored> = {}): Promise<string> {
  const stored: Stored = {
    partnerId: caller.partnerId,
    id: newId(),
    company: '987654325',
    endToEndId: 'INV-1',
    status: 'Unsigned',
    at: START.toString(),
    ...changes,
  }
  await database.pool.query(
    `insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
       amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, status, notification_token_hash,
       created_at, status_at, changed_at)
     values ($1, $2, 'Domestic', $2, 'FJORNO22', 'NO', $3, $4, 100, 'NOK', '80501100017', '80501200011', '2026-11-21', $5,
       'known', $2, $6, 'hint', $7, $7, $7)`,
    [stored.partnerId, stored.id, stored.company, stored.endToEndId, ORDERED, stored.status, stored.at],
  )
  return stored.id
}

const parse = (query: ListQuery, { partnerId } = caller) =>
  parseListQuery(context(), { partnerId, list: 'payments' }, query, () => true)
async function list(query: ListQuery, whose = caller) {
  const parsing = parse(query, whose)
  return await listPayments(context(), 'parsed' in parsing ? parsing.parsed : expect.fail('The query is invalid'))
}
const idsOf = async (query: ListQuery) => (await list(query)).payments.map(({ paymentId }) => paymentId)
function validationErrorsOf(query: ListQuery, whose = caller) {
  const parsing = parse(query, whose)
  return 'parsed' in parsing ? [] : parsing
}

describe('page by page', () => {
  const operation = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('page'), limit: fc.integer({ min: 1, max: 4 }) }) },
    fc.record({ kind: fc.constant('add'), status: fc.constantFrom(...STATUSES) }),
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('change'), which: fc.nat(), status: fc.constantFrom(...STATUSES) }),
    },
  )
  const fixture = fc.record({
    // Few different times for many payments: most share their time with others.
    present: fc.array(fc.record({ after: fc.nat(3), status: fc.constantFrom(...STATUSES) }), { maxLength: 14 }),
    operations: fc.array(operation, { maxLength: 24 }),
  })

  /**
   * Reads a list to its end while payments are created and change; returns what was read, and what existed all the
   * while.
   */
  async function readThrough(
    { present, operations }: typeof fixture extends fc.Arbitrary<infer W> ? W : never,
    query: ListQuery,
  ) {
    caller = { partnerId: newId() }
    const ids: string[] = []
    for (const { after, status } of present) {
      ids.push(await keep({ status, at: START.add({ milliseconds: after }).toString() }))
    }
    const first = [...ids]
    const statusesById = new Map(first.map((id, index) => [id, new Set([present[index]?.status])]))
    const read: PaymentSummary[] = []
    let now = START.add({ seconds: 1 })
    let readUntil = now
    let cursor: string | null | undefined
    const readPage = async (limit: number) => {
      const page = await list({
        ...query,
        limit,
        ...(cursor === undefined ? {} : { cursor: cursor ?? '' }),
      })
      read.push(...page.payments)
      cursor = page.nextCursor
      readUntil = now
    }
    await readPage(2)
    for (const done of operations) {
      now = now.add({ milliseconds: 1 })
      if ('limit' in done && cursor !== null) {
        await readPage(done.limit)
      } else if ('which' in done && ids.length > 0) {
        const id = ids[done.which % ids.length] ?? ''
        await database.pool.query('update payments set status = $1, changed_at = $2 where id = $3', [
          done.status,
          now.toString(),
          id,
        ])
        statusesById.get(id)?.add(done.status)
      } else if ('status' in done && !('which' in done)) {
        ids.push(await keep({ status: done.status, at: now.toString() }))
      }
    }
    while (cursor !== null) {
      await readPage(3)
    }
    const { rows } = await database.pool.query<{ id: string; at: Temporal.Instant }>(
      'select id, changed_at as at from payments where partner_id = $1',
      [caller.partnerId],
    )
    return { read, first, statusesById, readUntil, changedAt: new Map(rows.map(({ id, at }) => [id, at.toString()])) }
  }

  const countOf = (read: readonly PaymentSummary[], id: string) =>
    read.filter(({ paymentId }) => paymentId === id).length

  function expectInOrder(times: readonly string[]): void {
    const milliseconds = times.map((time) => Temporal.Instant.from(time).epochMilliseconds)
    expect(milliseconds).toEqual(milliseconds.toSorted((one, other) => one - other))
  }

  test('every existing payment is returned exactly once, whatever is created and changes meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(fixture, async (requested) => {
        const { read, first } = await readThrough(requested, {})
        expect(first.map((id) => countOf(read, id))).toEqual(first.map(() => 1))
        expect(new Set(read.map(({ paymentId }) => paymentId)).size).toBe(read.length)
        expectInOrder(read.map(({ createdAt }) => createdAt))
      }),
      { numRuns: randomCases(200) },
    )
  })

  test('of a status: each payment that has it all the while is returned once', async () => {
    await fc.assert(
      fc.asyncProperty(fixture, fc.constantFrom(...STATUSES), async (requested, status) => {
        const { read, first, statusesById } = await readThrough(requested, { status })
        const constant = first.filter((id) => [...(statusesById.get(id) ?? [])].every((one) => one === status))
        expect(constant.map((id) => countOf(read, id))).toEqual(constant.map(() => 1))
        expect(new Set(read.map(({ paymentId }) => paymentId)).size).toBe(read.length)
        expect(read.every((payment) => payment.paymentStatus.status === status)).toBe(true)
      }),
      { numRuns: randomCases(200) },
    )
  })

  test('of changes: each is last returned as it was at the end, and never twice in the same state', async () => {
    await fc.assert(
      fc.asyncProperty(fixture, async (requested) => {
        const { read, first, changedAt, readUntil } = await readThrough(requested, { updatedSince: '2026-11-21' })
        for (const id of first) {
          const seen = read.filter(({ paymentId }) => paymentId === id).map(({ updatedAt }) => updatedAt)
          expect(seen.length).toBeGreaterThanOrEqual(1)
          expect(new Set(seen).size).toBe(seen.length)
        }
        const settled = [...changedAt].filter(([, at]) => Temporal.Instant.compare(at, readUntil) <= 0)
        for (const [id, at] of settled) {
          const last = read.findLast(({ paymentId }) => paymentId === id)
          expect(last?.updatedAt).toBe(Temporal.Instant.from(at).toString({ smallestUnit: 'millisecond' }))
        }
        expectInOrder(read.map(({ updatedAt }) => updatedAt))
      }),
      { numRuns: randomCases(200) },
    )
  })

  test('a change before the next page is read is in the following pages, in its current state', async () => {
    const [one, two, three] = [await keep(), await keep(), await keep()]
    const query = { updatedSince: '2026-11-21', limit: 1 }
    const { nextCursor } = await list(query)
    await database.pool.query(`update payments set status = 'Completed', changed_at = $1 where id = $2`, [
      START.add({ seconds: 9 }).toString(),
      one,
    ])
    const rest = await list({ ...query, limit: 9, cursor: nextCursor ?? '' })
    expect(rest.payments.map(({ paymentId, paymentStatus }) => [paymentId, paymentStatus.status])).toEqual([
      [two, 'Unsigned'],
      [three, 'Unsigned'],
      [one, 'Completed'],
    ])
  })
})

describe('filters', () => {
  test('alone and in every combination return exactly the matching payments', async () => {
    const rows = [0, 1].flatMap((day) =>
      COMPANIES.flatMap((company) =>
        STATUSES.flatMap((status) =>
          ['A', 'B'].map((endToEndId) => ({
            company,
            status,
            endToEndId,
            at: START.add({ hours: 24 * day }).toString(),
          })),
        ),
      ),
    )
    const stored = await Promise.all(rows.map(async (row) => ({ ...row, id: await keep(row) })))
    await keep({ partnerId: newId() })
    const choices = {
      endToEndId: [undefined, 'A'],
      status: [undefined, 'Rejected', 'Completed'],
      organizationNumber: [undefined, '9900110-9'],
      fromDate: [undefined, '2026-11-22'],
      toDate: [undefined, '2026-11-21'],
      updatedSince: [undefined, '2026-11-22T09:59:00Z'],
    } as const
    const queries = Object.entries(choices).reduce<readonly ListQuery[]>(
      (found, [name, values]) =>
        found.flatMap((query) => values.map((value) => (value === undefined ? query : { ...query, [name]: value }))),
      [{}],
    )
    expect(queries).toHaveLength(96)
    for (const query of queries.filter(({ fromDate, toDate }) => fromDate === undefined || toDate === undefined)) {
      const fits = stored.filter(
        (row) =>
          (query.endToEndId === undefined || row.endToEndId === query.endToEndId) &&
          (query.status === undefined || row.status === query.status) &&
          (query.organizationNumber === undefined || row.company === query.organizationNumber) &&
          (query.fromDate === undefined || row.at >= '2026-11-22') &&
          (query.toDate === undefined || row.at < '2026-11-22') &&
          (query.updatedSince === undefined || row.at >= '2026-11-22T09:59'),
      )
      const found = await idsOf({ ...query, limit: 500 })
      expect([query, found.toSorted()]).toEqual([query, fits.map(({ id }) => id).toSorted()])
    }
  })

  test.each([
    ['9900110-9', ['9900110-9', '99001109', 'FI99001109', '9900110 - 9'.replaceAll(' ', '')]],
    ['5599901005', ['559990-1005', 'SE559990100501', '165599901005']],
    ['987654325', ['987 654 325', 'NO987654325MVA']],
  ])('find the company %s by every form of its number', async (company, forms) => {
    const id = await keep({ company })
    for (const organizationNumber of forms) {
      expect(await idsOf({ organizationNumber })).toEqual([id])
    }
    expect(await idsOf({ organizationNumber: 'nobody' })).toEqual([])
  })

  test('days are days in UTC, from their first microsecond to their last', async () => {
    const at = [
      '2026-11-20T23:59:59.999999Z',
      '2026-11-21T00:00:00Z',
      '2026-11-21T23:59:59.999999Z',
      '2026-11-22T00:00:00Z',
    ]
    const [before, first, last, after] = await Promise.all(at.map((instant) => keep({ at: instant })))
    expect(await idsOf({ fromDate: '2026-11-21', toDate: '2026-11-21' })).toEqual([first, last])
    expect(await idsOf({ fromDate: '2026-11-22' })).toEqual([after])
    expect(await idsOf({ toDate: '2026-11-20' })).toEqual([before])
    expect(await idsOf({ updatedSince: '2026-11-22' })).toEqual([after])
    expect(await idsOf({ updatedSince: '2026-11-22T01:00:00+01:00' })).toEqual([after])
    expect(await idsOf({ updatedSince: '2026-11-21T23:59:59.999999Z' })).toEqual([last, after])
  })

  test('a range of days that ends before it begins is rejected, without further errors for invalid days', () => {
    const span = { code: 'InvalidRequest', reason: 'is before fromDate', path: '.toDate' }
    expect(validationErrorsOf({ fromDate: '2026-11-22', toDate: '2026-11-21' })).toEqual([span])
    expect(validationErrorsOf({ fromDate: '2026-11-21', toDate: '2026-11-21' })).toEqual([])
    expect(validationErrorsOf({ fromDate: '2026-11-22', toDate: '2026-02-30' })).toEqual([
      { ...span, reason: 'is not a valid date' },
    ])
  })
})

describe('a cursor', () => {
  const NONE = [
    { code: 'InvalidRequest', path: '.cursor', reason: 'is not a cursor of this list; send nextCursor unchanged' },
  ]
  const OTHER = [{ ...NONE[0], reason: 'belongs to a list with other filters; send the same filters with every page' }]

  async function cursorOf(query: ListQuery, whose = caller): Promise<string> {
    return (await list({ ...query, limit: 1 }, whose)).nextCursor ?? ''
  }
  beforeEach(async () => {
    await keep()
    await keep()
  })

  test('continues with the same filters, in any order and with another page size', async () => {
    const cursor = await cursorOf({ status: 'Unsigned', fromDate: '2026-11-21' })
    expect(validationErrorsOf({ fromDate: '2026-11-21', status: 'Unsigned', limit: 7, cursor })).toEqual([])
    expect(await idsOf({ fromDate: '2026-11-21', status: 'Unsigned', limit: 7, cursor })).toHaveLength(1)
  })

  test('continues whatever unknown parameters are sent with it', async () => {
    const cursor = await cursorOf({ status: 'Unsigned' })
    const query = { status: 'Unsigned', cursor, trace: '1' } as const
    expect(validationErrorsOf(query)).toEqual([])
    expect(await idsOf(query)).toHaveLength(1)
  })

  test.each<[string, ListQuery]>([
    ['no filters', {}],
    ['another status', { status: 'Completed' }],
    ['one more filter', { status: 'Unsigned', endToEndId: 'INV-1' }],
    ['the order of changes', { status: 'Unsigned', updatedSince: '2026-11-21' }],
  ])('of a list with other filters is rejected with that reason: %s', async (_what, query) => {
    const cursor = await cursorOf({ status: 'Unsigned' })
    expect(validationErrorsOf({ ...query, cursor })).toEqual(OTHER)
  })

  test('of another partner is rejected like a forged one, and its position cannot be read from it', async () => {
    const other = { partnerId: newId() }
    const theirs = [await keep(other), await keep(other)]
    const cursor = await cursorOf({}, other)
    expect(validationErrorsOf({ cursor })).toEqual(NONE)
    const plain = Buffer.from(cursor, 'base64url').toString('latin1')
    expect(theirs.some((id) => plain.includes(id))).toBe(false)
  })

  test('that was altered, truncated or forged is rejected', async () => {
    const cursor = await cursorOf({})
    const bytes = Buffer.from(cursor, 'base64url')
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    const place = Buffer.from(`${START} ${newId()}`).toString('base64url')
    for (const forged of [bytes.toString('base64url'), cursor.slice(0, -8), place, '', 'null', 'x'.repeat(10_000)]) {
      expect([forged, validationErrorsOf({ cursor: forged })]).toEqual([forged, NONE])
    }
  })
})

describe('with many payments stored', () => {
  const PARTNER = '01a207a2-3280-7a4c-9123-b1612dd272d1'
  /** One partner has most of them; nearly all are Completed, of 50 companies, over a year. */
  const MANY = `
    insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
      amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, status, notification_token_hash,
      created_at, status_at, changed_at)
    select case when n % 10 = 0 then '01a207a2-3280-7a4c-9123-b1612dd272d2' else '${PARTNER}' end::uuid, gen_random_uuid(),
      'Domestic', gen_random_uuid(), 'FJORNO22', 'NO', (900000000 + n % 50)::text, 'many-' || n, n, 'NOK', '80501100017',
      '80501200011', '2026-11-21', '{}', 'known', gen_random_uuid(),
      case when n % 400 = 1 then 'Rejected' when n % 400 = 2 then 'Unsigned' else 'Completed' end, 'hint', t.at, t.at, t.at
    from generate_series(1, 12000) n, lateral (values ('2026-01-01T00:00:00Z'::timestamptz + n * interval '43 minutes')) as t(at)`
  beforeAll(async () => {
    await database.pool.query(MANY)
    await database.pool.query('vacuum analyze payments')
  })

  async function planOf(filter: ListFilter): Promise<readonly string[]> {
    const { sql, parameters } = paymentListQuery(database, PARTNER, filter).limit(101).compile()
    const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, [...parameters])
    return rows
      .map((row) => row['QUERY PLAN'].trim())
      .filter((line) => /Scan|Sort|Bitmap/.test(line))
      .map((line) => line.replace(/^-> +| {2}\(cost.*$/g, ''))
  }

  const at = (text: string) => Temporal.Instant.from(text)
  const after = { at: at('2026-06-01T00:00:00Z'), id: PARTNER }
  test.each<[string, ListFilter, index: string]>([
    ['all', {}, 'payments_created'],
    ['the next page', { after }, 'payments_created'],
    [
      'days',
      { createdFrom: at('2026-05-01T00:00:00Z'), createdBefore: at('2026-05-02T00:00:00Z') },
      'payments_created',
    ],
    ['changes', { updatedSince: at('2026-05-01T00:00:00Z') }, 'payments_changed'],
    ['changes, the next page', { updatedSince: at('2026-05-01T00:00:00Z'), after }, 'payments_changed'],
    ['an endToEndId', { endToEndId: 'many-77' }, 'payments_end_to_end'],
    ['a rare status', { status: 'Rejected' }, 'payments_status'],
    ['a rare status, the next page', { status: 'Unsigned', after }, 'payments_status'],
    ['a frequent status', { status: 'Completed' }, 'payments_created'],
    ['a company', { organisationNumbers: ['900000007'] }, 'payments_company'],
    ['a company, the next page', { organisationNumbers: ['900000007'], after }, 'payments_company'],
  ])('a list of %s reads its index in order, without sorting', async (_what, filter, index) => {
    expect(await planOf(filter)).toEqual([`Index Scan using ${index} on payments`])
  })

  test.each<[string, ListFilter]>([
    ['a rare status', { status: 'Rejected' }],
    ['a company', { organisationNumbers: ['900000007'] }],
    ['an endToEndId', { endToEndId: 'many-77' }],
  ])('changes of %s are found by one of two indexes', async (_what, filter) => {
    const plan = await planOf({ ...filter, updatedSince: at('2026-05-01T00:00:00Z') })
    expect(plan.filter((line) => line.startsWith('Seq Scan'))).toEqual([])
    expect(plan.at(-1)).toMatch(/payments_(status|company|end_to_end|changed)/)
  })
})
