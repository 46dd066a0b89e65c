/** Makes a row of every kind fail in the sandbox's programs: the rows after it are processed, and the clock moves on. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLog } from '../gateway/platform/observability/log.ts'
import { insertSampleRow, poisonRow } from '../gateway/testing/database/sample-row.ts'
import { forEachRow } from '../gateway/testing/for-each-row.ts'
import { eventually } from '../gateway/testing/gateway/eventually.ts'
import { DUE_TABLES as BANK_TABLES } from './bank/sweep.ts'
import { DUE_TABLES as FX_TABLES } from './fx/sweep.ts'
import { bankTestClient } from './testing/bank-test-client.ts'
import { startTestBank, type TestBank } from './testing/test-bank.ts'
import { startTestFxProvider, type TestFxProvider } from './testing/test-fx-provider.ts'
import { MAIN_ACCOUNT } from './testing/third-party.ts'

const BANK_KINDS = BANK_TABLES.map(({ kind }) => kind)
const FX_KINDS = FX_TABLES.map(({ kind }) => kind)

/** Where rows of a kind are, and the columns of one whose step succeeds. */
type Case = {
  readonly table: string
  readonly key?: string
  readonly column?: string
  columns?(program: pg.Pool): Promise<Readonly<Record<string, unknown>>>
}

const START = Temporal.Instant.from('2031-03-03T08:00:00Z')
const DUE = START.add({ hours: 1 })
const MOVED_TO = START.add({ hours: 2 })

const bankRow = { bank: 'FJORNO22' }
async function insertBulk(pool: pg.Pool): Promise<string> {
  const id = randomUUID()
  await insertSampleRow(pool, 'sandbox_bank.payments', {
    id,
    ...bankRow,
    currency: 'NOK',
    status: 'ACSP',
    debtor: MAIN_ACCOUNT,
    rail: 'account',
    bulk_size: 1,
  })
  return id
}

const bankCases: Readonly<Record<(typeof BANK_KINDS)[number] | 'code', Case>> = {
  payment: {
    table: 'payments',
    columns: async () => ({ ...bankRow, currency: 'NOK', status: 'RJCT', rail: 'account' }),
  },
  element: {
    table: 'bulk_transactions',
    columns: async (pool) => ({
      bulk_id: await insertBulk(pool),
      status: 'ACSP',
      rail: 'account',
      creditor: '86011117947',
      amount_minor: 100,
    }),
  },
  consent: { table: 'consents', columns: async () => ({ ...bankRow, status: 'valid' }) },
  basket: { table: 'baskets', columns: async () => ({ ...bankRow, status: 'PATC' }) },
  authorisation: {
    table: 'authorisations',
    columns: async (pool) => ({
      ...bankRow,
      subject: 'payment',
      resource_id: await insertBulk(pool),
      sca_status: 'received',
    }),
  },
  entry: {
    table: 'pending_entries',
    columns: async () => ({ ...bankRow, bban: MAIN_ACCOUNT, currency: 'NOK', amount_minor: 100 }),
  },
  sent: { table: 'fx_provider_notifications', key: 'payment_id' },
  code: {
    table: 'authorisations',
    column: 'code_expires_at',
    columns: async (pool) => ({
      ...bankRow,
      subject: 'payment',
      resource_id: await insertBulk(pool),
      sca_status: 'received',
      approach: 'app',
    }),
  },
}

const fxCases: Readonly<Record<(typeof FX_KINDS)[number], Case>> = {
  conversion: {
    table: 'conversions',
    columns: async () => ({
      status: 'funds_arrived',
      buy_currency: 'USD',
      sell_currency: 'NOK',
      fixed_side: 'buy',
      client_rate: '1',
      mid_rate: '1',
    }),
  },
  payment: {
    table: 'payments',
    columns: async () => ({ status: 'submitted', currency: 'USD', request_id: randomUUID(), details: '{}' }),
  },
  arrival: { table: 'arrivals', columns: async () => ({ status: 'pending', currency: 'NOK', origin: randomUUID() }) },
  notice: { table: 'notices', columns: async () => ({ status: 'waiting' }) },
}

/** Two rows of a kind, the first of which fails; returns whether they are still due. */
async function insertRows(
  pool: pg.Pool,
  { schema, dueAt }: { readonly schema: string; readonly dueAt: Temporal.Instant },
  { table, key = 'id', column = 'due_at', columns }: Case,
) {
  const [poisoned, healthy] = [randomUUID(), randomUUID()]
  await poisonRow(pool, `${schema}.${table}`, { id: poisoned, key })
  for (const [index, id] of [poisoned, healthy].entries()) {
    const at = dueAt.add({ seconds: index }).toString()
    await insertSampleRow(pool, `${schema}.${table}`, { ...(await columns?.(pool)), [key]: id, [column]: at })
  }
  const isDue = async (id: string) => {
    const { rows } = await pool.query(`select from ${schema}.${table} where ${key} = $1 and ${column} <= $2`, [
      id,
      dueAt.add({ minutes: 1 }).toString(),
    ])
    return rows.length > 0
  }
  return async () => ({ poisoned: await isDue(poisoned), healthy: await isDue(healthy) })
}

const HEALTHY_ALONE = { poisoned: true, healthy: false }

/** Its idle connections end with their database. */
function openPool({ connectionString }: { readonly connectionString: string }): pg.Pool {
  return new pg.Pool({ connectionString, max: 2 }).on('error', () => undefined)
}

function openLines() {
  const lines: string[] = []
  const log = openLog({ program: 'sandbox', level: 'error', destination: { write: (line) => void lines.push(line) } })
  const failed = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('a due row failed'))
  return {
    log,
    failedKinds: () =>
      failed()
        .map(({ kind }) => String(kind))
        .toSorted(),
  }
}

describe('the sandbox bank', () => {
  const { log, failedKinds } = openLines()
  let tested: TestBank
  let pool: pg.Pool
  const { tpp } = bankTestClient(() => tested, 'FJORNO22')
  beforeAll(async () => {
    tested = await startTestBank({ log })
    pool = openPool(tested)
  })
  afterAll(async () => {
    await pool.end()
    await tested.close()
  })

  test('processes the other rows and moves its clock while a row of each kind fails', async () => {
    await tpp.control('POST', '/clock', { now: START.toString() })
    const rows = await forEachRow(BANK_KINDS, String, (kind) =>
      insertRows(pool, { schema: 'sandbox_bank', dueAt: DUE }, bankCases[kind]),
    )
    for (const target of [MOVED_TO, MOVED_TO.add({ hours: 24 })]) {
      const moved = await tpp.control('POST', '/clock', { now: target.toString() })
      expect(Temporal.Instant.compare(Temporal.Instant.from(moved.text('now')), target)).toBeGreaterThanOrEqual(0)
      await forEachRow(
        rows,
        ([kind]) => kind,
        async ([, state]) => expect(await state()).toEqual(HEALTHY_ALONE),
      )
    }
    expect(failedKinds()).toEqual([...BANK_KINDS].toSorted())
  })

  test('expires the other codes while one cannot be', async () => {
    const dueAt = Temporal.Now.instant().subtract({ minutes: 10 })
    const state = await insertRows(pool, { schema: 'sandbox_bank', dueAt }, bankCases.code)
    await tpp.control('GET', '/clock')
    await eventually(async () => expect(await state()).toEqual(HEALTHY_ALONE))
    await eventually(() => expect(failedKinds()).toContain('code'))
  })
})

describe('the sandbox FX provider', () => {
  const { log, failedKinds } = openLines()
  let tested: TestFxProvider
  let pool: pg.Pool
  beforeAll(async () => {
    tested = await startTestFxProvider({ log })
    pool = openPool(tested)
  })
  afterAll(async () => {
    await pool.end()
    await tested.close()
  })

  test('processes the other rows and moves its clock while a row of each kind fails', async () => {
    await tested.moveTo(START.toString())
    const rows = await forEachRow(FX_KINDS, String, (kind) =>
      insertRows(pool, { schema: 'sandbox_fx', dueAt: DUE }, fxCases[kind]),
    )
    for (const target of [MOVED_TO, MOVED_TO.add({ hours: 24 })]) {
      await tested.moveTo(target.toString())
      await forEachRow(
        rows,
        ([kind]) => kind,
        async ([, state]) => expect(await state()).toEqual(HEALTHY_ALONE),
      )
    }
    expect(failedKinds()).toEqual([...FX_KINDS].toSorted())
  })
})
