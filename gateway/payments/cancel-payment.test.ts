/** Tests the result of cancelling at each kind of bank: unsigned and signed payments, with and without SCA. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CancellationRequest } from '../../contract/cancellations.ts'
import { banksOfEachKind } from '../../sandbox/testing/tested-banks.ts'
import { nextBankDay } from '../countries/bank-days.ts'
import { type NordicBank, nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { openBrowser, visitBank } from '../testing/browser/bank-user.ts'
import { sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { fromAccount, openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { acceptedConsent, CALLBACK, domesticPayment } from '../testing/payments/sample-payments.ts'
import { disablePaymentPolling } from '../testing/payments/settle-payments.ts'
import { bankPaymentIdOf, signInNetbank } from '../testing/payments/sign-in-netbank.ts'
import { demoPartnerId } from '../testing/webhooks/enqueue-status-change.ts'

let gateway: TestGateway
let payer: PaymentDriver
let bankControl: SandboxBankControl
beforeAll(async () => {
  gateway = await startTestGateway()
  payer = openPaymentDriver(gateway)
  bankControl = openSandboxBankControl(gateway.bank)
  await payer.nextMorning()
})
afterAll(() => gateway.close())
beforeEach(() => disablePaymentPolling(gateway))

const FJORD = nordicBank('FJORNO22')

/** A payment that its bank executes some days from now. */
async function dueLater(bank: NordicBank, changes: Parameters<PaymentDriver['order']>[1] = {}): Promise<string> {
  const day = gateway.context.clock.today('Europe/Helsinki').add({ days: 5 })
  const dueDate = nextBankDay(['NO', 'SE', 'DK', 'FI'], day).toString()
  return (await payer.order(bank, { dueDate, ...changes })).paymentId
}

async function signedDueLater(bank: NordicBank): Promise<string> {
  const paymentId = await dueLater(bank)
  expect(await signInNetbank(gateway, paymentId)).toMatchObject({ status: 'InProgress' })
  return paymentId
}

async function cancel(
  bank: NordicBank,
  paymentId: string,
  userId?: string,
  changes: Partial<CancellationRequest> = {},
) {
  const consent = await payer.consentOf(bank, userId)
  return await gateway.client.cancelPayment({ ...consent, body: { paymentId, callbackUrl: CALLBACK, ...changes } })
}

async function read(bank: NordicBank, id: string) {
  return await gateway.client.getPaymentCancellation({ ...(await payer.consentOf(bank)), params: { id } })
}

function linkIn({ sca }: Awaited<ReturnType<typeof cancel>>): string {
  if (sca?.type !== 'redirect') {
    throw new Error(`The cancellation is not signed by redirect but by ${sca?.type}`)
  }
  return sca.url
}

async function withdrawalsAt(bic: string): Promise<number> {
  const { values } = await gateway.context.metrics.bankCalls.get()
  return values
    .filter(({ metricName, labels }) => metricName?.endsWith('_count') && labels.operation === 'cancelPayment')
    .filter(({ labels }) => Object.values(labels).includes(bic))
    .reduce((sum, { value }) => sum + value, 0)
}

const CANCELLED = {
  cancellationRequestStatus: 'ACCEPTED',
  currentPaymentStatus: { status: 'Cancelled' },
  reason: null,
} as const

describe('an unsigned payment is cancelled without a signature', () => {
  const banks = banksOfEachKind(['FJORNO22'], ['VSKYNO22', 'MALBSESS', 'BLTBDK22', 'AURAFIHH'])

  test.each(banks)('at %s', async (bic) => {
    const bank = nordicBank(bic)
    const paymentId = await dueLater(bank)
    const answer = await cancel(bank, paymentId)
    expect(answer).toMatchObject(CANCELLED)
    expect(answer).not.toHaveProperty('sca')
    expect(await read(bank, answer.id)).toEqual(answer)
    expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'Cancelled' })
  })
})

describe('a signed payment that is due later', () => {
  test.each(banksOfEachKind(['MALBSESS'], ['AURAFIHH']))('is cancelled at once at %s', async (bic) => {
    const bank = nordicBank(bic)
    const answer = await cancel(bank, await signedDueLater(bank))
    expect(answer).toMatchObject(CANCELLED)
    expect(answer).not.toHaveProperty('sca')
  })

  const requiring = banksOfEachKind(['FJORNO22'], ['VSKYNO22', 'BLTBDK22'])

  test.each(requiring)('is cancelled by its user’s signature at %s', async (bic) => {
    const bank = nordicBank(bic)
    const paymentId = await signedDueLater(bank)
    const requested = await cancel(bank, paymentId)
    expect(requested).toMatchObject({
      cancellationRequestStatus: 'AUTHORIZATION_REQUIRED',
      currentPaymentStatus: { status: 'InProgress' },
      sca: { type: 'redirect' },
      reason: null,
    })
    expect(await cancel(bank, paymentId)).toEqual(requested)
    expect(await read(bank, requested.id)).toEqual(requested)
    const back = await visitBank(linkIn(requested), { userId: bank.users[0] })
    expect(back.href).toBe(`${CALLBACK}?status=success`)
    expect(await read(bank, requested.id)).toMatchObject({ id: requested.id, ...CANCELLED })
  })

  test('stays as it is at a bank that does not permit cancellation by third parties, which is not called', async () => {
    const bank = nordicBank('LIMFDK22')
    const paymentId = await signedDueLater(bank)
    const answer = await cancel(bank, paymentId)
    expect(answer).toMatchObject({
      cancellationRequestStatus: 'REJECTED',
      currentPaymentStatus: { status: 'InProgress' },
      reason: 'Limfjordsbanken does not permit third parties to cancel payments',
    })
    expect(await read(bank, answer.id)).toEqual(answer)
    expect(await withdrawalsAt('LIMFDK22')).toBe(0)
  })
})

describe('a cancellation that is too late is rejected with the reason', () => {
  test('by the bank while it executes the payment', async () => {
    const paymentId = await signedDueLater(FJORD)
    await bankControl.postControl(`/payments/${await bankPaymentIdOf(gateway, paymentId)}/status`, {
      transactionStatus: 'ACSP',
    })
    expect(await cancel(FJORD, paymentId)).toMatchObject({
      cancellationRequestStatus: 'REJECTED',
      currentPaymentStatus: { status: 'InProgress' },
      reason: expect.stringMatching(/ACSP and can no longer be cancelled/),
    })
  })

  test('by the bank, whose status of the payment is newer', async () => {
    const paymentId = await signedDueLater(FJORD)
    await bankControl.postControl(`/payments/${await bankPaymentIdOf(gateway, paymentId)}/settle`)
    expect(await cancel(FJORD, paymentId)).toMatchObject({
      cancellationRequestStatus: 'REJECTED',
      currentPaymentStatus: { status: 'Completed' },
    })
  })

  test('by Havn once the payment is final', async () => {
    const paymentId = await dueLater(FJORD)
    const { id } = await cancel(FJORD, paymentId)
    const again = await cancel(FJORD, paymentId)
    expect(again).toMatchObject({
      cancellationRequestStatus: 'REJECTED',
      currentPaymentStatus: { status: 'Cancelled' },
      reason: 'The payment is already Cancelled',
    })
    expect(again.id).not.toBe(id)
  })
})

describe('a cancellation that its user does not sign', () => {
  test.each([
    ['reject', 'rejected'],
    ['cancel', 'cancelled'],
  ] as const)(
    'ends REJECTED when the user decides to %s at the bank, and may be requested again',
    async (decision, status) => {
      const paymentId = await signedDueLater(FJORD)
      const requested = await cancel(FJORD, paymentId)
      const back = await visitBank(linkIn(requested), { decision })
      expect(back.searchParams.get('status')).toBe(status)
      expect(await read(FJORD, requested.id)).toMatchObject({
        cancellationRequestStatus: 'REJECTED',
        currentPaymentStatus: { status: 'InProgress' },
        reason: expect.any(String),
      })
      const again = await cancel(FJORD, paymentId)
      expect(again.id).not.toBe(requested.id)
      expect(again).toMatchObject({ cancellationRequestStatus: 'AUTHORIZATION_REQUIRED', sca: { type: 'redirect' } })
    },
  )

  test('ends REJECTED when it expires, and its link no longer works', async () => {
    const paymentId = await signedDueLater(FJORD)
    const requested = await cancel(FJORD, paymentId)
    await passTime(gateway, 'PT11M')
    expect(await read(FJORD, requested.id)).toMatchObject({
      cancellationRequestStatus: 'REJECTED',
      currentPaymentStatus: { status: 'InProgress' },
      reason: expect.stringMatching(/time limit passed/),
    })
    await expect(openBrowser().post(linkIn(requested), {})).rejects.toThrow(/410|409|404/)
  })

  test('ends when the user leaves our page', async () => {
    const paymentId = await signedDueLater(FJORD)
    const requested = await cancel(FJORD, paymentId)
    const back = await openBrowser().post(`${linkIn(requested)}/leave`, {})
    expect(new URL(back).searchParams.get('status')).toBe('cancelled')
    expect(await read(FJORD, requested.id)).toMatchObject({ cancellationRequestStatus: 'REJECTED' })
  })
})

describe('concurrent signing and cancelling', () => {
  test('an approval whose user is not at the bank is ended first', async () => {
    const paymentId = await dueLater(FJORD)
    const consent = await payer.consentOf(FJORD)
    const body = { payments: [paymentId], callbackUrl: CALLBACK }
    const approval = await gateway.client.approvePayments({ ...consent, body })
    expect(await cancel(FJORD, paymentId)).toMatchObject(CANCELLED)
    const params = { approvalId: approval.id }
    expect(await gateway.client.getPaymentApproval({ ...consent, params })).toMatchObject({ status: 'CANCELLED' })
    await expect(openBrowser().post(approval.sca?.type === 'redirect' ? approval.sca.url : '', {})).rejects.toThrow()
  })

  test('while a user is signing at the bank, nothing is cancelled', async () => {
    const paymentId = await dueLater(FJORD)
    const consent = await payer.consentOf(FJORD)
    const body = { payments: [paymentId], callbackUrl: CALLBACK }
    const approval = await gateway.client.approvePayments({ ...consent, body })
    const browser = openBrowser()
    const link = approval.sca?.type === 'redirect' ? approval.sca.url : ''
    const page = await browser.post(link, {})
    const headers = await validHeaders(gateway, consent.consentId)
    const rejected = await sendRawRequest(gateway, ['POST', '/api/v2/payments/cancel'], {
      headers,
      body: { paymentId, callbackUrl: CALLBACK },
    })
    expect(rejected).toMatchObject({ status: 400, body: { failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' } })
    await browser.get(page)
    await browser.post(page, { userId: FJORD.users[0] })
    await browser.follow(await browser.post(page, { decision: 'approve' }))
    expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'InProgress' })
  })

  test('while a payment is being cancelled, no approval starts', async () => {
    const paymentId = await dueLater(FJORD)
    const bankPaymentId = await bankPaymentIdOf(gateway, paymentId)
    await bankControl.signInNetbank(bankPaymentId)
    // Shown as unsigned although it is signed: the bank requires SCA for the cancellation.
    await bankControl.postControl(`/payments/${bankPaymentId}/status`, { transactionStatus: 'RCVD' })
    await gateway.sweep()
    const requested = await cancel(FJORD, paymentId)
    const consent = await payer.consentOf(FJORD)
    const approving = gateway.client.approvePayments({
      ...consent,
      body: { payments: [paymentId], callbackUrl: CALLBACK },
    })
    await expect(approving).rejects.toMatchObject({ failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' })
    await visitBank(linkIn(requested))
    expect(await read(FJORD, requested.id)).toMatchObject(CANCELLED)
  })

  test('a payment that was to be signed with others is cancelled alone, and the others can be signed', async () => {
    const bank = nordicBank('VSKYNO22')
    const payments = [await dueLater(bank), await dueLater(bank), await dueLater(bank)]
    const [first = '', ...others] = payments
    const consent = await payer.consentOf(bank)
    const approve = (ids: string[]) =>
      gateway.client.approvePayments({ ...consent, body: { payments: ids, callbackUrl: CALLBACK } })
    await approve(payments)
    expect(await cancel(bank, first)).toMatchObject(CANCELLED)
    const { sca } = await approve(others)
    const back = await visitBank(sca?.type === 'redirect' ? sca.url : '', { userId: bank.users[0] })
    expect(back.searchParams.get('status')).toBe('success')
  })

  test('the user sees what is cancelled before the redirect to the bank', async () => {
    const requested = await cancel(FJORD, await signedDueLater(FJORD))
    const page = await openBrowser().get(linkIn(requested))
    expect(page).toContain('Cancel a payment')
    expect(page).toMatch(/1.250\.00.NOK/)
    expect(page).toContain(FJORD.supplierName)
  })

  test('a partly signed payment is cancelled by the second signer, without a signature', async () => {
    const paymentId = await dueLater(FJORD, fromAccount(FJORD, FJORD.twoSigners))
    expect(await payer.sign(FJORD, paymentId)).toMatchObject({ statusReason: 'PartlySigned' })
    await payer.order(FJORD, fromAccount(FJORD, FJORD.twoSigners), FJORD.users[1])
    expect(await cancel(FJORD, paymentId, FJORD.users[1])).toMatchObject(CANCELLED)
  })

  test('a second user replaces one who is not at the bank', async () => {
    const paymentId = await signedDueLater(FJORD)
    await payer.order(FJORD, {}, FJORD.users[1])
    const first = await cancel(FJORD, paymentId)
    const second = await cancel(FJORD, paymentId, FJORD.users[1])
    expect(second).toMatchObject({ cancellationRequestStatus: 'AUTHORIZATION_REQUIRED' })
    expect(second.id).not.toBe(first.id)
    expect(await read(FJORD, first.id)).toMatchObject({ cancellationRequestStatus: 'REJECTED' })
    await visitBank(linkIn(second), { userId: FJORD.users[1] })
    expect(await read(FJORD, second.id)).toMatchObject(CANCELLED)
  })

  test('a second user replaces one whose code has not been scanned', async () => {
    const bank = nordicBank('SKARSESS')
    const [, second] = bank.users
    const paymentId = await signedDueLater(bank)
    await payer.order(bank, {}, second)
    const first = await cancel(bank, paymentId, undefined, { preferredScaMethod: 'Qr' })
    expect(first.sca).toMatchObject({ type: 'qr' })
    const again = await cancel(bank, paymentId, second, { preferredScaMethod: 'Qr' })
    expect(again).toMatchObject({ cancellationRequestStatus: 'AUTHORIZATION_REQUIRED', sca: { type: 'qr' } })
    expect(again.id).not.toBe(first.id)
    expect(await read(bank, first.id)).toMatchObject({ cancellationRequestStatus: 'REJECTED' })
    await signInApp(again.sca?.type === 'qr' ? (again.sca.code ?? '') : '', second)
    await eventually(async () => expect(await read(bank, again.id)).toMatchObject(CANCELLED))
  })

  test('a payment that is cancelled in the online bank meanwhile counts as success', async () => {
    const paymentId = await signedDueLater(FJORD)
    const requested = await cancel(FJORD, paymentId)
    await bankControl.postControl(`/payments/${await bankPaymentIdOf(gateway, paymentId)}/cancel`)
    const back = await openBrowser().post(`${linkIn(requested)}/leave`, {})
    expect(new URL(back).searchParams.get('status')).toBe('success')
    expect(await read(FJORD, requested.id)).toMatchObject(CANCELLED)
  })
})

/** Pastes a code into the app, identifies the user, and signs. */
async function signInApp(code: string, userId: string): Promise<void> {
  const app = openBrowser()
  const order = await app.post(`${gateway.bank.pagesUrl}/app`, { code })
  await app.post(order, { userId })
  await app.post(order, { decision: 'approve' })
}

describe('a cancellation that is signed by a code', () => {
  const codes = banksOfEachKind<readonly [string, string]>([['VASASESS', 'Dynamic']], [['SKARSESS', 'Static']])

  test.each(codes)('is shown by the partner at %s, and ends once it is scanned and signed', async (bic, kind) => {
    const bank = nordicBank(bic)
    const paymentId = await signedDueLater(bank)
    const requested = await cancel(bank, paymentId, undefined, { preferredScaMethod: 'Qr' })
    expect(requested).toMatchObject({ cancellationRequestStatus: 'AUTHORIZATION_REQUIRED', sca: { type: 'qr', kind } })
    const shown = await read(bank, requested.id)
    expect(shown).toMatchObject({ sca: { type: 'qr', kind, image: expect.stringMatching(/^iVBORw0KGgo/) } })
    await signInApp(shown.sca?.type === 'qr' ? (shown.sca.code ?? '') : '', bank.users[0])
    await gateway.sweep()
    await eventually(async () =>
      expect(await read(bank, requested.id)).toMatchObject({ cancellationRequestStatus: 'ACCEPTED' }),
    )
    expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'Cancelled' })
  })

  test('is signed by redirect outside Sweden, whatever is preferred', async () => {
    const requested = await cancel(FJORD, await signedDueLater(FJORD), undefined, { preferredScaMethod: 'Qr' })
    expect(requested.sca).toMatchObject({ type: 'redirect' })
  })
})

describe('a user who decides without a browser', () => {
  const pass = (duration: string) => passTime(gateway, duration)

  test.each([
    ['signs', '77000000001', 'ACCEPTED', 'Cancelled'],
    ['rejects', '77000000008', 'REJECTED', 'InProgress'],
  ])('%s that a payment is cancelled', async (_what, userId, cancellationRequestStatus, status) => {
    const { client } = gateway
    const consent = await acceptedConsent(gateway, userId)
    const dueDate = gateway.context.clock.today('Europe/Oslo').add({ days: 6 }).toString()
    const order = domesticPayment(gateway, { dueDate })
    const { paymentId } = await client.initiateDomesticPayment({ ...consent, body: order })
    await client.approvePayments({ ...consent, body: { payments: [paymentId], callbackUrl: CALLBACK } })
    await pass('PT15M')
    const { id } = await client.cancelPayment({ ...consent, body: { paymentId, callbackUrl: CALLBACK } })
    await pass('PT15M')
    expect(await client.getPaymentCancellation({ ...consent, params: { id } })).toMatchObject({
      cancellationRequestStatus,
      currentPaymentStatus: { status },
    })
  })
})

test('concurrent requests get the same cancellation, and the bank is called once', async () => {
  const before = await withdrawalsAt('FJORNO22')
  const paymentId = await signedDueLater(FJORD)
  const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(FJORD, paymentId)))
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  expect(new Set(answers.map(linkIn)).size).toBe(1)
  expect((await withdrawalsAt('FJORNO22')) - before).toBe(1)
})

test('the same Idempotency-Key returns the same cancellation', async () => {
  const paymentId = await dueLater(FJORD)
  const headers = {
    ...(await validHeaders(gateway, (await payer.consentOf(FJORD)).consentId)),
    'idempotency-key': crypto.randomUUID(),
  }
  const requested = { headers, body: { paymentId, callbackUrl: CALLBACK } }
  const first = await sendRawRequest(gateway, ['POST', '/api/v2/payments/cancel'], requested)
  expect(await sendRawRequest(gateway, ['POST', '/api/v2/payments/cancel'], requested)).toMatchObject({
    body: first.body,
  })
  expect(first.body).toMatchObject(CANCELLED)
})

test('request, user and outcome are stored permanently; the partner is notified of the status once', async () => {
  const paymentId = await dueLater(FJORD)
  const { id } = await cancel(FJORD, paymentId)
  const { pool } = gateway.context.database
  const audit = await pool.query('select actor, action, detail from audit_log where subject_id = $1 order by id', [
    paymentId,
  ])
  expect(audit.rows).toMatchObject([
    { actor: 'client demo-partner', action: 'payment cancellation asked', detail: { cancellationId: id } },
    { actor: 'havn', action: 'payment cancellation ended', detail: { status: 'ACCEPTED', paymentStatus: 'Cancelled' } },
  ])
  const partner = await demoPartnerId(gateway)
  const events = await pool.query('select type from events where partner_id = $1 and subject_id = $2', [
    partner,
    paymentId,
  ])
  expect(events.rows).toEqual([{ type: 'PAYMENT_STATUS_CANCELLED' }])
  const stored = await pool.query('select ip_address, user_agent from cancellations where id = $1', [id])
  expect(stored.rows).toEqual([{ ip_address: '127.0.0.1', user_agent: 'Mozilla/5.0 (test)' }])
})
