/** Tests signing by a QR code that the partner shows: current codes, in sequence, and never two at a time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { banksOfEachKind } from '../../../sandbox/testing/tested-banks.ts'
import { type NordicBank, nordicBank } from '../../testing/banks/nordic-banks.ts'
import { eventually } from '../../testing/gateway/eventually.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import {
  type ApprovalDriver,
  openApprovalDriver,
  type StartedApproval,
} from '../../testing/payments/approval-driver.ts'

const QR = { preferredScaMethod: 'Qr' } as const

let gateway: TestGateway
let approver: ApprovalDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  approver = openApprovalDriver(gateway)
  await approver.payer.nextMorning()
})
afterAll(() => gateway.close())

/** What the user does in the app with the current QR code of the bank. */
async function inApp(bank: NordicBank, ids: readonly string[], deed: 'sign' | 'reject'): Promise<void> {
  const latest = (await approver.authorised(ids)).at(-1)
  await approver.control.postControl(
    `/authorisations/${latest?.id}/${deed}`,
    deed === 'reject' ? {} : { userId: bank.users[0] },
  )
}

/** The worker starts the next authorisation; the next read returns its code. */
async function nextCode(bank: NordicBank, { id }: StartedApproval, ids: readonly string[]): Promise<void> {
  await eventually(async () => {
    await gateway.sweep()
    expect((await approver.read(bank, id)).sca).toMatchObject({ type: 'qr' })
    expect(await approver.authorised(ids)).toHaveLength(2)
  })
}

async function ended(bank: NordicBank, { id }: StartedApproval) {
  return await eventually(async () => {
    const read = await approver.read(bank, id)
    expect(read.status).not.toBe('STARTED')
    return read
  })
}

describe('one payment', () => {
  it.each([
    ['SKARSESS', 'REJECTED'],
    // This bank does not report how an unsigned authorisation ended.
    ['VASASESS', 'CANCELLED'],
  ] as const)('at %s: a user who rejects has signed nothing, and it is %s', async (bic, refused) => {
    const bank = nordicBank(bic)
    const ids = await approver.order(bank, 1)
    const started = await approver.approve(bank, ids, QR)
    await inApp(bank, ids, 'reject')
    expect(await ended(bank, started)).toEqual({ status: refused, results: [refused] })
    expect(await approver.statuses(ids)).toEqual(['Unsigned'])
  })
})

describe('several payments', () => {
  it('take one code where the bank has baskets', async () => {
    const bank = nordicBank('MALBSESS')
    const ids = await approver.order(bank, 3)
    const started = await approver.approve(bank, ids, QR)
    expect(started.sca).toMatchObject({ type: 'qr' })
    await inApp(bank, ids, 'sign')
    expect(await ended(bank, started)).toEqual({ status: 'ACCEPTED', results: Array(3).fill('ACCEPTED') })
    expect(await approver.authorised(ids)).toMatchObject([{ subject: 'basket' }])
  })

  it('of which one was signed and one rejected: each has its result', async () => {
    const bank = nordicBank('SKARSESS')
    const ids = await approver.order(bank, 2)
    const started = await approver.approve(bank, ids, QR)
    await inApp(bank, ids, 'sign')
    await nextCode(bank, started, ids)
    await inApp(bank, ids, 'reject')
    expect(await ended(bank, started)).toEqual({ status: 'REJECTED', results: ['ACCEPTED', 'REJECTED'] })
    expect(await approver.statuses(ids)).toEqual(['InProgress', 'Unsigned'])
  })
})

describe('a newer approval', () => {
  const bank = nordicBank('VASASESS')

  it('replaces one whose code was not scanned', async () => {
    const ids = await approver.order(bank, 1)
    const older = await approver.approve(bank, ids, QR)
    const newer = await approver.approve(bank, ids, QR)
    expect(await approver.read(bank, older.id)).toEqual({ status: 'CANCELLED', results: ['CANCELLED'] })
    await inApp(bank, ids, 'sign')
    expect(await ended(bank, newer)).toMatchObject({ status: 'ACCEPTED' })
  })
})

describe('the preferred method', () => {
  const withoutCodes = banksOfEachKind(['FJORNO22'], ['ORESDK22', 'BLTBDK22', 'SAIMFIHH'])

  it.each(withoutCodes)('is a redirect at %s, which has no codes', async (bic) => {
    const bank = nordicBank(bic)
    const started = await approver.approve(bank, await approver.order(bank, 1), QR)
    expect(started.sca).toMatchObject({ type: 'redirect' })
  })

  it.each(banksOfEachKind(['VASASESS'], ['MALBSESS', 'SKARSESS']))(
    'is used at %s where it is redirect or missing',
    async (bic) => {
      const bank = nordicBank(bic)
      const redirect = await approver.approve(bank, await approver.order(bank, 1), { preferredScaMethod: 'Redirect' })
      expect(redirect.sca).toMatchObject({ type: 'redirect' })
      const any = await approver.approve(bank, await approver.order(bank, 1))
      expect(any.sca).toMatchObject({ type: 'redirect' })
    },
  )
})
