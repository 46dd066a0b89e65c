/** Tests signing baskets: one signature for a basket, a result for each payment, and a second signer. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { banksOfEachKind } from '../../../../sandbox/testing/tested-banks.ts'
import { nordicBank } from '../../../testing/banks/nordic-banks.ts'
import { loggedInAtBank, openBrowser } from '../../../testing/browser/bank-user.ts'
import { startTestGateway, type TestGateway } from '../../../testing/gateway/test-gateway.ts'
import { type ApprovalDriver, openApprovalDriver } from '../../../testing/payments/approval-driver.ts'
import { fromAccount } from '../../../testing/payments/payment-driver.ts'

const vestkyst = nordicBank('VSKYNO22')
const [, ola] = vestkyst.users
const twoSigners = fromAccount(vestkyst, vestkyst.twoSigners)

let gateway: TestGateway
let approver: ApprovalDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  approver = openApprovalDriver(gateway)
  await approver.payer.nextMorning()
})
beforeEach(() => approver.control.clearFaults())
afterAll(() => gateway.close())

const subjects = async (ids: readonly string[]) => (await approver.authorised(ids)).map(({ subject }) => subject)

describe.each(banksOfEachKind(['VSKYNO22'], ['MALBSESS', 'AURAFIHH']).map(nordicBank))('at $bic', (bank) => {
  it('several payments take one signature, and each has its result', async () => {
    const ids = await approver.order(bank, 3)
    const approval = await approver.approve(bank, ids)
    expect(await approver.tiedUp(ids)).toBe(3)
    expect(await approval.visit()).toBe('success')
    expect(await approver.read(bank, approval.id)).toEqual({ status: 'ACCEPTED', results: Array(3).fill('ACCEPTED') })
    expect(await subjects(ids)).toEqual(['basket'])
    await gateway.sweep()
    expect(await approver.statuses(ids)).not.toContain('Unsigned')
  })

  it('a single payment needs no basket', async () => {
    const ids = await approver.order(bank, 1)
    await approver.approve(bank, ids)
    expect(await subjects(ids)).toEqual(['payment'])
  })
})

describe('more payments than one basket holds', () => {
  const bank = nordicBank('AURAFIHH')

  it('are signed basket by basket behind one link, a single remaining one without a basket', async () => {
    const ids = await approver.order(bank, 21)
    const { id, url } = await approver.approve(bank, ids)
    expect(await approver.tiedUp(ids)).toBe(20)
    expect(await approver.signChain(url, bank.users[0], 2)).toBe('success')
    expect(await approver.read(bank, id)).toEqual({ status: 'ACCEPTED', results: Array(21).fill('ACCEPTED') })
    expect(await subjects(ids)).toEqual(['basket', 'payment'])
  })

  it('are accepted up to ten baskets: one payment more is rejected at its path', async () => {
    const payments = Array.from({ length: 201 }, (_, n) => `0192f0aa-0000-7000-8000-${String(n).padStart(12, '0')}`)
    await expect(approver.approve(bank, payments)).rejects.toMatchObject({
      status: 422,
      validationErrors: [{ code: 'InvalidRequest', path: '.payments[200]' }],
    })
  })
})

describe('the bank’s status of each payment', () => {
  it('counts: a payment that was cancelled in the online bank is not signed, the others are', async () => {
    const ids = await approver.order(vestkyst, 3)
    const approval = await approver.approve(vestkyst, ids)
    const [cancelled] = await approver.bankIds(ids)
    await approver.control.postControl(`/payments/${cancelled}/cancel`, {})
    expect(await approval.visit()).toBe('cancelled')
    const results = ['CANCELLED', 'ACCEPTED', 'ACCEPTED']
    expect(await approver.read(vestkyst, approval.id)).toEqual({ status: 'CANCELLED', results })
    expect(await approver.statuses(ids)).toEqual(['Cancelled', 'InProgress', 'InProgress'])
  })

  it('counts for that payment only: a missing status of the others is not unknown because one was cancelled', async () => {
    const ids = await approver.order(vestkyst, 3)
    const approval = await approver.approve(vestkyst, ids)
    const [cancelled, ...others] = await approver.bankIds(ids)
    await approver.control.postControl(`/payments/${cancelled}/cancel`, {})
    const browser = openBrowser()
    const address = await browser.post(approval.url, {})
    await browser.post(address, { userId: vestkyst.users[0] })
    // The bank's notification has no effect: it is polled when the browser returns.
    await approver.control.postControl('/faults', {
      bank: vestkyst.bic,
      operation: 'getSigningBasketScaStatus',
      effect: 'drop-request',
    })
    const back = await browser.post(address, { decision: 'approve' })
    for (const other of others) {
      await approver.control.postControl(`/payments/${other}/status`, { transactionStatus: 'PDNG' })
    }
    await approver.control.clearFaults()
    expect((await browser.follow(back)).searchParams.get('status')).toBe('cancelled')
    const results = ['CANCELLED', 'ACCEPTED', 'ACCEPTED']
    expect(await approver.read(vestkyst, approval.id)).toEqual({ status: 'CANCELLED', results })
  })

  it('counts: one that is left unsigned although the other is executed can be signed alone', async () => {
    const ids = await approver.order(vestkyst, 2)
    const approval = await approver.approve(vestkyst, ids)
    const [left, executed] = await approver.bankIds(ids)
    const browser = openBrowser()
    const address = await browser.post(approval.url, {})
    await browser.post(address, { userId: vestkyst.users[0] })
    // The bank's notification has no effect: it is polled when the browser returns.
    await approver.control.postControl('/faults', {
      bank: vestkyst.bic,
      operation: 'getSigningBasketScaStatus',
      effect: 'drop-request',
    })
    const back = await browser.post(address, { decision: 'approve' })
    const unsigned = `update sandbox_bank.payments set status = 'PDNG', signed_at = null where id = $1`
    await gateway.context.database.pool.query(unsigned, [left])
    await approver.control.postControl(`/payments/${executed}/status`, { transactionStatus: 'ACSP' })
    await approver.control.clearFaults()
    expect((await browser.follow(back)).searchParams.get('status')).toBe('rejected')
    expect(await approver.read(vestkyst, approval.id)).toEqual({
      status: 'REJECTED',
      results: ['REJECTED', 'ACCEPTED'],
    })
    expect(await (await approver.approve(vestkyst, ids.slice(0, 1))).visit()).toBe('success')
    expect(await approver.statuses(ids)).toEqual(['InProgress', 'InProgress'])
  })

  it('counts: a payment that differs from what its user saw voids the whole basket', async () => {
    const ids = await approver.order(vestkyst, 2)
    const approval = await approver.approve(vestkyst, ids)
    await gateway.context.database.pool.query('update payments set amount_minor = amount_minor + 1 where id = $1', [
      ids[1],
    ])
    expect(await approval.visit()).toBe('cancelled')
    const results = ['CANCELLED', 'CANCELLED']
    expect(await approver.read(vestkyst, approval.id)).toEqual({ status: 'CANCELLED', results })
  })
})

describe('a second signer', () => {
  it('signs the rest of the basket, and nothing that needs no second signature', async () => {
    const [alone = ''] = await approver.order(vestkyst, 1)
    const shared = await approver.order(vestkyst, 2, twoSigners)
    const ids = [alone, ...shared]
    const first = await approver.approve(vestkyst, ids)
    expect(await first.visit()).toBe('success')
    expect(await approver.read(vestkyst, first.id)).toEqual({ status: 'ACCEPTED', results: Array(3).fill('ACCEPTED') })
    expect(await approver.statuses(ids)).toEqual(['InProgress', 'PartlySigned', 'PartlySigned'])
    expect(await (await approver.approve(vestkyst, shared, { userId: ola })).visit()).toBe('success')
    await gateway.sweep()
    expect(await approver.statuses(ids)).toEqual(['InProgress', 'InProgress', 'InProgress'])
  })

  it('gets an error that names the payments that must be signed together', async () => {
    const [one = '', other = ''] = await approver.order(vestkyst, 2, twoSigners)
    await (await approver.approve(vestkyst, [one, other])).visit()
    await expect(approver.approve(vestkyst, [one], { userId: ola })).rejects.toMatchObject({
      status: 422,
      validationErrors: [{ path: '.payments[0]', reason: expect.stringContaining(other) }],
    })
  })

  it('is shown all of a basket: waits until the bank has shown which of its payments need another signature', async () => {
    const ids = await approver.order(vestkyst, 11, twoSigners)
    // Of a large basket, some are polled at once, and the others by the sweep.
    await (await approver.approve(vestkyst, ids)).visit()
    await expect(approver.approve(vestkyst, ids.slice(0, 10), { userId: ola })).rejects.toMatchObject({
      failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
    })
    await gateway.sweep()
    await expect(approver.approve(vestkyst, ids.slice(0, 10), { userId: ola })).rejects.toMatchObject({ status: 422 })
    expect(await (await approver.approve(vestkyst, ids, { userId: ola })).visit()).toBe('success')
  })

  it('signs the same basket, too, when only this approval finds out that the first user has just signed', async () => {
    const shared = await approver.order(vestkyst, 2, twoSigners)
    const first = await approver.approve(vestkyst, shared)
    const { browser, address } = await loggedInAtBank(first.url, vestkyst.users[0])
    await browser.post(address, { decision: 'approve' })
    expect(await (await approver.approve(vestkyst, shared, { userId: ola })).visit()).toBe('success')
    expect(await subjects(shared)).toEqual(['basket', 'basket'])
    await gateway.sweep()
    expect(await approver.statuses(shared)).toEqual(['InProgress', 'InProgress'])
  })

  it('who rejects leaves it partly signed', async () => {
    const shared = await approver.order(vestkyst, 2, twoSigners)
    await (await approver.approve(vestkyst, shared)).visit()
    const second = await approver.approve(vestkyst, shared, { userId: ola })
    expect(await second.visit({ decision: 'reject' })).toBe('rejected')
    await gateway.sweep()
    expect(await approver.statuses(shared)).toEqual(['PartlySigned', 'PartlySigned'])
    expect(await (await approver.approve(vestkyst, shared, { userId: ola })).visit()).toBe('success')
  })
})

describe('a basket that the bank rejects', () => {
  const refuse = () =>
    approver.control.postControl('/faults', {
      bank: vestkyst.bic,
      operation: 'createSigningBasket',
      effect: 'status',
      status: 409,
      times: 1,
    })

  it('is signed one payment at a time instead', async () => {
    const ids = await approver.order(vestkyst, 2)
    await refuse()
    await approver.approve(vestkyst, ids)
    expect(await subjects(ids)).toEqual(['payment'])
  })

  it('and is too large for that is rejected at the first payment too many', async () => {
    const ids = await approver.order(vestkyst, 11)
    await refuse()
    await expect(approver.approve(vestkyst, ids)).rejects.toMatchObject({
      status: 422,
      validationErrors: [{ path: '.payments[10]' }],
    })
    // The bank is not called again for a while.
    const reason = expect.stringContaining('and some of these one at a time only')
    await expect(approver.approve(vestkyst, ids)).rejects.toMatchObject({
      status: 422,
      validationErrors: [{ path: '.payments[10]', reason }],
    })
    expect(await (await approver.approve(vestkyst, ids.slice(0, 1))).visit()).toBe('success')
  })
})
