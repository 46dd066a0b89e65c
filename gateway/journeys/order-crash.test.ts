/** Kills processes while banks withhold the answers to orders: nothing is lost, repeated or guessed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DomesticPayment } from '../../contract/payments/domestic-payment.ts'
import { createHavnClient, type HavnClient } from '../../sdk/index.ts'
import { movableClock } from '../platform/clock.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { type Answer, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { type HavnProcesses, havnProcesses } from '../testing/gateway/havn-processes.ts'
import { acceptedConsent, CALLBACK, domesticPayment } from '../testing/payments/sample-payments.ts'
import { BANKS_BY_SINGLE_MODE, samplePayroll } from '../testing/payrolls/payroll-submission-fixture.ts'

const CREDENTIALS = { clientId: 'demo-partner', clientSecret: 'demo-partner-secret', environment: 'sandbox' } as const
const TEST_MILLISECONDS = 180_000
/** Longer than a busy machine needs to find the orders at their banks and to kill the gateway. */
const ANSWER_TIMEOUT_SECONDS = '8'
const SALARIES = Array.from({ length: 12 }, (_, n) => `${6000 + n}.35`)
/** So many orders of a payroll are in progress at once. */
const SALARIES_IN_PROGRESS = 4
const PAYROLL_BANK = nordicBank(BANKS_BY_SINGLE_MODE.baskets)

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
const payrollBank = () => openSandboxBankControl(havn, PAYROLL_BANK.bic)
const shown = (paymentId: string) => client.getPayment({ params: { paymentId } })

/** Submits an order whose answer the bank withholds; returns the bank's id of the order once the bank has it. */
async function submitWithoutAnswer(body: DomesticPayment, key: string) {
  const before = new Set((await held()).map(({ paymentId }) => paymentId))
  await openSandboxBankControl(havn).injectFault({ operation: 'initiatePayment', effect: 'withhold-answer', times: 1 })
  const answer = initiate(body, key).then(
    ({ status }) => status,
    () => 'the connection was lost',
  )
  const find = async () => (await held()).find(({ paymentId }) => !before.has(paymentId))
  await eventually(async () => expect(await find()).toBeDefined())
  return { bankPaymentId: (await find())?.paymentId ?? '', answer }
}

/** What every list shows; the metrics cost less than a command. */
async function openTaskCount(): Promise<number> {
  const metrics = await (await plain.fetch('/metrics')).text()
  return Number(/^havn_operator_tasks_open\{kind="UnknownOutcome"\} (\d+)/m.exec(metrics)?.[1] ?? 0)
}

/** The open tasks; those of one payment when its id is given. */
async function openTasks(paymentId = ''): Promise<readonly string[]> {
  const { out } = await havn.type('tasks', 'list')
  return [...out.matchAll(/^(\S+)\s+UnknownOutcome\s+open(.*)$/gm)].flatMap(([, task = '', about = '']) =>
    about.includes(paymentId) ? [task] : [],
  )
}

/** What all readers see of an order with an unknown outcome; returns its id. */
async function expectUnknown(body: DomesticPayment, key: string): Promise<string> {
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
  return paymentId
}

describe('orders that were in progress when gateway and worker were killed', () => {
  const [body, key] = [order(), crypto.randomUUID()]
  const earlier = { body: order(), key: crypto.randomUUID(), response: '' }
  let heldBefore: number
  let bankPaymentId: string
  let payrollConsent: Awaited<ReturnType<typeof acceptedConsent>>
  let payrollId: string
  beforeAll(async () => {
    const { organizationNumber, bic } = PAYROLL_BANK
    payrollConsent = await acceptedConsent({ client }, PAYROLL_BANK.users[0], { bic, organizationNumber })
    const response = await initiateEarlier()
    expect(response.status).toBe(200)
    earlier.response = await response.text()
    heldBefore = (await held()).length

    await payrollBank().injectFault({
      operation: 'initiatePayment',
      effect: 'withhold-answer',
      times: SALARIES_IN_PROGRESS,
    })
    const payroll = samplePayroll({ context: { clock: movableClock() } }, PAYROLL_BANK, SALARIES, 'killed')
    payrollId = (await client.initiatePayroll({ ...payrollConsent, body: payroll })).payrollId
    await eventually(async () => expect(await payrollBank().payments()).toHaveLength(SALARIES_IN_PROGRESS))
    const single = await submitWithoutAnswer(body, key)
    bankPaymentId = single.bankPaymentId
    await havn.killGatewayAndWorker()
    expect(await single.answer).toBe('the connection was lost')
    await eventually(async () => expect(await openTaskCount()).toBe(1 + SALARIES_IN_PROGRESS))
  }, TEST_MILLISECONDS)

  const initiateEarlier = () =>
    plain.fetch('/api/v2/payments', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': earlier.key },
      body: JSON.stringify(earlier.body),
    })

  /** Two operators look at the bank, and report what they saw; whether the task is about an order of the payroll. */
  async function resolveSalary(task: string): Promise<boolean> {
    const { out } = await havn.type('tasks', 'show', task)
    const [, requestId = ''] = /bankRequestId: "([^"]+)"/.exec(out) ?? []
    const found = (await payrollBank().payments()).find((each) => each.requestId === requestId)
    if (found === undefined) {
      return false
    }
    for (const who of ['Ingrid', 'Jonas']) {
      const words = ['tasks', 'resolve', task, '--taken', found.paymentId]
      expect(await havn.typeAs(who, ...words)).toMatchObject({ code: 0 })
    }
    return true
  }

  test(
    'a payment is resolved by the bank’s status, and submitted once',
    async () => {
      const replayed = await initiateEarlier()
      expect(await replayed.text()).toBe(earlier.response)
      expect(replayed.headers.get('idempotent-replayed')).toBe('true')

      const paymentId = await expectUnknown(body, key)
      const [taskId = ''] = await openTasks(paymentId)
      await openSandboxBankControl(havn).signInNetbank(bankPaymentId)
      await eventually(async () => {
        const { outcomeUnknown, paymentStatus } = await shown(paymentId)
        expect(outcomeUnknown).toBe(false)
        // That the order is at the bank may be known before the signature is.
        expect(paymentStatus.status).toMatch(/InProgress|Completed/)
      })
      await eventually(async () =>
        expect(await initiate(body, key)).toMatchObject({ status: 200, body: { paymentId } }),
      )
      expect((await havn.type('tasks', 'show', taskId)).out).toContain('resolved')
      expect(await held()).toHaveLength(heldBefore + 1)
    },
    TEST_MILLISECONDS,
  )

  test(
    'a payroll is resumed by the next worker, and approved once operators have resolved what was lost',
    async () => {
      await eventually(async () => expect(await payrollBank().payments()).toHaveLength(SALARIES.length))
      const approve = () => client.approvePayrolls({ ...payrollConsent, body: { payrollId, callbackUrl: CALLBACK } })
      await eventually(async () => {
        expect(await approve().catch((error: unknown) => error)).toMatchObject({ status: 409 })
      })

      const resolved: boolean[] = []
      for (const task of await openTasks()) {
        resolved.push(await resolveSalary(task))
      }
      expect(resolved.filter((isSalary) => isSalary)).toHaveLength(SALARIES_IN_PROGRESS)
      const { status, sca } = await approve()
      expect({ status, type: sca?.type }).toEqual({ status: 'STARTED', type: 'redirect' })
      expect((await payrollBank().payments()).map(({ amount }) => amount).toSorted()).toEqual(SALARIES)
      const { transactions } = await client.getPayrollStatus({ params: { payrollId } })
      expect(transactions.map(({ payrollStatus }) => payrollStatus)).toEqual(SALARIES.map(() => 'Unsigned'))
    },
    TEST_MILLISECONDS,
  )
})

test(
  'an order that was in progress when every process was killed is resolved by two operators, and submitted once',
  async () => {
    const [body, key] = [order(), crypto.randomUUID()]
    const before = (await held()).length
    const openBefore = await openTaskCount()
    const { bankPaymentId, answer } = await submitWithoutAnswer(body, key)
    await havn.killEverything()
    expect(await answer).toBe('the connection was lost')
    await havn.start()
    const paymentId = await expectUnknown(body, key)
    await eventually(async () => expect(await openTaskCount()).toBe(openBefore + 1))
    const [taskId = ''] = await openTasks(paymentId)
    const resolve = (who: string, ...words: string[]) => havn.typeAs(who, 'tasks', 'resolve', taskId, ...words)
    const taken = ['--taken', bankPaymentId]

    expect(await resolve('Ingrid', ...taken)).toMatchObject({
      code: 0,
      out: expect.stringContaining('second operator'),
    })
    expect(await havn.type('tasks', 'resolve', taskId, ...taken)).toMatchObject({
      code: 1,
      error: expect.stringContaining('does not prove who you are'),
    })
    expect(await resolve('Ingrid', ...taken)).toMatchObject({
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
      'Ingrid[^:]*:[^:]*: task resolution proposed',
      'Jonas[^:]*:[^:]*: task resolution contradicted',
      'Jonas[^:]*:[^:]*: task resolution proposed',
      'Ingrid[^:]*:[^:]*: task resolved',
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
    await openSandboxBankControl(havn).injectFault({ operation: 'initiatePayment', effect: 'drop-request', times: 1 })
    expect(await initiate(body, key)).toMatchObject({ status: 503, body: { paymentId: expect.any(String) } })
    const paymentId = await expectUnknown(body, key)
    const [taskId = ''] = await openTasks(paymentId)
    const resolve = (who: string) => havn.typeAs(who, 'tasks', 'resolve', taskId, '--never-taken')
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
