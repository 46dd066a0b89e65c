/** Tests sessions in which users sign at their bank: late signatures, unreadable sessions, and several signers. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { banksOfEachKind } from '../../../sandbox/testing/tested-banks.ts'
import { nextBankDay } from '../../countries/bank-days.ts'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { openBrowser } from '../../testing/browser/bank-user.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { type ApprovalDriver, openApprovalDriver } from '../../testing/payments/approval-driver.ts'
import { fromAccount } from '../../testing/payments/payment-driver.ts'
import { CALLBACK } from '../../testing/payments/sample-payments.ts'
import { findPaymentOf } from '../find-orders.ts'
import { refreshApprovalScaSessions } from './open-sca-sessions.ts'

const AURA = nordicBank('AURAFIHH')
const FJORD = nordicBank('FJORNO22')
const BUSY = { status: 400, failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' }
/** Longer than a user may take, as if no sweep had run since. */
const OVER = { minutes: 11 }

let gateway: TestGateway
let approver: ApprovalDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  approver = openApprovalDriver(gateway)
})
beforeEach(() => approver.control.clearFaults())
afterAll(() => gateway.close())

const advance = (duration: string) => passTime(gateway, duration)

/** The bank lets its users finish an hour after the reported expiry. Returns the latest authorisation of these payments. */
async function takeTime(ids: readonly string[]): Promise<string> {
  const authorisation = (await approver.authorised(ids)).at(-1)?.id ?? ''
  await gateway.context.database.pool.query(
    "update sandbox_bank.authorisations set due_at = due_at + interval '1 hour' where id = $1",
    [authorisation],
  )
  return authorisation
}

/** Nothing is polled at the bank except for the late signature. */
async function hold(paymentIds: readonly string[]): Promise<void> {
  await gateway.context.database.pool.query('update payments set poll_at = null where id = any($1)', [paymentIds])
}

describe('a basket that is signed after its approval has ended', () => {
  it('has all its payments signed, although their status does not show it', async () => {
    const ids = await approver.order(AURA, 3)
    const { id } = await approver.approve(AURA, ids)
    const late = await takeTime(ids)
    // The bank is called to delete it when the approval ends, and fails.
    await approver.control.postControl('/faults', {
      bank: AURA.bic,
      operation: 'deleteSigningBasket',
      effect: 'drop-request',
    })
    await advance('PT11M')
    expect(await approver.read(AURA, id)).toMatchObject({ status: 'CANCELLED' })
    await approver.control.postControl(`/authorisations/${late}/sign`)
    await advance('PT6M')
    expect(await approver.statuses(ids)).toEqual(Array(3).fill('InProgress'))
    expect(await approver.read(AURA, id)).toMatchObject({ status: 'CANCELLED' })
  })

  it('is not polled once the bank has deleted it', async () => {
    const ids = await approver.order(AURA, 3)
    const { id } = await approver.approve(AURA, ids)
    await advance('PT11M')
    expect(await approver.tiedUp(ids)).toBe(0)
    await advance('PT6M')
    const { rows } = await gateway.context.database.pool.query(
      'select due_at as due from sca_sessions where subject_id = $1',
      [id],
    )
    expect(rows).toEqual([{ due: null }])
    expect(await approver.statuses(ids)).toEqual(Array(3).fill('Unsigned'))
  })
})

it('a cancellation that is signed after it has ended here triggers an early poll of the payment', async () => {
  const day = gateway.context.clock.today('Europe/Oslo').add({ days: 5 })
  const [paymentId = ''] = await approver.order(FJORD, 1, { dueDate: nextBankDay(['NO'], day).toString() })
  await approver.payer.sign(FJORD, paymentId)
  const consent = await approver.payer.consentOf(FJORD)
  const { id } = await gateway.client.cancelPayment({ ...consent, body: { paymentId, callbackUrl: CALLBACK } })
  const late = await takeTime([paymentId])
  await advance('PT11M')
  const read = () => gateway.client.getPaymentCancellation({ ...consent, params: { id } })
  expect(await read()).toMatchObject({ cancellationRequestStatus: 'REJECTED' })
  await gateway.context.database.pool.query(
    'update sandbox_bank.payments set notification_uri = null where id = any($1)',
    [await approver.bankIds([paymentId])],
  )
  await hold([paymentId])
  await approver.control.postControl(`/authorisations/${late}/sign`)
  await advance('PT6M')
  expect(await approver.statuses([paymentId])).toEqual(['Cancelled'])
  expect(await read()).toMatchObject({
    cancellationRequestStatus: 'REJECTED',
    currentPaymentStatus: { status: 'Cancelled' },
  })
})

async function atTheBank() {
  const [paymentId = ''] = await approver.order(AURA, 1)
  const { id, url } = await approver.approve(AURA, [paymentId])
  const browser = openBrowser()
  await browser.get(url)
  const address = await browser.post(url, {})
  const { rows } = await gateway.context.database.pool.query<{ partnerId: string }>(
    'select partner_id as "partnerId" from payments where id = $1',
    [paymentId],
  )
  const find = () => findPaymentOf(gateway.context, rows[0]?.partnerId ?? '', paymentId)
  return { id, browser, address, find }
}

it('finds a signature that was given at the bank after the approval was abandoned', async () => {
  const { id, browser, address, find } = await atTheBank()
  const params = { approvalId: id }
  await gateway.client.abandonPaymentApproval({ ...(await approver.payer.consentOf(AURA)), params })
  expect(await refreshApprovalScaSessions(gateway.context, await find())).toBe(true)
  expect(await find()).toMatchObject({ signed: false })
  await browser.post(address, { userId: AURA.users[0] })
  await browser.post(address, { decision: 'approve' })
  expect(await refreshApprovalScaSessions(gateway.context, await find())).toBe(true)
  expect(await find()).toMatchObject({ signed: true })
})

it('does not report an approval that only expired as unsigned while its user may sign at the bank', async () => {
  const { context } = gateway
  const { id, find } = await atTheBank()
  const payment = await find()
  expect(await refreshApprovalScaSessions(context, payment)).toBe(true)
  const later = { ...context, clock: { ...context.clock, now: () => context.clock.now().add(OVER) } }
  expect(await refreshApprovalScaSessions(later, payment)).toBe(false)
  expect(await approver.read(AURA, id)).toMatchObject({ status: 'CANCELLED' })
})

it.each([
  [403, 'blocks until it expires, and then is ended'],
  [503, 'blocks as long as the bank is unavailable'],
])('an older approval that the bank answers with %i %s', async (status) => {
  const ids = await approver.order(FJORD, 1)
  const { id, url } = await approver.approve(FJORD, ids)
  const browser = openBrowser()
  await browser.get(url)
  await browser.post(url, {})
  for (const operation of ['getPaymentScaStatus', 'getPaymentStatus']) {
    await approver.control.postControl('/faults', { bank: FJORD.bic, operation, effect: 'status', status })
  }
  await expect(approver.approve(FJORD, ids)).rejects.toMatchObject(BUSY)
  await advance('PT11M')
  if (status === 503) {
    await expect(approver.approve(FJORD, ids)).rejects.toMatchObject(BUSY)
    return
  }
  const newer = await approver.approve(FJORD, ids)
  await approver.control.clearFaults()
  expect(await approver.read(FJORD, id)).toMatchObject({ status: 'CANCELLED' })
  expect(await newer.visit()).toBe('success')
})

const banks = banksOfEachKind(['FJORNO22', 'SAIMFIHH'], ['VASASESS', 'BLTBDK22'])

describe.each(banks.map(nordicBank))('at $bic', (bank) => {
  const [first, second] = bank.users

  it('each signs once, a user who has signed gets an error that says so, and the last signature starts the execution', async () => {
    const ids = await approver.order(bank, 1, fromAccount(bank, bank.twoSigners))
    const one = await approver.approve(bank, ids, { userId: second })
    expect(await one.visit()).toBe('success')
    expect(await approver.read(bank, one.id)).toEqual({ status: 'ACCEPTED', results: ['ACCEPTED'] })
    await expect(approver.approve(bank, ids, { userId: second })).rejects.toMatchObject({
      status: 400,
      failure: 'ACCESS_DENIED',
      message: expect.stringMatching(/has already signed the payment /),
    })
    expect(await approver.statuses(ids)).toEqual(['PartlySigned'])
    const other = await approver.approve(bank, ids, { userId: first })
    expect(await other.visit()).toBe('success')
    expect(await approver.statuses(ids)).toEqual(['InProgress'])
    await expect(approver.approve(bank, ids, { userId: first })).rejects.toMatchObject({ status: 422 })
  })
})

it('several payments of which some need two signatures: the first user signs all, the second the rest', async () => {
  const [alone = ''] = await approver.order(FJORD, 1)
  const [shared = ''] = await approver.order(FJORD, 1, fromAccount(FJORD, FJORD.twoSigners))
  const { url, id } = await approver.approve(FJORD, [shared, alone])
  await approver.signChain(url, FJORD.users[0], 2)
  expect(await approver.read(FJORD, id)).toEqual({ status: 'ACCEPTED', results: ['ACCEPTED', 'ACCEPTED'] })
  expect(await approver.statuses([shared, alone])).toEqual(['PartlySigned', 'InProgress'])
  expect(await (await approver.approve(FJORD, [shared], { userId: FJORD.users[1] })).visit()).toBe('success')
  expect(await approver.statuses([shared])).toEqual(['InProgress'])
})
