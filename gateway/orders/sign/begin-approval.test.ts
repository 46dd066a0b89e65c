/** Tests starting an approval: one at a time per payment, and only for companies that may pay. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { openBrowser, visitBank } from '../../testing/browser/bank-user.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment } from '../../testing/payments/sample-payments.ts'
import type { AcknowledgedPayment } from '../payment.ts'
import type { Approval } from './approval.ts'
import { endApproval, findApproval, insertApproval } from './approval-store.ts'
import { listBasketPayments, recordBasketRequested } from './baskets/basket-store.ts'
import { withPaymentLeases } from './open-sca-sessions.ts'

let gateway: TestGateway
let bank: SandboxBankControl
let kari: Awaited<ReturnType<typeof acceptedConsent>>
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
  kari = await acceptedConsent(gateway)
})
beforeEach(() => bank.clearFaults())
afterAll(() => gateway.close())

async function unsigned(): Promise<string> {
  return (await gateway.client.initiateDomesticPayment({ ...kari, body: domesticPayment(gateway) })).paymentId
}

async function approve(...payments: string[]): Promise<string> {
  const { sca } = await gateway.client.approvePayments({ ...kari, body: { payments, callbackUrl: CALLBACK } })
  return sca?.type === 'redirect' ? sca.url : ''
}

async function held(): Promise<number> {
  const { rows } = await gateway.context.database.pool.query('select payment_id from approval_leases')
  return rows.length
}

async function hold(paymentId: string, until: Temporal.Instant): Promise<void> {
  await gateway.context.database.pool.query(
    `insert into approval_leases (partner_id, payment_id, approval_id, lease_until)
     select partner_id, id, id, $2 from payments where id = $1`,
    [paymentId, until.toString()],
  )
}

const BUSY = { status: 400, failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' }

describe('two concurrent approvals of one payment', () => {
  it('start one authorisation at the bank, whose link works; the other gets an error that says to wait', async () => {
    const [shared, other] = [await unsigned(), await unsigned()]
    await bank.holdNextCall('startPaymentAuthorisation')
    const requests = [approve(shared), approve(other, shared)]
    await Promise.race(requests).catch(() => bank.clearFaults())
    const asked = await Promise.allSettled(requests)
    const links = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const refusals = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect([links.length, refusals]).toEqual([1, [expect.objectContaining(BUSY)]])
    const begun = (await bank.payments()).slice(-2).flatMap(({ authorisations }) => authorisations)
    expect(begun).toHaveLength(1)
    expect(await openBrowser().get(links[0] ?? '')).toContain('asks you to sign')
    expect(await held()).toBe(0)
  })

  it('block no payment after the bank rejected the first', async () => {
    const payment = await unsigned()
    await bank.injectFault({ operation: 'startPaymentAuthorisation', effect: 'status', status: 500, times: 1 })
    await expect(approve(payment)).rejects.toMatchObject({ status: 503 })
    expect(await held()).toBe(0)
    expect((await visitBank(await approve(payment))).searchParams.get('status')).toBe('success')
  })
})

describe('a hold', () => {
  it('block every other approval of the payment while it starts, which stores nothing', async () => {
    const [taken, free] = [await unsigned(), await unsigned()]
    await hold(taken, gateway.context.clock.real().add({ minutes: 1 }))
    await expect(approve(free, taken)).rejects.toMatchObject(BUSY)
    expect(await held()).toBe(1)
    await approve(free)
  })

  it('expire when their process crashed', async () => {
    const payment = await unsigned()
    await hold(payment, gateway.context.clock.real().subtract({ seconds: 1 }))
    expect((await visitBank(await approve(payment))).searchParams.get('status')).toBe('success')
  })
})

it('an approval may have more payments than a statement has parameters', async () => {
  const { context } = gateway
  const { database } = context
  const [partnerId, id, consentId, at] = [newId(), newId(), newId(), context.clock.now()]
  const orders = Array.from({ length: 16_400 }, (_none, n) => {
    return Object({ partnerId, id: newId(), bankPaymentId: `order ${n}` }) as AcknowledgedPayment
  })
  const started = { orderDigest: '', partlySigned: true, basketId: null, result: 'STARTED' } as const
  const payments = orders.slice(0, 7_300).map((order) => {
    return { ...started, paymentId: order.id, bankPaymentId: order.bankPaymentId }
  })
  const approval: Approval = { partnerId, id, consentId, status: 'STARTED', createdAt: at, payments }
  const basket = { partnerId, id, bic: 'FJORNO22', consentId, approvalId: id, bankRequestId: id, createdAt: at }
  const before = await held()
  await withPaymentLeases(context, approval, orders, async () => {
    expect(await held()).toBe(before + orders.length)
    expect(await recordBasketRequested(database, { ...basket, dueAt: null }, orders)).toBe(true)
    await insertApproval(database, approval)
  })
  expect(await held()).toBe(before)
  expect(await listBasketPayments(database, basket)).toHaveLength(orders.length)
  const resultByPayment = new Map([[payments[1]?.paymentId ?? '', 'REJECTED' as const]])
  expect(await endApproval(database, approval, { status: 'REJECTED', resultByPayment, at })).toBe(true)
  const stored = await findApproval(database, approval)
  expect(stored?.payments).toHaveLength(payments.length)
  expect({ ...stored, payments: stored?.payments.slice(0, 3) }).toEqual({
    ...approval,
    status: 'REJECTED',
    payments: [payments[0], { ...payments[1], result: 'REJECTED' }, payments[2]],
  })
})

it('an older approval whose user has signed meanwhile: the payment is reported as signed, without a link', async () => {
  const payment = await unsigned()
  await openBrowser().post(await approve(payment), {})
  const authorisations = (await bank.payments()).at(-1)?.authorisations
  await bank.postControl(`/authorisations/${authorisations?.at(-1)?.authorisationId}/sign`)
  await expect(approve(payment)).rejects.toMatchObject({ status: 422 })
})

it('a company whose subscription has ended may not approve: 403, and the bank is not called', async () => {
  const payment = await unsigned()
  const set = (active: boolean) =>
    gateway.context.database.pool.query('update companies set active_subscription = $1', [active])
  await set(false)
  try {
    await expect(approve(payment)).rejects.toMatchObject({ status: 403 })
  } finally {
    await set(true)
  }
  expect((await bank.payments()).at(-1)?.authorisations).toEqual([])
})

describe('a payment for which its bank requires no signature', () => {
  const fromSmallPayments = () => {
    const body = domesticPayment(gateway)
    return { ...body, from: { ...body.from, account: { type: 'bban' as const, bban: '80501100033' } } }
  }
  const unneeded = async () =>
    (await gateway.client.initiateDomesticPayment({ ...kari, body: fromSmallPayments() })).paymentId
  const read = async (approvalId: string) => {
    const { status, payments } = await gateway.client.getPaymentApproval({ ...kari, params: { approvalId } })
    return { status, results: payments?.map(({ result }) => result) }
  }

  it('is approved at once, without a redirect', async () => {
    const payments = [await unneeded(), await unneeded()]
    const before = await held()
    const approval = await gateway.client.approvePayments({ ...kari, body: { payments, callbackUrl: CALLBACK } })
    expect(approval).toMatchObject({ status: 'ACCEPTED', payments: [{ result: 'ACCEPTED' }, { result: 'ACCEPTED' }] })
    expect(approval.sca).toBeUndefined()
    expect(await read(approval.id)).toEqual({ status: 'ACCEPTED', results: ['ACCEPTED', 'ACCEPTED'] })
    expect(await held()).toBe(before)
  })

  it.each([
    ['approve', 'ACCEPTED'],
    ['reject', 'REJECTED'],
  ] as const)('stays accepted when the other payment of the approval ends by %s', async (decision, result) => {
    const payments = [await unneeded(), await unsigned()]
    const body = { payments, callbackUrl: CALLBACK }
    const { id, sca } = await gateway.client.approvePayments({ ...kari, body })
    await visitBank(sca?.type === 'redirect' ? sca.url : '', { decision })
    expect(await read(id)).toEqual({ status: result, results: ['ACCEPTED', result] })
  })
})
