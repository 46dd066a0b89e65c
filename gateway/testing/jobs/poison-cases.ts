/** Makes single rows of sweeps fail, and returns which rows were processed: one function for each kind of sweep. */

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { composeSweeps } from '../../../launcher/roles/compose-sweeps.ts'
import type { BankDirectory } from '../../banks/directory/bank-directory.ts'
import type { Context } from '../../context.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { observedDatabase } from '../database/observed-database.ts'
import { insertSampleRow, poisonRow } from '../database/sample-row.ts'
import type { GatewayWithFx } from '../fx/fx-provider-fixture.ts'

/** A gateway with an FX provider, and a partner of it. */
export type PoisonStage = GatewayWithFx & { readonly context: Context; readonly partnerId: string }

export const PAYMENT = { bic: 'FJORNO22', outcome: 'known' }
export const OLD = '2020-01-01T00:00:00Z'

export async function query<Row extends object>(
  { context }: Pick<PoisonStage, 'context'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  return (await context.database.pool.query<Row>(text, [...values])).rows
}

/** Processes the rows of a case, and returns the ids of those that count as processed. */
export type PoisonCase = (
  stage: PoisonStage,
  name: string,
) => Promise<{ readonly poisoned: string; readonly healthy: string; readonly processed: readonly string[] }>
type Columns = Readonly<Record<string, unknown>>

/** UUIDv7 of the year 2020 begin with it. */
export const OLD_ID = '016f5e66-e800-7000-8000-00000000000'

function sweepOf({ context }: PoisonStage, name: string, changes: Partial<Context> = {}): Sweep {
  const sweep = composeSweeps({ ...context, ...changes }).find((each) => each.name === name)
  if (sweep === undefined) {
    throw new Error(`There is no sweep ${name}`)
  }
  return sweep
}

/** Statements that put a row back, claim it or record its failure. */
const OF_THE_JOB = /failed_rows|lease_until = (\$\d+|held)|set "\w+" = \$\d+, lease_until = null/

/** A function makes a value for each row. */
function valuesOf(columns: Columns): Columns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [name, typeof value === 'function' ? value() : value]),
  )
}

/** Rows with a due time: what processes the first one fails as soon as it reads or writes it. */
export function due(
  table: string,
  column: string,
  columns: Columns,
  prepare = async (_stage: PoisonStage, _id: string): Promise<undefined> => undefined,
): PoisonCase {
  return async (stage, name) => {
    const [poisoned, healthy] = [randomUUID(), randomUUID()]
    const now =
      name.includes('recovery') || name === 'failed rows' ? stage.context.clock.real() : stage.context.clock.now()
    for (const [index, id] of [poisoned, healthy].entries()) {
      const dueAt = now.subtract({ minutes: 2 - index }).toString()
      await insertSampleRow(stage.context.database.pool, table, {
        partner_id: stage.partnerId,
        ...valuesOf(columns),
        id,
        [column]: dueAt,
      })
      await prepare(stage, id)
    }
    const processed: string[] = []
    const database = observedDatabase(stage.context.database.pool, (text, values) => {
      if (!OF_THE_JOB.test(text) && values.includes(poisoned)) {
        throw new Error('the row is poisoned')
      }
      processed.push(...(values.includes(healthy) ? [healthy] : []))
    })
    const sweep = sweepOf(stage, name, { database })
    await sweep.run(10)
    const [row] = await query<{ dueAt: Temporal.Instant; leaseUntil: Temporal.Instant | null }>(
      stage,
      `select ${column} as "dueAt", lease_until as "leaseUntil" from ${table} where id = $1`,
      [poisoned],
    )
    expect(row?.dueAt.since(now).total('seconds')).toBeGreaterThan(25)
    expect(row?.leaseUntil).toBeNull()
    await query(stage, `delete from ${table} where id = any($1)`, [[poisoned, healthy]])
    return { poisoned, healthy, processed }
  }
}

/** Rows that are deleted in batches. */
export function purged(table: string, key: string, columns: (marker: string) => Columns): PoisonCase {
  return async (stage, name) => {
    const [poisoned, healthy] = [`${OLD_ID}1`, `${OLD_ID}2`] as const
    await poisonRow(stage.context.database.pool, table, { id: poisoned, key, when: 'false' })
    for (const marker of [poisoned, healthy]) {
      await insertSampleRow(stage.context.database.pool, table, {
        partner_id: stage.partnerId,
        ...columns(marker),
        [key]: marker,
      })
    }
    await sweepOf(stage, name).run(50)
    const left = await query<{ marker: string }>(
      stage,
      `select ${key}::text as marker from ${table} where ${key}::text = any($1)`,
      [[poisoned, healthy]],
    )
    const isLeft = (marker: string) => left.some((row) => row.marker === marker)
    return { poisoned, healthy, processed: [poisoned, healthy].filter((marker) => !isLeft(marker)) }
  }
}

type DeliveryState = { readonly attemptsMade: number; readonly ready: boolean }

/** Deliveries of a subscription whose destination is forbidden; `when` is what the first one cannot. */
export function deliveries(columns: Columns, when: string, isProcessed: (state: DeliveryState) => boolean): PoisonCase {
  return async (stage, name) => {
    const [poisoned, healthy] = [randomUUID(), randomUUID()]
    const body = { targetUrl: 'https://10.1.2.3/hooks', eventTypes: ['PAYMENT_STATUS' as const] }
    const subscription = await stage.gateway.client.createWebhookSubscription({ body })
    await poisonRow(stage.context.database.pool, 'webhook_deliveries', { id: poisoned, when })
    for (const [index, id] of [poisoned, healthy].entries()) {
      const own = {
        id,
        subscription_id: subscription.id,
        endpoint_version: 1,
        sequence: index + 1,
        status: 'Queued',
        origin: `https://${index}.example`,
      }
      const row = { partner_id: stage.partnerId, due_at: OLD, event_type: 'CONSENT_STATUS_CHANGED', ...own, ...columns }
      await insertSampleRow(stage.context.database.pool, 'webhook_deliveries', row)
    }
    await sweepOf(stage, name).run(10)
    const rows = await query<DeliveryState & { id: string }>(
      stage,
      'select id, attempts_made as "attemptsMade", ready from webhook_deliveries where id = any($1)',
      [[poisoned, healthy]],
    )
    await query(stage, 'update webhook_deliveries set due_at = null, ready = false where id = $1', [healthy])
    return { poisoned, healthy, processed: rows.filter(isProcessed).map(({ id }) => id) }
  }
}

async function insertPayment(stage: PoisonStage, id: string, columns: Columns = {}): Promise<undefined> {
  const values = { partner_id: stage.partnerId, id, ...PAYMENT, ...columns }
  await insertSampleRow(stage.context.database.pool, 'payments', values)
}

export async function insertPayrollOrder(stage: PoisonStage, id: string): Promise<undefined> {
  const ordered = JSON.stringify({ payrollId: randomUUID() })
  await insertPayment(stage, id, { type: 'Payroll', ordered })
}

export async function insertPaymentOfDeal(stage: PoisonStage, id: string): Promise<undefined> {
  const paymentId = randomUUID()
  await insertPayment(stage, paymentId)
  await query(stage, 'update fx_deals set payment_id = $1 where id = $2', [paymentId, id])
}

/** Of orders that have been final for long. */
export async function orderTokens(stage: PoisonStage, name: string) {
  for (const id of [`${OLD_ID}1`, `${OLD_ID}2`]) {
    await insertPayment(stage, id, { final_since: OLD })
    await insertSampleRow(stage.context.database.pool, 'bank_tokens', { partner_id: stage.partnerId, id })
  }
  return await purged('bank_token_subjects', 'subject_id', (marker) => ({ token_id: marker }))(stage, name)
}

export async function paymentCounts(stage: PoisonStage, name: string) {
  const [poisoned, healthy] = [randomUUID(), randomUUID()]
  for (const id of [poisoned, healthy]) {
    await insertSampleRow(stage.context.database.pool, 'partners', { id, name: id })
  }
  await query(
    stage,
    "insert into payment_count_positions (partner_id, due_at) values ($1, '2020-01-01'), ($2, '2020-01-02')",
    [poisoned, healthy],
  )
  const database = observedDatabase(stage.context.database.pool, (text, values) => {
    if (text.includes('payment_daily_counts') && values.includes(poisoned)) {
      throw new Error('the row is poisoned')
    }
  })
  await sweepOf(stage, name, { database }).run(10)
  const counted = await query<{ id: string }>(
    stage,
    'select partner_id as id from payment_count_positions where counted_to is not null',
  )
  return { poisoned, healthy, processed: counted.map(({ id }) => id) }
}

/** Two banks that take files: the server of the first answers what cannot be processed. */
export async function bankReports(stage: PoisonStage, name: string) {
  const [first, second] = await stage.context.banks.all()
  if (first === undefined || second === undefined) {
    throw new Error('There are not two banks')
  }
  const processed: string[] = []
  const list = async ({ bic }: { readonly bic: string }) => {
    if (bic === first.bic) {
      throw new TypeError('the bank is poisoned')
    }
    processed.push(bic)
    return []
  }
  const banks = {
    ...stage.context.banks,
    all: async () => [first, second],
    connectorOf: (bank: typeof first) => ({ ...stage.context.banks.connectorOf(bank), files: { list } }),
  } as unknown as BankDirectory
  await sweepOf(stage, name, { banks }).run(10)
  return { poisoned: first.bic, healthy: second.bic, processed }
}

/** Two receipts at the provider, the first of which cannot be recorded. */
export async function inboundFunds(stage: PoisonStage, name: string) {
  await stage.fx.control('/notice-address', { url: 'http://127.0.0.1:9' })
  for (const reference of ['poisoned', 'healthy']) {
    await stage.fx.control('/arrivals', { iban: 'NO3380590100009', amount: '100.00', reference })
  }
  await query(stage, "update fx_providers set poll_at = '2020-01-01'")
  const database = observedDatabase(stage.context.database.pool, (text, values) => {
    if (text.startsWith('insert into "fx_inbound_funds"') && values.includes('poisoned')) {
      throw new Error('the row is poisoned')
    }
  })
  await sweepOf(stage, name, { database }).run(10)
  const recorded = await query<{ reference: string }>(stage, 'select reference from fx_inbound_funds')
  const isListedAgain = await query<{ due: boolean }>(stage, 'select funds_polled_to < now() as due from fx_providers')
  expect(isListedAgain).toHaveLength(1)
  return { poisoned: 'poisoned', healthy: 'healthy', processed: recorded.map(({ reference }) => reference) }
}

/** The only row is the day of the rates: the sweep fails for no other. */
export async function referenceRates(stage: PoisonStage, name: string) {
  const config = { ...stage.context.config, referenceRatesUrl: 'http://127.0.0.1:9/rates' }
  const processed = (await sweepOf(stage, name, { config }).run(10)) === 1 ? ['the sweep'] : []
  return { poisoned: 'the rates', healthy: 'the sweep', processed }
}
