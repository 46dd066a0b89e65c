/** Tests payments that more than one user must sign, each with a separate approval. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { banksOfEachKind } from '../../../sandbox/testing/tested-banks.ts'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { type ApprovalDriver, openApprovalDriver } from '../../testing/payments/approval-driver.ts'
import { fromAccount } from '../../testing/payments/payment-driver.ts'

let gateway: TestGateway
let approver: ApprovalDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  approver = openApprovalDriver(gateway)
  await approver.payer.nextMorning()
})
afterAll(() => gateway.close())

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
  const bank = nordicBank('FJORNO22')
  const [alone = ''] = await approver.order(bank, 1)
  const [shared = ''] = await approver.order(bank, 1, fromAccount(bank, bank.twoSigners))
  const { url, id } = await approver.approve(bank, [shared, alone])
  await approver.signChain(url, bank.users[0], 2)
  expect(await approver.read(bank, id)).toEqual({ status: 'ACCEPTED', results: ['ACCEPTED', 'ACCEPTED'] })
  expect(await approver.statuses([shared, alone])).toEqual(['PartlySigned', 'InProgress'])
  expect(await (await approver.approve(bank, [shared], { userId: bank.users[1] })).visit()).toBe('success')
  expect(await approver.statuses([shared])).toEqual(['InProgress'])
})
