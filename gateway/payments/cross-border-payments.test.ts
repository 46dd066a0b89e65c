/** Tests that cross-border payments reach their banks as ordered, and are signed, completed and cancelled like domestic ones. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { banksOfEachKind } from '../../sandbox/testing/tested-banks.ts'
import { nextBankDay } from '../countries/bank-days.ts'
import { type NordicBank, nordicBank } from '../testing/banks/nordic-banks.ts'
import { visitBank } from '../testing/browser/bank-user.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { type ApprovalDriver, openApprovalDriver } from '../testing/payments/approval-driver.ts'
import { openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { crossBorderPayment } from '../testing/payments/sample-cross-border-payments.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'
import { signInNetbank } from '../testing/payments/sign-in-netbank.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

describe('initiated', () => {
  let payer: PaymentDriver
  beforeAll(async () => {
    payer = openPaymentDriver(gateway)
    await payer.nextMorning()
  })

  /** In euro and dollar, at a bank of another currency and at one of the euro. */
  const KINDS = [
    ['FJORNO22', '80501100076', 'EUR'],
    ['SAIMFIHH', '40550001000062', 'USD'],
  ] as const
  const OTHERS = [
    ['FJORNO22', '80501100084', 'USD'],
    ['VSKYNO22', '80521100072', 'EUR'],
    ['MALBSESS', '79901000076', 'EUR'],
    ['ORESDK22', '59600001100066', 'EUR'],
  ] as const

  describe('a payment from an account in another currency', () => {
    test.each(banksOfEachKind<(typeof KINDS | typeof OTHERS)[number]>(KINDS, OTHERS))(
      'at %s from %s in %s is accepted, signed and completed',
      async (bic, bban, currency) => {
        const bank = nordicBank(bic)
        const consented = await payer.consentOf(bank)
        const body = crossBorderPayment(gateway, bank, { bban, currency })
        const { paymentId, paymentStatus, ...more } = await gateway.client.initiateCrossBorderPayment({
          ...consented,
          body,
        })
        expect(paymentStatus.status).toBe('Unsigned')
        expect(more).toEqual({})
        expect(await payer.sign(bank, paymentId)).toMatchObject({ status: 'InProgress' })
        expect(await payer.settled(paymentId)).toMatchObject({ status: 'Completed' })
        expect(await gateway.client.getPayment({ params: { paymentId } })).toMatchObject({
          type: 'CrossBorder',
          ...body,
          finalStatus: true,
        })
        await payer.nextMorning()
      },
    )
  })
})

describe('approved and cancelled', () => {
  const CURRENCY_ACCOUNTS: Readonly<Record<string, string>> = {
    FJORNO22: '80501100076',
    VSKYNO22: '80521100072',
    MALBSESS: '79901000076',
    ORESDK22: '59600001100066',
  }

  let approver: ApprovalDriver
  beforeAll(async () => {
    approver = openApprovalDriver(gateway)
    await approver.payer.nextMorning()
  })

  /** A payment in euro, due some days from now. */
  async function euros(bank: NordicBank, inDays = 5): Promise<string> {
    const day = gateway.context.clock.today('Europe/Helsinki').add({ days: inDays })
    const dueDate = nextBankDay(['NO', 'SE', 'DK', 'FI'], day).toString()
    const from = { bban: CURRENCY_ACCOUNTS[bank.bic] ?? '', currency: 'EUR' }
    const consented = await approver.payer.consentOf(bank)
    const body = crossBorderPayment(gateway, bank, from, { dueDate })
    return (await gateway.client.initiateCrossBorderPayment({ ...consented, body })).paymentId
  }

  const subjects = async (ids: readonly string[]) => (await approver.authorised(ids)).map(({ subject }) => subject)

  async function cancel(bank: NordicBank, paymentId: string) {
    const consented = await approver.payer.consentOf(bank)
    return await gateway.client.cancelPayment({ ...consented, body: { paymentId, callbackUrl: CALLBACK } })
  }

  describe('approved together with domestic payments', () => {
    test('they require one signature where the bank’s baskets hold both kinds', async () => {
      const bank = nordicBank('VSKYNO22')
      const ids = [...(await approver.order(bank, 2)), await euros(bank)]
      const approval = await approver.approve(bank, ids)
      expect(await approver.tiedUp(ids)).toBe(3)
      expect(await approval.visit()).toBe('success')
      expect(await approver.read(bank, approval.id)).toEqual({ status: 'ACCEPTED', results: Array(3).fill('ACCEPTED') })
      await gateway.sweep()
      expect(await approver.statuses(ids)).not.toContain('Unsigned')
    })

    test('they are signed one by one behind the same link where its baskets hold only domestic payments', async () => {
      const bank = nordicBank('MALBSESS')
      const ids = [...(await approver.order(bank, 2)), await euros(bank), await euros(bank)]
      const { id, url } = await approver.approve(bank, ids)
      expect(await approver.tiedUp(ids)).toBe(2)
      expect(await approver.signChain(url, bank.users[0], 3)).toBe('success')
      expect(await approver.read(bank, id)).toEqual({ status: 'ACCEPTED', results: Array(4).fill('ACCEPTED') })
      expect((await subjects(ids)).toSorted()).toEqual(['basket', 'payment', 'payment'])
    })

    test('they are signed one by one behind the same link where there are no baskets', async () => {
      const bank = nordicBank('FJORNO22')
      const ids = [await euros(bank), ...(await approver.order(bank, 1))]
      const { id, url } = await approver.approve(bank, ids)
      expect(await approver.signChain(url, bank.users[0], 2)).toBe('success')
      expect(await approver.read(bank, id)).toEqual({ status: 'ACCEPTED', results: ['ACCEPTED', 'ACCEPTED'] })
    })

    test('the page of the gateway names creditor, account and amount before the user goes to the bank', async () => {
      const bank = nordicBank('FJORNO22')
      const { url } = await approver.approve(bank, [await euros(bank)])
      const page = await (await fetch(url)).text()
      for (const reported of ['Elbe Werkzeug GmbH', 'EUR', 'Invoice']) {
        expect(page).toContain(reported)
      }
      expect(page.replaceAll(/\s|&nbsp;/g, '')).toContain('DE89370400440532013000')
    })
  })

  describe('cancelled', () => {
    const banks = banksOfEachKind(['FJORNO22'], ['VSKYNO22', 'MALBSESS', 'ORESDK22'])

    test.each(banks)('at %s while they are unsigned, they need no signature', async (bic) => {
      const bank = nordicBank(bic)
      const paymentId = await euros(bank)
      expect(await cancel(bank, paymentId)).toMatchObject({
        cancellationRequestStatus: 'ACCEPTED',
        currentPaymentStatus: { status: 'Cancelled' },
        reason: null,
      })
      expect(await approver.payer.statusOf(paymentId)).toMatchObject({ status: 'Cancelled' })
    })

    test('once they are signed, with a signature where the bank requires one', async () => {
      const bank = nordicBank('FJORNO22')
      const paymentId = await euros(bank)
      expect(await signInNetbank(gateway, paymentId)).toMatchObject({ status: 'InProgress' })
      const requested = await cancel(bank, paymentId)
      expect(requested).toMatchObject({
        cancellationRequestStatus: 'AUTHORIZATION_REQUIRED',
        sca: { type: 'redirect' },
      })
      const url = requested.sca?.type === 'redirect' ? requested.sca.url : ''
      expect((await visitBank(url, { userId: bank.users[0] })).href).toBe(`${CALLBACK}?status=success`)
      expect(await approver.payer.statusOf(paymentId)).toMatchObject({ status: 'Cancelled' })
    })

    test('too late, they are not cancelled, and the reason is returned', async () => {
      const bank = nordicBank('FJORNO22')
      const paymentId = await euros(bank, 0)
      await signInNetbank(gateway, paymentId)
      await passTime(gateway, 'PT1H')
      expect(await approver.payer.statusOf(paymentId)).toMatchObject({ status: 'Completed' })
      expect(await cancel(bank, paymentId)).toMatchObject({
        cancellationRequestStatus: 'REJECTED',
        reason: expect.stringMatching(/\S/),
      })
    })
  })
})
