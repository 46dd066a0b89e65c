/** Tests cancellations and the SCA approaches of banks: each is signed in its own way, and a success counts once the bank confirms it. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { isTestedAmong } from '../../../sandbox/testing/tested-banks.ts'
import { nextBankDay } from '../../countries/bank-days.ts'
import { type NordicBank, nordicBank, nordicBanks } from '../../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { openBrowser } from '../../testing/browser/bank-user.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { type ApprovalDriver, openApprovalDriver } from '../../testing/payments/approval-driver.ts'
import { fromAccount } from '../../testing/payments/payment-driver.ts'
import { CALLBACK } from '../../testing/payments/sample-payments.ts'

let gateway: TestGateway
let approver: ApprovalDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  approver = openApprovalDriver(gateway)
})
afterAll(() => gateway.close())

describe('a success that its bank does not confirm', () => {
  type AtBank = { readonly id: string; readonly back: string | null; readonly hint: string | null }

  /** The newest authorisation: its return URL after a success, and its notification URL. */
  async function latest(): Promise<AtBank> {
    const { rows } = await gateway.context.database.pool.query<AtBank>(
      `select id, redirect_uri as back,
         (select notification_uri from sandbox_bank.payments order by id desc limit 1) as hint
       from sandbox_bank.authorisations order by position desc limit 1`,
    )
    const [row] = rows
    if (row === undefined) {
      throw new Error('No authorisation exists at the bank')
    }
    return row
  }

  /** What is started, and its status for the partner. */
  type Begun = { readonly url: string; readonly standing: () => Promise<string> }

  async function approval(bank: NordicBank, count: number): Promise<Begun> {
    const { id, url } = await approver.approve(bank, await approver.order(bank, count))
    return { url, standing: async () => (await approver.read(bank, id)).status }
  }

  async function cancellation(bank: NordicBank): Promise<Begun> {
    const day = gateway.context.clock.today('Europe/Helsinki').add({ days: 5 })
    const dueDate = nextBankDay(['NO', 'SE', 'DK', 'FI'], day).toString()
    const [paymentId = ''] = await approver.order(bank, 1, { dueDate })
    await approver.payer.sign(bank, paymentId)
    const consent = await approver.payer.consentOf(bank)
    const body = { paymentId, callbackUrl: CALLBACK }
    const { id, sca } = await gateway.client.cancelPayment({ ...consent, body })
    const params = { id }
    return {
      url: sca?.type === 'redirect' ? sca.url : '',
      standing: async () =>
        (await gateway.client.getPaymentCancellation({ ...consent, params })).cancellationRequestStatus,
    }
  }

  it.each([
    ['a basket', 'STARTED', () => approval(nordicBank('VSKYNO22'), 3)],
    ['a cancellation', 'AUTHORIZATION_REQUIRED', () => cancellation(nordicBank('FJORNO22'))],
    ['what is signed in the bank’s app', 'STARTED', () => approval(nordicBank('KATTDK22'), 1)],
  ] as const)('%s', async (_what, open, begin) => {
    const { url, standing } = await begin()
    const browser = openBrowser()
    await browser.get(url)
    await browser.post(url, {})
    const { id, back, hint } = await latest()
    const claim = async () => {
      if (back !== null) {
        await browser.follow(`${back}?scaStatus=finalised&status=success`)
      }
      if (hint !== null) {
        const headers = { 'content-type': 'application/json' }
        await fetch(hint, { method: 'POST', headers, body: '{"transactionStatus":"ACSC","scaStatus":"finalised"}' })
      }
      await gateway.sweep()
      return await standing()
    }
    expect(back ?? hint).not.toBeNull()
    expect(await claim()).toBe(open)
    await approver.control.postControl(`/authorisations/${id}/reject`)
    await passTime(gateway, 'PT10S')
    expect(await claim()).toBe('REJECTED')
  })
})

describe('a cancellation that its user signs', () => {
  const LETS_NOBODY_CANCEL = 'LIMFDK22'
  /** One answers a cancellation with 200 and never requires a signature; the other one with 204, and requires one once all have signed. */
  const DISTINCT = ['AURAFIHH', 'FJORNO22']

  /** Follows our link as the user does, on the bank's pages or in its app, and approves. */
  async function sign(bank: NordicBank, link: string, subjectId: string): Promise<URL> {
    const [userId] = bank.users
    const browser = openBrowser()
    await browser.get(link)
    const away = await browser.post(link, {})
    if (away.startsWith(gateway.url)) {
      await openSandboxBankControl(gateway.bank).postControl(`/authorisations/${await authorisationOf(subjectId)}/sign`)
      await expect.poll(async () => (await browser.follow(away)).href).toContain(CALLBACK)
      return await browser.follow(away)
    }
    const { href } = await browser.follow(away)
    await browser.get(href)
    await browser.post(href, { userId })
    return await browser.follow(await browser.post(href, { decision: 'approve' }))
  }

  async function authorisationOf(subjectId: string): Promise<string> {
    const { rows } = await gateway.context.database.pool.query(
      `select t.authorisation_id as id from sca_steps t
       join sca_sessions s on s.partner_id = t.partner_id and s.id = t.sca_session_id
       where s.subject_id = $1 and t.state = 'open'`,
      [subjectId],
    )
    return rows[0].id
  }

  const dueLater = () => {
    const day = gateway.context.clock.today('Europe/Helsinki').add({ days: 5 })
    return nextBankDay(['NO', 'SE', 'DK', 'FI'], day).toString()
  }

  const linkIn = ({ sca }: { sca?: { type: string; url?: string } }) => sca?.url ?? ''

  async function signedDueLater(bank: NordicBank): Promise<string> {
    const [paymentId = ''] = await approver.order(bank, 1, { dueDate: dueLater() })
    expect(await approver.payer.sign(bank, paymentId)).toMatchObject({ status: 'InProgress' })
    return paymentId
  }

  test.each([
    ['KATTDK22', 'in the user’s app'],
    ['PAIJFIHH', 'with a confirmation code'],
    ['ELVANO22', 'by OAuth'],
  ])('at %s a cancellation is signed %s', async (bic) => {
    const bank = nordicBank(bic)
    const paymentId = await signedDueLater(bank)
    const requested = await cancel(bank, paymentId)
    expect(requested).toMatchObject({ cancellationRequestStatus: 'AUTHORIZATION_REQUIRED', sca: { type: 'redirect' } })
    const back = await sign(bank, linkIn(requested), requested.id)
    expect(back.href).toBe(`${CALLBACK}?status=success`)
    const consent = await approver.payer.consentOf(bank)
    expect(await gateway.client.getPaymentCancellation({ ...consent, params: { id: requested.id } })).toMatchObject({
      cancellationRequestStatus: 'ACCEPTED',
      currentPaymentStatus: { status: 'Cancelled' },
      reason: null,
    })
  })

  async function halfSigned(bank: NordicBank): Promise<string> {
    const [paymentId = ''] = await approver.order(bank, 1, {
      dueDate: dueLater(),
      ...fromAccount(bank, bank.twoSigners),
    })
    expect(await approver.payer.sign(bank, paymentId)).toMatchObject({ statusReason: 'PartlySigned' })
    return paymentId
  }

  async function cancel(bank: NordicBank, paymentId: string) {
    const consent = await approver.payer.consentOf(bank)
    return await gateway.client.cancelPayment({ ...consent, body: { paymentId, callbackUrl: CALLBACK } })
  }

  test('where users sign in before anything else, a signed payment is cancelled by a signature of its own', async () => {
    const bank = nordicBank('NORDSESS')
    const paymentId = await signedDueLater(bank)
    const { id, ...requested } = await cancel(bank, paymentId)
    expect(requested).toMatchObject({ cancellationRequestStatus: 'AUTHORIZATION_REQUIRED', sca: { type: 'redirect' } })
    const params = { cancellationId: id, decision: 'sign' } as const
    const decided = await gateway.client.decideSandboxCancellation({ params, body: { userId: bank.users[0] } })
    expect(decided).toMatchObject({ outcome: 'success' })
    expect(await approver.statuses([paymentId])).toEqual(['Cancelled'])
  })

  describe('a partly signed payment', () => {
    test.each(nordicBanks.filter(({ bic }) => bic !== LETS_NOBODY_CANCEL && isTestedAmong(DISTINCT, bic)))(
      'at $bic it is cancelled without a signature',
      async (bank) => {
        const paymentId = await halfSigned(bank)
        expect(await cancel(bank, paymentId)).toMatchObject({
          cancellationRequestStatus: 'ACCEPTED',
          currentPaymentStatus: { status: 'Cancelled' },
          reason: null,
        })
        expect(await approver.statuses([paymentId])).toEqual(['Cancelled'])
      },
    )

    test('at a bank that does not permit it it stays as it is', async () => {
      const bank = nordicBank(LETS_NOBODY_CANCEL)
      const paymentId = await halfSigned(bank)
      expect(await cancel(bank, paymentId)).toMatchObject({ cancellationRequestStatus: 'REJECTED' })
      expect(await approver.statuses([paymentId])).toEqual(['PartlySigned'])
    })
  })
})
