/** Tests the data sets of the sandbox: what a load deletes and keeps, and that what it stores is consistent. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteUsersOfOtherPartners } from '../../../console/users/user-store.ts'
import { scopesByEnvironment } from '../../../contract/environments.ts'
import { demoCredentials } from '../../../contract/examples/demo-fixture.ts'
import { rotateClientSecret } from '../../auth/rotate-client-secret.ts'
import { openKeyedDigest } from '../../platform/crypto/keyed-digest.ts'
import { acquireClockMoveLock } from '../../platform/database/business-clock-store.ts'
import { findRequestThatCreated } from '../../request-log/find-requests.ts'
import { storePayments } from '../../testing/console/stored-payments.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { findDemoPartner } from '../demo-fixture.ts'
import { openSandboxControl } from '../sandbox-control.ts'
import type { DataSetLoad, DataSetName } from './data-set.ts'
import { listEmptiedTables } from './data-set-store.ts'
import { beginDataSetLoad, type DataSetTools, findDataSetLoad, inspectStoredData } from './load-data-set.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const rowsOf = async (text: string) => (await gateway.context.database.pool.query(text)).rows

async function load(name: DataSetName, changes: Partial<DataSetTools> = {}): Promise<readonly string[]> {
  // What is logged a moment later would be stored after the tables were emptied.
  await Promise.all([gateway.context.requestLog.flush(), gateway.context.bankCallLog.flush()])
  const steps: string[] = []
  const onProgress = ({ step, done, total }: Pick<DataSetLoad, 'step' | 'done' | 'total'>) =>
    void steps.push(`${step} ${done}/${total}`)
  const bank = openSandboxControl(gateway.bank.pagesUrl)
  const tools = { bank, provider: null, deleteUsers: deleteUsersOfOtherPartners, onProgress, ...changes }
  const { ended } = await beginDataSetLoad(gateway.context, tools, { name, actor: 'operator Astrid' })
  await ended
  return steps
}

/** Rows that contradict others, by what is wrong. */
const CONTRADICTIONS = `
  select 'the last status is another one' as wrong, p.id from payments p cross join lateral (
    select status from payment_history h where h.partner_id = p.partner_id and h.payment_id = p.id order by h.id desc limit 1) h
  where h.status <> p.status
  union all
  select 'an event is missing', h.payment_id from payment_history h
    join payments p on p.partner_id = h.partner_id and p.id = h.payment_id
  where h.at > p.created_at and h.at > now() - interval '28 days' and h.status <> 'Unsigned'
    and not exists (select from events e where e.partner_id = h.partner_id and e.subject_id = h.payment_id and e.occurred_at = h.at)
  union all
  select 'it was ordered after its status', id from payments where created_at > changed_at
  union all
  select 'it is signed without an approval', p.id from payments p where p.signed and not exists (
    select from approval_payments a where a.partner_id = p.partner_id and a.payment_id = p.id and a.result = 'ACCEPTED')
  union all
  select 'its consent is missing', p.id from payments p where not exists (
    select from consents c where c.partner_id = p.partner_id and c.id = p.consent_id and c.status = 'ACCEPTED')
  union all
  select 'its id has another time', id from payments
  where abs(extract(epoch from created_at) * 1000 - ('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint) > 60000
  union all
  select 'it is not on the account once', p.id from payments p where p.end_to_end_id like 'History %' and
    (select count(*) from sandbox_bank.entries e where e.bban = p.debtor_bban and e.end_to_end_id = p.end_to_end_id
      and e.amount_minor = -p.amount_minor and e.booked_on = p.status_at::date) <> (p.status = 'Completed')::int`
/** Loads the largest set. */
const IS_LONG = process.env['HAVN_LARGE_DATA_SETS'] !== undefined
const LONG_MILLISECONDS = 300_000

test('a month of history is consistent, on the account too, and its open payments exist at the bank', async () => {
  const { context, client } = gateway
  await storePayments(gateway, 3)
  const { credentials } = await gateway.otherPartner()
  const steps = await load('month')
  expect(new Set(steps.map((step) => step.split(' ')[0]))).toEqual(
    new Set(['delete', 'partners', 'consent', 'payments', 'entries', 'orders', 'finish']),
  )
  const partner = await findDemoPartner(context)
  const key = { partnerId: partner?.id ?? '' }
  expect(await rowsOf(CONTRADICTIONS)).toEqual([])
  const [counts] = await rowsOf(`
    select count(*)::int as payments, count(*) filter (where status = 'Unsigned')::int as unsigned,
      count(*) filter (where status in ('Completed', 'Rejected', 'Cancelled'))::int as final,
      count(distinct created_at::date)::int > 18 as "areSpread", max(created_at) > now() - interval '1 hour' as "isCurrent",
      bool_and(extract(isodow from created_at) < 6 or status in ('Unsigned', 'InProgress')) as "areOnWorkdays"
    from payments`)
  expect(counts).toMatchObject({ payments: 606, unsigned: 3, areSpread: true, isCurrent: true, areOnWorkdays: true })
  expect(counts.final).toBeGreaterThanOrEqual(600)
  const positions = await rowsOf('select position from events order by position')
  expect(positions.map(({ position }) => Number(position))).toEqual(positions.map((_row, index) => index + 1))
  expect(await rowsOf('select position::int from event_positions')).toEqual([{ position: positions.length }])
  const page = await client.listPayments({ query: { limit: 5 } })
  expect(page.payments).toHaveLength(5)
  const [old] = await rowsOf(
    `select id, end_to_end_id as "endToEndId" from payments where end_to_end_id = 'History 590'`,
  )
  expect(await client.getPayment({ params: { paymentId: old.id } })).toMatchObject({
    metadata: { endToEndId: 'History 590' },
  })
  expect(await findRequestThatCreated(context, { ...key, id: old.id })).toBeDefined()
  const booked = await rowsOf(`
    select count(*)::int as entries, min(balance_after_minor) > 0 as "isCovered" from sandbox_bank.entries
    where bban = '80501100017' and end_to_end_id like 'History %'`)
  expect(booked).toEqual([{ entries: 564, isCovered: true }])
  expect(await rowsOf(`select name from partners`)).toEqual([{ name: 'Demo partner' }])
  expect(await rowsOf(`select 1 from clients where client_id = '${credentials.clientId}'`)).toEqual([])
  expect(await findDataSetLoad(context)).toMatchObject({ name: 'month', state: 'loaded', step: 'finish' })
})

test.runIf(IS_LONG)('100,000 payments are as consistent', { timeout: LONG_MILLISECONDS }, async () => {
  await load('100000-payments')
  await rowsOf('create index on sandbox_bank.entries (end_to_end_id)')
  expect(await rowsOf(CONTRADICTIONS)).toEqual([])
  const [counts] = await rowsOf(`
    select count(*)::int as payments, count(*) filter (where status = 'Completed')::int as completed,
      (select count(*)::int from sandbox_bank.entries where end_to_end_id like 'History %') as entries from payments`)
  expect(counts).toMatchObject({ payments: 100_006, entries: 94_000 })
  expect(counts.completed).toBeGreaterThanOrEqual(94_000)
})

test('the empty set keeps partners and companies, and nothing that was ordered or logged', async () => {
  const { context } = gateway
  const { credentials } = await gateway.otherPartner()
  await load('empty')
  const counted = await Promise.all(
    (await listEmptiedTables(context.database, 'empty')).map(async (name) => {
      const [row] = await rowsOf(`select count(*)::int as rows from ${name}`)
      return row.rows === 0 ? [] : [name]
    }),
  )
  expect(counted.flat()).toEqual(['audit_log'])
  expect(await rowsOf('select actor, action from audit_log')).toEqual([
    { actor: 'operator Astrid', action: 'data set loaded' },
  ])
  const stored = await inspectStoredData(context)
  expect(stored).toMatchObject({ partners: 2, payments: 0, consents: 0, subscriptions: 0 })
  expect(await rowsOf(`select 1 as found from clients where client_id = '${credentials.clientId}'`)).toHaveLength(1)
  await load('demo')
  expect(await inspectStoredData(context)).toMatchObject({ partners: 1, companies: 4 })
})

test('the demo partner can order again, whatever became of its credentials', async () => {
  const { context } = gateway
  await load('demo')
  await rotateClientSecret(context, 'operator Astrid', demoCredentials.clientId, 0)
  await rowsOf('update clients set disabled_at = now()')
  await rowsOf('update partners set disabled_at = now()')
  await load('demo')
  const { clientId: client_id, clientSecret: client_secret } = demoCredentials
  const form = { grant_type: 'client_credentials', client_id, client_secret, scope: scopesByEnvironment.sandbox }
  const issued = await fetch(`${context.config.authUrl}/v2/connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  expect(issued.status).toBe(200)
})

test('processes that run during a load, and those that start after it, have one digest of a text', async () => {
  const { context } = gateway
  const before = await context.digest('order', 'approved order')
  await load('empty')
  expect(await openKeyedDigest(context)('order', 'approved order')).toBe(before)
})

test('a load that fails says so, and one at a time is loaded', async () => {
  const { context } = gateway
  const lock = await acquireClockMoveLock(context.database)
  await expect(load('demo')).rejects.toThrow('a data set is being loaded')
  await lock?.release()
  const failed = load('demo', { bank: openSandboxControl('http://127.0.0.1:9') })
  await expect(failed).rejects.toMatchObject({ reasonCode: 'unavailable' })
  const error = expect.stringContaining('The sandbox bank does not answer')
  expect(await findDataSetLoad(context)).toMatchObject({ state: 'failed', error })
  await load('demo')
  expect(await findDataSetLoad(context)).toMatchObject({ state: 'loaded', error: null })
})
