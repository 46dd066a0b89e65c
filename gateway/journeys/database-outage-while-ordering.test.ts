/** Tests that orders survive an outage of the database that begins while their bank is asked, however long it lasts. */
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getOpenTasks } from '../operators/resolve-task.ts'
import { DatabaseUnavailable } from '../platform/database/database-unavailable.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { type OwnPostgres, startOwnPostgres } from '../testing/database/own-postgres.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { startOnBankDay } from '../testing/gateway/start-on-bank-day.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS } from '../testing/payrolls/payroll-fixture.ts'

let postgres: OwnPostgres
let gateway: TestGateway
let headers: Record<string, string>
beforeAll(async () => {
  postgres = await startOwnPostgres()
  await startOnBankDay(postgres.connectionString)
  gateway = await startTestGateway({
    settings: { DATABASE_URL: postgres.connectionString, HAVN_DATABASE_ANSWER_TIMEOUT_SECONDS: '1' },
  })
  headers = await validHeaders(gateway, (await acceptedConsent(gateway)).consentId)
})
afterAll(async () => {
  await gateway.close()
  await postgres.close()
})
beforeEach(() => openSandboxBankControl(gateway.bank).clearFaults())

type Interruption = readonly [what: string, begin: () => Promise<void>, end: () => Promise<void>]

const INTERRUPTIONS: readonly Interruption[] = [
  ['stopped', () => postgres.stop(), () => postgres.start()],
  ['frozen', () => postgres.freeze(), () => postgres.thaw()],
]

const post = (path: string, body: unknown, key = crypto.randomUUID()) =>
  sendRawRequest(gateway, ['POST', path], { headers: { ...headers, 'idempotency-key': key }, body })
const statusOf = async (paymentId: string) =>
  await sendRawRequest(gateway, ['GET', `/api/v2/payments/${paymentId}/status`], { headers })
const outcomesOf = async (endToEndId: string) =>
  (await gateway.context.database.pool.query('select outcome from payments where end_to_end_id = $1', [endToEndId]))
    .rows
const ordersAtBank = async () => (await openSandboxBankControl(gateway.bank).payments()).length
const tasks = async () => await getOpenTasks(gateway.context)

test.each(INTERRUPTIONS)(
  'an order whose bank answers while the database is %s is a 503 that names it, and recorded afterwards',
  async (_, begin, end) => {
    const [body, key, before] = [domesticPayment(gateway), crypto.randomUUID(), await ordersAtBank()]
    await openSandboxBankControl(gateway.bank).holdNextCall('initiatePayment')
    const answering = post('/api/v2/payments', body, key)
    await eventually(async () => expect(await outcomesOf(body.metadata.endToEndId)).toHaveLength(1))
    await begin()
    await openSandboxBankControl(gateway.bank).clearFaults()
    const answer = await answering
    await end()
    expect(answer.status).toBe(503)
    const paymentId = answer.headers.get('location')?.split('/').at(-1) ?? ''
    expect(Object(answer.body).message).toContain(paymentId)
    await eventually(async () => expect(await outcomesOf(body.metadata.endToEndId)).toEqual([{ outcome: 'known' }]))
    expect(await statusOf(paymentId)).toMatchObject({ status: 200, body: { status: 'Unsigned' } })
    const repeated = await post('/api/v2/payments', body, key)
    expect(repeated).toMatchObject({ status: 200, body: { paymentId } })
    expect(await ordersAtBank()).toBe(before + 1)
    expect(await tasks()).toEqual([])
  },
)

test('an order whose first statement is executed without an answer is not at the bank, and its request can be repeated', async () => {
  const [body, key, before] = [domesticPayment(gateway), crypto.randomUUID(), await ordersAtBank()]
  const { pool } = gateway.context.database
  const { query } = pool
  Object.assign(pool, {
    query: async (...parameters: Parameters<typeof query>) => {
      const answer = await Reflect.apply(query, pool, parameters)
      if (JSON.stringify(parameters).includes('insert-submissions')) {
        Object.assign(pool, { query })
        throw new DatabaseUnavailable(new Error('Connection terminated unexpectedly'))
      }
      return answer
    },
  })
  const answer = await post('/api/v2/payments', body, key)
  expect(answer).toMatchObject({ status: 503, body: { message: expect.stringContaining('database') } })
  expect(answer.headers.get('location')).toBeNull()
  await eventually(async () => expect(await outcomesOf(body.metadata.endToEndId)).toEqual([]))
  expect(await ordersAtBank()).toBe(before)
  expect(await post('/api/v2/payments', body, key)).toMatchObject({ status: 200 })
  expect(await ordersAtBank()).toBe(before + 1)
})

/** At its commit, the transaction that stores a payroll waits for a lock of the test. */
const SLOW_COMMIT = `
  create function wait_at_commit() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(1); return null; end $$;
  create constraint trigger slow_commit after insert on payrolls deferrable initially deferred
    for each row execute function wait_at_commit();
  select pg_advisory_lock(1)`

test('a payroll whose commit takes longer than its request may is named: it is not to be sent again', async () => {
  const payrolls = openPayrollFixture(gateway)
  const bank = nordicBank(PAYROLL_BANKS.baskets)
  const ordering = await validHeaders(gateway, (await payrolls.payer.consentOf(bank)).consentId)
  const database = new pg.Client({ connectionString: postgres.connectionString })
  await database.connect()
  await database.query(SLOW_COMMIT)
  const call = { headers: ordering, body: payrolls.payroll(bank, 1) }
  const answer = await sendRawRequest(gateway, ['POST', '/api/v2/payroll'], call)
  await database.query('select pg_advisory_unlock(1)')
  await database.query('drop trigger slow_commit on payrolls')
  await database.end()
  expect(answer).toMatchObject({ status: 503, body: { code: 'OutcomeUnknown', payrollId: expect.any(String) } })
  expect(await payrolls.statusOf(Object(answer.body).payrollId)).toMatchObject({ finalStatus: false })
})
