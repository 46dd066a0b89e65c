/** Tests that requests of every kind get a 503 while the database is away, however it is away, and that orders survive it. */
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { randomCases } from '../../setup/random-cases.ts'
import { getOpenTasks } from '../operators/resolve-task.ts'
import { DatabaseUnavailable } from '../platform/database/database-unavailable.ts'
import { waitForDatabase } from '../platform/database/wait-for-database.ts'
import { listenForDue } from '../platform/jobs/due-row-notification.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { type EveryRequest, type NamedAnswer, openEveryRequest } from '../testing/contract/every-request.ts'
import { sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { type OwnPostgres, startOwnPostgres } from '../testing/database/own-postgres.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { startOnBankDay } from '../testing/gateway/start-on-bank-day.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS } from '../testing/payrolls/payroll-fixture.ts'

let postgres: OwnPostgres
let gateway: TestGateway
let requests: EveryRequest
let headers: Record<string, string>
beforeAll(async () => {
  postgres = await startOwnPostgres()
  await startOnBankDay(postgres.connectionString)
  gateway = await startTestGateway({
    settings: { DATABASE_URL: postgres.connectionString, HAVN_DATABASE_ANSWER_TIMEOUT_SECONDS: '1' },
  })
  requests = await openEveryRequest(gateway)
  headers = await validHeaders(gateway, (await acceptedConsent(gateway)).consentId)
})
afterAll(async () => {
  await gateway.close()
  await postgres.close()
})

type Interruption = readonly [what: string, begin: () => Promise<void>, end: () => Promise<void>]

const INTERRUPTIONS: readonly Interruption[] = [
  ['stopped', () => postgres.stop(), () => postgres.start()],
  ['frozen', () => postgres.freeze(), () => postgres.thaw()],
]

/** This gateway has no FX provider, which is not a matter of time. */
const isOfExchange = ({ what }: NamedAnswer) => /Exchange$|^(stepSandboxPayout|addSandboxArrival)$/.test(what)

function expectTemporary({ what, status, headers: sent, text }: NamedAnswer): void {
  expect(status, what).toBe(503)
  expect(Number(sent.get('retry-after')), what).toBeGreaterThan(0)
  if (sent.get('content-type')?.startsWith('text/html') === true) {
    expect(text, what).toContain('</html>')
  } else {
    // The second is that of the token endpoint.
    const { message, error_description: description } = JSON.parse(text)
    expect(message ?? description, what).toEqual(expect.any(String))
  }
}

const ROUNDS = randomCases(10)
/** In a short run a database that stands still meets those that read: for all others it is away like one that is stopped. */
const IS_AT_LENGTH = ROUNDS > 1
/** What needs nothing, or only what the process has in memory, which a slow machine may have to read again. */
const WITHOUT_DATABASE =
  /^(get(Keys|ServerMetadata|Bank|PaymentRequirement|ExchangeCalendar)|list(Banks|Countries|Currencies|RegulatoryCodes)|validateRemittance|addSandboxEntry|(disturb|heal)SandboxBanks?|\/onboarding\/.*)$/

async function expectOutage([what, begin, end]: Interruption): Promise<void> {
  const faults = countFaults()
  await begin()
  const answers =
    what === 'stopped' || IS_AT_LENGTH
      ? [...(await requests.ofPartners()), ...(await requests.ofOthers())]
      : await requests.ofPartners('reads')
  const health = await requests.ofMonitoring()
  await end()
  const failed = answers.filter(({ status }) => status >= 500)
  failed.filter((answer) => !isOfExchange(answer)).forEach(expectTemporary)
  const answered = answers.filter(({ status }) => status < 500).map(({ what }) => what)
  expect(answered.filter((what) => !WITHOUT_DATABASE.test(what))).toEqual([])
  expect(health.map(({ what, status }) => `${what} ${status}`)).toEqual(health.map(({ what }) => `${what} 200`))
  expect(health.map(({ text }) => text).slice(1, 3)).toEqual([
    expect.stringContaining('"database":"unavailable"'),
    expect.stringContaining('havn_database_up 0'),
  ])
  expect(faults()).toEqual([])
}

/** Returns the faults that are logged from now on. */
function countFaults(): () => readonly string[] {
  const before = gateway.logLines().length
  return () =>
    gateway
      .logLines()
      .slice(before)
      .filter((line) => /"level":(50|60)/.test(line))
}

test('while the database is stopped or frozen every request gets a 503 that says when to come again, and none is a fault', async () => {
  // On a busy machine a statement may take longer than this gateway waits.
  const readAll = () =>
    eventually(async () => {
      const answers = await requests.ofPartners('reads')
      expect(answers.map(({ status }) => status)).not.toContain(503)
      return answers
    })
  const before = await readAll()
  for (const interruption of INTERRUPTIONS) {
    await expectOutage(interruption)
  }
  const after = await readAll()
  expect(after.map(({ status }) => status)).toEqual(before.map(({ status }) => status))
})

test('a connection that listens for due rows is replaced when its server is frozen', async () => {
  const { connectionString } = postgres
  const intervals = { answerMilliseconds: 1_000, heartbeatMilliseconds: 50, reconnectMilliseconds: 50 }
  const { database, log } = gateway.context
  const listener = listenForDue(
    { ...intervals, connectionString, poolMode: 'session', pool: database.pool, log },
    () => undefined,
  )
  await eventually(() => expect(listener.isHeard()).toBe(true))
  await postgres.freeze()
  await eventually(() => expect(listener.isHeard()).toBe(false))
  await postgres.thaw()
  await eventually(() => expect(listener.isHeard()).toBe(true))
  await listener.close()
})

test('a program that starts meanwhile says that it waits, and goes on when the database is there', async () => {
  const { connectionString } = postgres
  await postgres.stop()
  const lines: string[] = []
  const waiting = waitForDatabase({ connectionString, applicationName: 'test', report: (line) => lines.push(line) })
  await eventually(() => expect(lines).toEqual([expect.stringContaining('Waiting for the database')]))
  await postgres.start()
  await waiting
  expect(lines.slice(1)).toEqual([expect.stringContaining('The database is available')])
})

test('connections that end in the middle of requests make some of them come again, and none fails', async () => {
  const faults = countFaults()
  for (let round = 0; round < ROUNDS; round += 1) {
    const sent = Promise.all([requests.ofPartners(), requests.ofOthers()])
    for (let times = 0; times < 10; times += 1) {
      await postgres.terminateConnections()
    }
    const answers = (await sent).flat()
    answers.filter((answer) => answer.status >= 500 && !isOfExchange(answer)).forEach(expectTemporary)
  }
  expect(faults()).toEqual([])
})

const post = (path: string, body: unknown, key = crypto.randomUUID()) =>
  sendRawRequest(gateway, ['POST', path], { headers: { ...headers, 'idempotency-key': key }, body })
const statusOf = async (paymentId: string) =>
  await sendRawRequest(gateway, ['GET', `/api/v2/payments/${paymentId}/status`], { headers })
const outcomesOf = async (endToEndId: string) =>
  (await gateway.context.database.pool.query('select outcome from payments where end_to_end_id = $1', [endToEndId]))
    .rows
const ordersAtBank = async () => (await openSandboxBankControl(gateway.bank).payments()).length
const tasksAbout = async (paymentId: string) =>
  (await getOpenTasks(gateway.context)).filter(({ subjectId }) => subjectId === paymentId)

/** At its commit, the transaction that stores a payroll waits for a lock of the test. */
const SLOW_COMMIT = `
  create function wait_at_commit() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(1); return null; end $$;
  create constraint trigger slow_commit after insert on payrolls deferrable initially deferred
    for each row execute function wait_at_commit();
  select pg_advisory_lock(1)`

describe('during an order', () => {
  beforeEach(() => openSandboxBankControl(gateway.bank).clearFaults())

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
      expect(await tasksAbout(paymentId)).toEqual([])
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
})
