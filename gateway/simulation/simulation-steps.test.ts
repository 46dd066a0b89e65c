/** Tests that every journey works without a browser, and that events at the bank can be simulated. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HavnError } from '../../sdk/index.ts'
import { nextBankDay } from '../countries/bank-days.ts'
import { findPaymentsOf } from '../orders/find-orders.ts'
import { pollPayment } from '../orders/status/poll-payment.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'
import { acceptedConsent, domesticPayment, OLA, PSU } from '../testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS } from '../testing/payrolls/payroll-fixture.ts'
import { openSandboxControl } from './sandbox-control.ts'
import { simulatePaymentStep } from './simulate-bank-events.ts'

const CALLBACK = 'http://127.0.0.1:3000/back?order=7'
const UNKNOWN = '01a207a2-3280-7a4c-9123-b1612dd272d1'

let gateway: TestGateway
let consent: Awaited<ReturnType<typeof acceptedConsent>>
beforeAll(async () => {
  gateway = await startTestGateway()
  consent = await acceptedConsent(gateway)
})
afterAll(() => gateway.close())
beforeEach(async () => {
  await gateway.client.healSandboxBanks()
})

async function pay(): Promise<string> {
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
  return paymentId
}

async function approve(...payments: string[]): Promise<string> {
  const body = { payments, callbackUrl: CALLBACK }
  return (await gateway.client.approvePayments({ ...consent, body })).id
}

const statusOf = async (paymentId: string) => (await gateway.client.getPaymentStatus({ params: { paymentId } })).status

async function failureOf(work: Promise<unknown>): Promise<{ status: number | undefined; message: string }> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof HavnError)) {
    throw new Error(`It did not fail as expected: ${String(error)}`)
  }
  return { status: error.status, message: error.message }
}

describe('the user of an approval', () => {
  test('signs, and arrives at callbackUrl with success', async () => {
    const paymentId = await pay()
    const params = { approvalId: await approve(paymentId), decision: 'sign' } as const
    expect(await gateway.client.decideSandboxApproval({ params, body: {} })).toEqual({
      outcome: 'success',
      callback: `${CALLBACK}&status=success`,
    })
    expect(await statusOf(paymentId)).toBe('InProgress')
    const again = await gateway.client.decideSandboxApproval({ params, body: {} })
    expect(again.outcome).toBe('success')
  })

  test.each([
    ['reject', 'rejected'],
    ['leave', 'cancelled'],
  ] as const)('may %s: %s, and nothing is signed', async (decision, outcome) => {
    const paymentId = await pay()
    const params = { approvalId: await approve(paymentId), decision } as const
    expect(await gateway.client.decideSandboxApproval({ params, body: {} })).toEqual({
      outcome,
      callback: `${CALLBACK}&status=${outcome}`,
    })
    expect(await statusOf(paymentId)).toBe('Unsigned')
  })

  test('signs several payments at once', async () => {
    const payments = [await pay(), await pay(), await pay()]
    const params = { approvalId: await approve(...payments), decision: 'sign' } as const
    expect((await gateway.client.decideSandboxApproval({ params, body: { userId: OLA } })).outcome).toBe('success')
    expect(await Promise.all(payments.map(statusOf))).toEqual(['InProgress', 'InProgress', 'InProgress'])
  })

  test('must exist at the bank: 400 with the bank’s text, and the approval stays open', async () => {
    const params = { approvalId: await approve(await pay()), decision: 'sign' } as const
    const failure = await failureOf(gateway.client.decideSandboxApproval({ params, body: { userId: '99999999999' } }))
    expect(failure.status).toBe(400)
    expect(failure.message).toMatch(/sandbox bank says/)
    expect((await gateway.client.decideSandboxApproval({ params, body: {} })).outcome).toBe('success')
  })

  test('does not exist for an unknown approval: 404', async () => {
    const unknown = gateway.client.stepSandboxPayment({ params: { paymentId: UNKNOWN, step: 'settle' }, body: {} })
    expect(await failureOf(unknown)).toEqual({ status: 404, message: 'There is no payment with this id' })
    const params = { approvalId: UNKNOWN, decision: 'sign' } as const
    expect((await failureOf(gateway.client.decideSandboxApproval({ params, body: {} }))).status).toBe(404)
  })
})

test('an unknown decision or step, or a malformed id, is rejected with 404 and what is allowed', async () => {
  const headers = { authorization: `Bearer ${await gateway.token()}` }
  const rejected: readonly (readonly [string, string, string])[] = [
    ['POST', `/api/sandbox/approvals/${UNKNOWN}/accept`, 'decision must be one of sign, reject, leave'],
    ['POST', `/api/sandbox/payments/${UNKNOWN}/reject`, 'step must be one of sign, cancel, take-back, release, settle'],
    ['PATCH', '/api/companies/subscription/activate/no/987654325', 'countryCode must be a country code of ISO 3166-1'],
    ['GET', '/api/v2/payments/INV-1', 'paymentId must be a UUID'],
    ['GET', '/api/v2/payments/%00', 'paymentId must be a UUID'],
  ]
  for (const [method, path, reason] of rejected) {
    const response = await gateway.fetch(path, { method, headers })
    expect([response.status, await response.json()], path).toEqual([
      404,
      expect.objectContaining({ message: expect.stringContaining(`There is no such resource: ${reason}`) }),
    ])
  }
})

test('the user of a consent accepts without a browser, and it can be used at once', async () => {
  const body = { bic: 'FJORNO22', organizationNumber: '987654325', userId: OLA, callbackUrl: CALLBACK }
  const { id } = await gateway.client.createConsent({ psu: PSU, body })
  const params = { consentId: id, decision: 'sign' } as const
  expect((await gateway.client.decideSandboxConsent({ params, body: {} })).outcome).toBe('success')
  expect((await gateway.client.getConsent({ consentId: id })).status).toBe('ACCEPTED')
  await gateway.client.endSandboxConsent({ params: { consentId: id }, body: { how: 'revoked-by-user' } })
  await gateway.client.listAccounts({ psu: PSU, consentId: id }).catch(() => undefined)
  expect((await gateway.client.getConsent({ consentId: id })).status).toBe('REVOKED')
})

test('the user of a cancellation signs it, where the bank requires that', async () => {
  const bank = nordicBank('VSKYNO22')
  const payer = openPaymentDriver(gateway)
  const dueDate = nextBankDay(['NO'], gateway.context.clock.today('Europe/Oslo').add({ days: 5 })).toString()
  const { paymentId } = await payer.order(bank, { dueDate })
  await payer.sign(bank, paymentId)
  const body = { paymentId, callbackUrl: CALLBACK }
  const requested = await gateway.client.cancelPayment({ ...(await payer.consentOf(bank)), body })
  expect(requested.cancellationRequestStatus).toBe('AUTHORIZATION_REQUIRED')
  const params = { cancellationId: requested.id, decision: 'sign' } as const
  expect((await gateway.client.decideSandboxCancellation({ params, body: {} })).outcome).toBe('success')
  expect(await statusOf(paymentId)).toBe('Cancelled')
})

describe('events at the bank', () => {
  test('a payment is signed in the online bank, settled, and then rejected after all', async () => {
    const params = { paymentId: await pay() }
    const step = (name: 'sign' | 'settle') =>
      gateway.client.stepSandboxPayment({ params: { ...params, step: name }, body: {} })
    expect((await step('sign')).status).toBe('InProgress')
    expect((await step('settle')).status).toBe('Completed')
    const returned = await gateway.client.setSandboxPaymentStatus({
      params,
      body: { transactionStatus: 'RJCT', reason: 'returned' },
    })
    expect(returned).toMatchObject({ status: 'Rejected', statusReasonText: "Returned by the receiver's bank" })
    const wrong = gateway.client.setSandboxPaymentStatus({
      params,
      body: { transactionStatus: 'CANC', reason: 'returned' },
    })
    expect((await failureOf(wrong)).status).toBe(400)
  })

  test('a payment that a worker has polled just before the event has the status after the event', async () => {
    const paymentId = await pay()
    const { rows } = await gateway.context.database.pool.query('select partner_id from payments where id = $1', [
      paymentId,
    ])
    const key = { partnerId: String(rows[0].partner_id), id: paymentId }
    const control = openSandboxControl(gateway.bank.pagesUrl)
    const act: typeof control.act = async (path, body) => {
      await control.act(path.replace('settle', 'sign'), {})
      const [payment] = await findPaymentsOf(gateway.context, key.partnerId, [paymentId])
      expect(payment && (await pollPayment(gateway.context, payment)).status).toBe('InProgress')
      return await control.act(path, body)
    }
    const settled = await simulatePaymentStep(gateway.context, { ...control, act }, key, { step: 'settle' })
    expect([settled.status, await statusOf(paymentId)]).toEqual(['Completed', 'Completed'])
  })

  test('a payment is cancelled in the online bank, which is possible only once', async () => {
    const params = { paymentId: await pay(), step: 'cancel' } as const
    expect((await gateway.client.stepSandboxPayment({ params, body: {} })).status).toBe('Cancelled')
    expect((await failureOf(gateway.client.stepSandboxPayment({ params, body: {} }))).status).toBe(409)
  })

  test('a booking on an unknown account is rejected: 404, and a wrong amount: 422', async () => {
    const entry = { amount: '12.50', counterparty: 'Kunde AS' }
    const nowhere = gateway.client.addSandboxEntry({ params: { bban: '99999999999' }, body: entry })
    expect((await failureOf(nowhere)).status).toBe(404)
    const params = { bban: '80501100017' }
    const wrong = gateway.client.addSandboxEntry({ params, body: { ...entry, amount: '12,50' } })
    expect((await failureOf(wrong)).status).toBe(422)
    expect((await gateway.client.addSandboxEntry({ params, body: entry })).bban).toBe(params.bban)
  })

  test('a response is lost after the bank accepted the order, whose outcome is then unknown', async () => {
    await gateway.client.disturbSandboxBank({ params: { bic: 'FJORNO22' }, body: { effect: 'lose-next-answer' } })
    const lost = await failureOf(pay())
    expect(lost.status).toBe(503)
    expect(await statusOf(await pay())).toBe('Unsigned')
  })

  test('the lost response is that of the next order or cancellation, single or bulk', async () => {
    const bank = nordicBank(PAYROLL_BANKS.bulk)
    const stage = openPayrollFixture(gateway)
    const shown = await stage.payer.consentOf(bank)
    const bulk = await stage.order(bank, stage.payroll(bank, 2))
    const { paymentId } = await stage.payer.order(bank)
    const cancel = { ...shown, body: { payrollId: bulk.payrollId, callbackUrl: CALLBACK } }
    const works = {
      initiatePayroll: () => stage.order(bank, stage.payroll(bank, 2)).catch(({ status }) => status),
      cancelPayroll: () => gateway.client.cancelPayroll(cancel),
      cancelPayment: () => gateway.client.cancelPayment({ ...shown, body: { paymentId, callbackUrl: CALLBACK } }),
    }
    const ACCEPTED = { cancellationRequestStatus: 'ACCEPTED' }
    const answers = { initiatePayroll: 503, cancelPayroll: ACCEPTED, cancelPayment: ACCEPTED }
    const control = openSandboxControl(gateway.bank.pagesUrl)
    for (const name of ['initiatePayroll', 'cancelPayroll', 'cancelPayment'] as const) {
      await gateway.client.disturbSandboxBank({ params: { bic: bank.bic }, body: { effect: 'lose-next-answer' } })
      // A lost response to a cancellation is recovered by reading the status of the order.
      expect({ [name]: await works[name]() }).toMatchObject({ [name]: answers[name] })
      expect({ [name]: await control.listFaults() }).toEqual({ [name]: [] })
    }
  })

  test('a bank that is unavailable rejects until all faults are cleared', async () => {
    await gateway.client.disturbSandboxBank({ params: { bic: 'fjor no 22' }, body: { effect: 'down' } })
    expect((await failureOf(gateway.client.listAccounts({ ...consent }))).status).toBe(503)
    await gateway.client.healSandboxBanks()
    expect((await gateway.client.listAccounts({ ...consent })).accounts).not.toEqual([])
  })
})

test('events at the FX provider are unavailable where none runs: 503', async () => {
  const disturbed = gateway.client.disturbSandboxExchange({ body: { effect: 'down' } })
  expect((await failureOf(disturbed)).status).toBe(503)
})

test('another partner cannot affect what is not its own: 404', async () => {
  const { client: other } = await gateway.otherPartner()
  const paymentId = await pay()
  const approvalId = await approve(paymentId)
  const attempts = [
    other.decideSandboxApproval({ params: { approvalId, decision: 'sign' }, body: {} }),
    other.decideSandboxConsent({ params: { consentId: consent.consentId, decision: 'sign' }, body: {} }),
    other.stepSandboxPayment({ params: { paymentId, step: 'sign' }, body: {} }),
    other.setSandboxPaymentStatus({ params: { paymentId }, body: { transactionStatus: 'RJCT' } }),
    other.endSandboxConsent({ params: { consentId: consent.consentId }, body: { how: 'expired' } }),
  ]
  const failures = await Promise.all(attempts.map(failureOf))
  expect(failures.map(({ status }) => status)).toEqual(attempts.map(() => 404))
  expect(await statusOf(paymentId)).toBe('Unsigned')
})
