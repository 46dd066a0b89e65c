/** Kills processes while banks withhold the answers to orders: nothing is lost, repeated or guessed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DomesticPayment } from '../../contract/payments/domestic-payment.ts'
import { getOpenTasks, requireTask } from '../operators/resolve-task.ts'
import { resolvePaymentTask } from '../orders/submit/resolve-payment-task.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { operatorToken } from '../testing/console/operator-token.ts'
import { type Answer, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { type CrashableHavn, startCrashableHavn } from '../testing/gateway/crashable-havn.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { runHavnCommand } from '../testing/gateway/havn-command.ts'
import { acceptedConsent, CALLBACK, domesticPayment } from '../testing/payments/sample-payments.ts'
import { BANKS_BY_SINGLE_MODE, samplePayroll } from '../testing/payrolls/payroll-submission-fixture.ts'

const TEST_MILLISECONDS = 180_000
const SALARIES = Array.from({ length: 8 }, (_, n) => `${6000 + n}.35`)
/** So many orders of a payroll are in progress at once. */
const SALARIES_IN_PROGRESS = 4
const PAYROLL_BANK = nordicBank(BANKS_BY_SINGLE_MODE.baskets)

let havn: CrashableHavn
let headers: Record<string, string>
beforeAll(async () => {
  havn = await startCrashableHavn()
  const { consentId } = await acceptedConsent(havn.gateway)
  headers = await validHeaders(havn.gateway, consentId)
}, TEST_MILLISECONDS)
afterAll(() => havn.close(), TEST_MILLISECONDS)

const order = () => domesticPayment(havn.gateway)
const initiate = (
  body: DomesticPayment,
  key?: string,
  host: Pick<CrashableHavn, 'fetch'> = havn.gateway,
): Promise<Answer> =>
  sendRawRequest(host, ['POST', '/api/v2/payments'], { headers: { ...headers, 'idempotency-key': key }, body })
const bank = () => openSandboxBankControl(havn.gateway.bank)
const payrollBank = () => openSandboxBankControl(havn.gateway.bank, PAYROLL_BANK.bic)
const shown = (paymentId: string) => havn.gateway.client.getPayment({ params: { paymentId } })

/** An order whose answer the bank withholds, and the bank's id of it. */
type InProgress = { readonly body: DomesticPayment; readonly key: string; readonly bankPaymentId: string }

/** Submits it; the answer is what the killed gateway gives. */
async function submitWithoutAnswer(): Promise<InProgress & { readonly answer: Promise<unknown> }> {
  const [body, key] = [order(), crypto.randomUUID()]
  const before = new Set((await bank().payments()).map(({ paymentId }) => paymentId))
  await bank().injectFault({ operation: 'initiatePayment', effect: 'withhold-answer', times: 1 })
  const answer = initiate(body, key, havn).then(
    ({ status }) => status,
    () => 'the connection was lost',
  )
  const find = async () => (await bank().payments()).find(({ paymentId }) => !before.has(paymentId))
  await eventually(async () => expect(await find()).toBeDefined())
  return { body, key, bankPaymentId: (await find())?.paymentId ?? '', answer }
}

const openTasks = async () => (await getOpenTasks(havn.gateway.context)).filter(({ kind }) => kind === 'UnknownOutcome')
const taskAbout = async (paymentId: string) =>
  (await openTasks()).find(({ subjectId }) => subjectId === paymentId) ?? expect.fail('The payment has no task')

/** Runs a command as an operator who has signed in. */
async function command(operator: string, ...words: string[]) {
  const { databaseUrl, masterKeyFile } = havn.gateway.config
  return await runHavnCommand(words, {
    HAVN_MODE: 'sandbox',
    DATABASE_URL: databaseUrl,
    HAVN_MASTER_KEY_FILE: masterKeyFile,
    HAVN_OPERATOR_TOKEN: await operatorToken(databaseUrl, operator),
  })
}

/** What all readers see of an order with an unknown outcome; returns its id. */
async function expectUnknown(body: DomesticPayment, key: string): Promise<string> {
  const { client } = havn.gateway
  const { payments } = await client.listPayments({ query: { endToEndId: body.metadata.endToEndId } })
  expect(payments).toMatchObject([{ paymentStatus: { status: 'Unsigned' }, finalStatus: false, outcomeUnknown: true }])
  const paymentId = payments[0]?.paymentId ?? ''
  const approval = { headers, body: { payments: [paymentId], callbackUrl: CALLBACK } }
  expect(await sendRawRequest(havn.gateway, ['POST', '/api/v2/payments/approve'], approval)).toMatchObject({
    status: 422,
    body: [{ path: '.payments[0]' }],
  })
  expect(await initiate(body, key)).toMatchObject({ status: 409, body: { paymentId } })
  expect(await initiate(body)).toMatchObject({ status: 409, body: { paymentId } })
  return paymentId
}

describe('after gateway, worker and PostgreSQL were killed', { timeout: TEST_MILLISECONDS }, () => {
  const earlier = { key: crypto.randomUUID(), response: '' }
  let earlierBody: DomesticPayment
  let signedAtBank: InProgress
  let unsigned: InProgress
  let heldBefore: number
  let payrollConsent: Awaited<ReturnType<typeof acceptedConsent>>
  let payrollId: string
  beforeAll(async () => {
    const { gateway } = havn
    const { organizationNumber, bic } = PAYROLL_BANK
    payrollConsent = await acceptedConsent(gateway, PAYROLL_BANK.users[0], { bic, organizationNumber })
    earlierBody = order()
    const response = await initiateEarlier(havn)
    expect(response.status).toBe(200)
    earlier.response = await response.text()
    heldBefore = (await bank().payments()).length

    await payrollBank().injectFault({
      operation: 'initiatePayment',
      effect: 'withhold-answer',
      times: SALARIES_IN_PROGRESS,
    })
    const payroll = samplePayroll(gateway, PAYROLL_BANK, SALARIES, 'killed')
    payrollId = (await gateway.client.initiatePayroll({ ...payrollConsent, body: payroll })).payrollId
    await eventually(async () => expect(await payrollBank().payments()).toHaveLength(SALARIES_IN_PROGRESS))
    const singles = [await submitWithoutAnswer(), await submitWithoutAnswer()] as const
    ;[signedAtBank, unsigned] = singles
    await havn.killEverything()
    expect(await Promise.all(singles.map(({ answer }) => answer))).toEqual(singles.map(() => 'the connection was lost'))
    await gateway.sweep()
    expect(await openTasks()).toHaveLength(singles.length + SALARIES_IN_PROGRESS)
  }, TEST_MILLISECONDS)

  const initiateEarlier = ({ fetch }: Pick<CrashableHavn, 'fetch'>) =>
    fetch('/api/v2/payments', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': earlier.key },
      body: JSON.stringify(earlierBody),
    })

  test('an order that the bank had answered is answered as before', async () => {
    const replayed = await initiateEarlier(havn.gateway)
    expect(await replayed.text()).toBe(earlier.response)
    expect(replayed.headers.get('idempotent-replayed')).toBe('true')
  })

  test('an order in progress is resolved by the bank’s status, and submitted once', async () => {
    const { body, key, bankPaymentId } = signedAtBank
    const paymentId = await expectUnknown(body, key)
    const { id: taskId } = await taskAbout(paymentId)
    await bank().signInNetbank(bankPaymentId)
    await eventually(async () => {
      const { outcomeUnknown, paymentStatus } = await shown(paymentId)
      expect(outcomeUnknown).toBe(false)
      // That the order is at the bank may be known before the signature is.
      expect(paymentStatus.status).toMatch(/InProgress|Completed/)
    })
    await eventually(async () => expect(await initiate(body, key)).toMatchObject({ status: 200, body: { paymentId } }))
    await eventually(async () =>
      expect(await requireTask(havn.gateway.context, taskId)).toMatchObject({ status: 'resolved' }),
    )
    expect(await bank().payments()).toHaveLength(heldBefore + 2)
  })

  test('an order in progress is resolved by two operators, and submitted once', async () => {
    const { body, key, bankPaymentId } = unsigned
    const paymentId = await expectUnknown(body, key)
    const { id: taskId } = await taskAbout(paymentId)
    const resolve = (who: string, ...words: string[]) => command(who, 'tasks', 'resolve', taskId, ...words)
    const taken = ['--taken', bankPaymentId]

    expect(await resolve('Ingrid', ...taken)).toMatchObject({
      code: 0,
      out: expect.stringContaining('second operator'),
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
    const { out } = await command('Ingrid', 'tasks', 'show', taskId)
    expect(out).toMatch(/Ingrid[^:]*:[^:]*: task resolution proposed.*Ingrid[^:]*:[^:]*: task resolved/s)
    expect(await bank().payments()).toHaveLength(heldBefore + 2)
  })

  test('a payroll is resumed by the next worker, and approved once operators have resolved what was lost', async () => {
    const { client, context } = havn.gateway
    expect(await payrollBank().payments()).toHaveLength(SALARIES.length)
    const approve = () => client.approvePayrolls({ ...payrollConsent, body: { payrollId, callbackUrl: CALLBACK } })
    await expect(approve()).rejects.toMatchObject({ status: 409 })

    // Two operators look at the bank, and report what they saw.
    const held = new Map((await payrollBank().payments()).map(({ requestId, paymentId }) => [requestId, paymentId]))
    const lost = (await openTasks()).filter(({ detail }) => held.has(String(detail['bankRequestId'])))
    expect(lost).toHaveLength(SALARIES_IN_PROGRESS)
    for (const { id, detail } of lost) {
      const taken = { type: 'taken', bankPaymentId: held.get(String(detail['bankRequestId'])) ?? '' } as const
      for (const name of ['Ingrid', 'Jonas']) {
        const operator = { name, subject: `user ${name}`, actor: `operator ${name}` }
        await resolvePaymentTask(context, await requireTask(context, id), operator, taken)
      }
    }
    const { status, sca } = await approve()
    expect({ status, type: sca?.type }).toEqual({ status: 'STARTED', type: 'redirect' })
    expect((await payrollBank().payments()).map(({ amount }) => amount).toSorted()).toEqual(SALARIES)
    const { transactions } = await client.getPayrollStatus({ params: { payrollId } })
    expect(transactions.map(({ payrollStatus }) => payrollStatus)).toEqual(SALARIES.map(() => 'Unsigned'))
  })

  test('an order that the bank never stored is closed by two operators, and the key returns that', async () => {
    const [body, key] = [order(), crypto.randomUUID()]
    await bank().injectFault({ operation: 'initiatePayment', effect: 'drop-request', times: 1 })
    expect(await initiate(body, key)).toMatchObject({ status: 503, body: { paymentId: expect.any(String) } })
    const paymentId = await expectUnknown(body, key)
    const { id: taskId } = await taskAbout(paymentId)
    for (const who of ['Ingrid', 'Jonas']) {
      expect(await command(who, 'tasks', 'resolve', taskId, '--never-taken')).toMatchObject({ code: 0, error: '' })
    }
    expect(await shown(paymentId)).toMatchObject({
      outcomeUnknown: false,
      finalStatus: true,
      paymentStatus: { status: 'Rejected' },
    })
    expect(await initiate(body, key)).toMatchObject({
      status: 200,
      body: { paymentId, paymentStatus: { status: 'Rejected' } },
    })
    expect(await bank().payments()).toHaveLength(heldBefore + 2)
  })
})
