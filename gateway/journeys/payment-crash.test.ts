/** Kills processes while the bank withholds the answer to an order: nothing is lost, repeated or guessed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DomesticPayment } from '../../contract/payments/domestic-payment.ts'
import { createHavnClient, type HavnClient } from '../../sdk/index.ts'
import { movableClock } from '../platform/clock.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { type Answer, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { type HavnProcesses, havnProcesses } from '../testing/gateway/havn-processes.ts'
import { acceptedConsent, CALLBACK, domesticPayment } from '../testing/payments/sample-payments.ts'

const CREDENTIALS = { clientId: 'demo-partner', clientSecret: 'demo-partner-secret', environment: 'sandbox' } as const
const TEST_MILLISECONDS = 120_000
/** Longer than a busy machine needs to find the order at the bank and to kill the gateway. */
const ANSWER_TIMEOUT_SECONDS = '8'

let havn: HavnProcesses
let client: HavnClient
let headers: Record<string, string>
beforeAll(async () => {
  havn = await havnProcesses({ HAVN_BANK_ANSWER_TIMEOUT_SECONDS: ANSWER_TIMEOUT_SECONDS })
  await havn.start()
  client = createHavnClient({ baseUrl: havn.url, maxRetries: 0, ...CREDENTIALS })
  const { consentId } = await acceptedConsent({ client })
  headers = await validHeaders({ token }, consentId)
}, TEST_MILLISECONDS)
afterAll(() => havn.close(), TEST_MILLISECONDS)

async function token(): Promise<string> {
  const scope = 'api://ac0d1aea-5e3a-463f-9dd1-194898ee5820/.default'
  const { clientId: client_id, clientSecret: client_secret } = CREDENTIALS
  return (await client.issueToken({ body: { grant_type: 'client_credentials', scope, client_id, client_secret } }))
    .access_token
}

const plain = { fetch: (path: string, init?: RequestInit) => fetch(`${havn.url}${path}`, init) }
const order = () => domesticPayment({ context: { clock: movableClock() } })
const initiate = (body: DomesticPayment, key?: string): Promise<Answer> =>
  sendRawRequest(plain, ['POST', '/api/v2/payments'], { headers: { ...headers, 'idempotency-key': key }, body })
const held = () => openSandboxBankControl(havn).payments()
const shown = (paymentId: string) => client.getPayment({ params: { paymentId } })

/** Submits an order whose answer the bank withholds, and kills when the bank has it. */
async function killWhileWaiting(body: DomesticPayment, key: string, kill: () => Promise<void>): Promise<string> {
  const before = new Set((await held()).map(({ paymentId }) => paymentId))
  await openSandboxBankControl(havn).injectFault({ operation: 'initiatePayment', effect: 'withhold-answer', times: 1 })
  const answer = initiate(body, key).then(
    ({ status }) => status,
    () => 'the connection was lost',
  )
  const find = async () => (await held()).find(({ paymentId }) => !before.has(paymentId))
  await eventually(async () => expect(await find()).toBeDefined())
  const bankPaymentId = (await find())?.paymentId ?? ''
  await kill()
  expect(await answer).toBe('the connection was lost')
  return bankPaymentId
}

/** What all readers see of an order with an unknown outcome; returns its id and the task's. */
async function expectUnknown(body: DomesticPayment, key: string): Promise<{ paymentId: string; taskId: string }> {
  const { payments } = await client.listPayments({ query: { endToEndId: body.metadata.endToEndId } })
  expect(payments).toMatchObject([{ paymentStatus: { status: 'Unsigned' }, finalStatus: false, outcomeUnknown: true }])
  const paymentId = payments[0]?.paymentId ?? ''
  const approval = { headers, body: { payments: [paymentId], callbackUrl: CALLBACK } }
  expect(await sendRawRequest(plain, ['POST', '/api/v2/payments/approve'], approval)).toMatchObject({
    status: 422,
    body: [{ path: '.payments[0]' }],
  })
  expect(await initiate(body, key)).toMatchObject({ status: 409, body: { paymentId } })
  expect(await initiate(body)).toMatchObject({ status: 409, body: { paymentId } })
  const findTask = async () => {
    const { out } = await havn.type('tasks', 'list')
    return new RegExp(`(\\S+)\\s+UnknownOutcome\\s+open.*${paymentId}`).exec(out)?.[1]
  }
  const metrics = async () => await (await plain.fetch('/metrics')).text()
  // A list costs more than the metrics, which show the task at the same time.
  await eventually(async () => expect(await metrics()).toMatch(/havn_operator_tasks_open\{kind="UnknownOutcome"\} 1/))
  await eventually(async () => expect(await findTask()).toBeDefined())
  return { paymentId, taskId: (await findTask()) ?? '' }
}

test(
  'an order that was in progress when gateway and worker were killed is resolved by the bank’s status, and submitted once',
  async () => {
    const [body, key] = [order(), crypto.randomUUID()]
    const earlier = { body: order(), key: crypto.randomUUID() }
    const raw = (again = earlier) =>
      plain.fetch('/api/v2/payments', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': again.key },
        body: JSON.stringify(again.body),
      })
    const first = await raw()
    const text = await first.text()
    expect(first.status).toBe(200)

    const bankPaymentId = await killWhileWaiting(body, key, havn.killGateways)
    const replayed = await raw()
    expect(await replayed.text()).toBe(text)
    expect(replayed.headers.get('idempotent-replayed')).toBe('true')

    const { paymentId, taskId } = await expectUnknown(body, key)
    await openSandboxBankControl(havn).signInNetbank(bankPaymentId)
    await eventually(async () => {
      const { outcomeUnknown, paymentStatus } = await shown(paymentId)
      expect(outcomeUnknown).toBe(false)
      // That the order is at the bank may be known before the signature is.
      expect(paymentStatus.status).toMatch(/InProgress|Completed/)
    })
    await eventually(async () => expect(await initiate(body, key)).toMatchObject({ status: 200, body: { paymentId } }))
    expect((await havn.type('tasks', 'show', taskId)).out).toContain('resolved')
    expect(await held()).toHaveLength(2)
  },
  TEST_MILLISECONDS,
)

test(
  'an order that was in progress when every process was killed is resolved by two operators, and submitted once',
  async () => {
    const [body, key] = [order(), crypto.randomUUID()]
    const before = (await held()).length
    const bankPaymentId = await killWhileWaiting(body, key, havn.killEverything)
    await havn.start()
    const { paymentId, taskId } = await expectUnknown(body, key)
    const resolve = (who: string, ...words: string[]) => havn.type('tasks', 'resolve', taskId, '--as', who, ...words)
    const taken = ['--taken', bankPaymentId]

    expect(await resolve('Ingrid', ...taken)).toMatchObject({
      code: 0,
      out: expect.stringContaining('second operator'),
    })
    expect(await resolve('ingrid', ...taken)).toMatchObject({
      code: 1,
      error: expect.stringContaining('a second operator must confirm'),
    })
    expect(await resolve('Jonas', '--never-taken')).toMatchObject({
      code: 1,
      error: expect.stringContaining('withdrawn'),
    })
    expect(await shown(paymentId)).toMatchObject({ outcomeUnknown: true })

    expect(await resolve('Jonas', ...taken)).toMatchObject({ code: 0, error: '' })
    expect(await resolve('Ingrid', ...taken)).toMatchObject({ code: 0, out: expect.stringContaining('resolved') })
    expect(await shown(paymentId)).toMatchObject({ outcomeUnknown: false, paymentStatus: { status: 'Unsigned' } })
    expect(await initiate(body, key)).toMatchObject({ status: 200, body: { paymentId } })
    const { out } = await havn.type('tasks', 'show', taskId)
    const history = [
      'Ingrid: task resolution proposed',
      'Jonas: task resolution contradicted',
      'Jonas: task resolution proposed',
      'Ingrid: task resolved',
    ]
    expect(out).toMatch(new RegExp(history.join('[^]*')))
    expect(await held()).toHaveLength(before + 1)
  },
  TEST_MILLISECONDS,
)

test(
  'an order that the bank never stored is closed by two operators, and the key returns that',
  async () => {
    const [body, key] = [order(), crypto.randomUUID()]
    const before = (await held()).length
    await openSandboxBankControl(havn).injectFault({ operation: 'initiatePayment', effect: 'down', times: 1 })
    expect(await initiate(body, key)).toMatchObject({ status: 503, body: { paymentId: expect.any(String) } })
    const { paymentId, taskId } = await expectUnknown(body, key)
    const resolve = (who: string) => havn.type('tasks', 'resolve', taskId, '--as', who, '--never-taken')
    expect(await resolve('Ingrid')).toMatchObject({ code: 0 })
    expect(await resolve('Jonas')).toMatchObject({ code: 0, error: '' })
    expect(await shown(paymentId)).toMatchObject({
      outcomeUnknown: false,
      finalStatus: true,
      paymentStatus: { status: 'Rejected' },
    })
    expect(await initiate(body, key)).toMatchObject({
      status: 200,
      body: { paymentId, paymentStatus: { status: 'Rejected' } },
    })
    expect(await held()).toHaveLength(before)
  },
  TEST_MILLISECONDS,
)

test(
  'a move of the clock whose gateway is killed is completed by the next one',
  async () => {
    await initiate(order(), crypto.randomUUID())
    await openSandboxBankControl(havn).injectFault({
      operation: 'getPaymentStatus',
      effect: 'slow',
      milliseconds: 1_000,
    })
    const move = client.moveSandboxClock({ body: { advance: 'P1D' } }).then(
      () => 'answered',
      () => 'the connection was lost',
    )
    const { movingTo = '' } = await eventually(async () => {
      const clock = await client.getSandboxClock()
      expect(clock.movingTo).toBeDefined()
      return clock
    })
    await havn.killGateways()
    expect(await move).toBe('the connection was lost')
    await openSandboxBankControl(havn).clearFaults()
    const arrived = async () => expect(await client.getSandboxClock()).not.toHaveProperty('movingTo')
    await eventually(arrived)
    const { now } = await client.getSandboxClock()
    expect(Temporal.Instant.from(now).since(movingTo).total('minutes')).toBeGreaterThanOrEqual(0)
  },
  TEST_MILLISECONDS,
)
