/** Tests approvals at one bank: where it requires no signature, where it rejects the order, and which rows they read. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { handleBankReturn } from '../../authorisations/browser/handle-bank-return.ts'
import { findScaSessionByReturn } from '../../authorisations/find-sca-sessions.ts'
import { type ConsentCaller, consentActorOf } from '../../consents/consent.ts'
import { consentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import { approvePayments } from '../../payments/approve-payments.ts'
import { cancelPayment } from '../../payments/cancel-payment.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { openScaBank, type ScaBank } from '../../testing/banks/sca-bank.ts'
import { type Browser, loggedInAtBank, openBrowser } from '../../testing/browser/bank-user.ts'
import { type RecordingDatabase, recordingDatabase } from '../../testing/database/recording-database.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI, PSU } from '../../testing/payments/sample-payments.ts'
import { approvalScaSubject } from './approval-sca-subject.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

describe('without a signature', () => {
  let bank: ScaBank
  let context: Context
  let caller: ConsentCaller
  let accepted: Awaited<ReturnType<typeof acceptedConsent>>
  beforeAll(async () => {
    const { context: whole } = gateway
    bank = openScaBank({ approach: 'redirect', signers: 1, isMute: false, now: whole.clock.now })
    const row = (await whole.banks.find('FJORNO22')) ?? expect.fail('The bank does not exist')
    const connector = { ...whole.banks.connectorOf(row), ...bank.connector }
    context = { ...whole, banks: { ...whole.banks, connectorOf: () => connector } }
    accepted = await acceptedConsent(gateway, KARI)
    const { rows } = await whole.database.pool.query('select partner_id as id from consents')
    const partnerId: string = rows[0].id
    const consent = await consentOf(whole, { partnerId, consentId: accepted.consentId })
    const psu = { ...PSU, headers: {} }
    caller = {
      partnerId,
      partnerName: '',
      callbackOrigins: [],
      clientId: '',
      consent: consent ?? expect.fail('There is no consent'),
      psu,
    }
  })

  async function unsigned(): Promise<string> {
    return (await gateway.client.initiateDomesticPayment({ ...accepted, body: domesticPayment(gateway) })).paymentId
  }

  const approve = (payments: string[]) => approvePayments(context, caller, { payments, callbackUrl: CALLBACK })
  const cancel = (paymentId: string) =>
    cancelPayment(context, consentActorOf(caller), { paymentId, callbackUrl: CALLBACK })

  describe('a bank that exempts authorisations from SCA', () => {
    it('has an approval accepted at once, without a link', async () => {
      bank.exempting = true
      const approval = await approve([await unsigned()])
      expect(approval).toMatchObject({
        status: 'ACCEPTED',
        payments: [{ result: 'ACCEPTED', paymentStatus: { status: 'InProgress' } }],
      })
      expect(approval).not.toHaveProperty('sca')
    })

    it('executes a cancellation for which it would have required SCA at once, without a link', async () => {
      bank.exempting = true
      const paymentId = await unsigned()
      await approve([paymentId])
      const cancellation = await cancel(paymentId)
      expect(cancellation).toMatchObject({
        cancellationRequestStatus: 'ACCEPTED',
        currentPaymentStatus: { status: 'Cancelled' },
      })
      expect(cancellation.sca).toBeUndefined()
    })
  })
})

describe('after a failed authorisation', () => {
  const EXPIRED = { effect: 'status', status: 403, code: 'RESOURCE_EXPIRED' } as const

  let bank: SandboxBankControl
  let kari: Awaited<ReturnType<typeof acceptedConsent>>
  beforeAll(async () => {
    bank = openSandboxBankControl(gateway.bank)
    kari = await acceptedConsent(gateway)
  })
  afterEach(() => bank.clearFaults())

  async function unsigned(): Promise<string> {
    return (await gateway.client.initiateDomesticPayment({ ...kari, body: domesticPayment(gateway) })).paymentId
  }

  async function approve(...payments: string[]) {
    const { id, sca } = await gateway.client.approvePayments({ ...kari, body: { payments, callbackUrl: CALLBACK } })
    return { id, url: sca?.type === 'redirect' ? sca.url : '' }
  }

  /** The user decides at the bank; returns the URL to which the bank redirects the browser. */
  async function decideAtBank(browser: Browser, url: string, decision: string): Promise<string> {
    await browser.get(url)
    const page = await browser.post(url, {})
    await browser.get(page)
    await browser.post(page, { userId: KARI })
    return await browser.post(page, { decision })
  }

  async function rejectAtBank(): Promise<void> {
    const newest = (await bank.payments()).at(-1)?.paymentId
    await bank.postControl(`/payments/${newest}/status`, { transactionStatus: 'RJCT' })
  }

  /** As stored: the API would poll the bank. */
  async function keptStatus(paymentId: string): Promise<unknown> {
    const { rows } = await gateway.context.database.pool.query('select status from payments where id = $1', [paymentId])
    return rows[0]?.status
  }

  describe('an order that its bank rejects', () => {
    it.each(['reject', 'cancel'])('is Rejected when the user returns after deciding to %s', async (decision) => {
      const payment = await unsigned()
      const { url } = await approve(payment)
      const browser = openBrowser()
      const back = await decideAtBank(browser, url, decision)
      await rejectAtBank()
      await browser.follow(back)
      expect(await keptStatus(payment)).toBe('Rejected')
    })

    it('and whose authorisation has expired there is Rejected when the user is back, and the approval is over', async () => {
      const payment = await unsigned()
      const { id, url } = await approve(payment)
      const browser = openBrowser()
      const back = await decideAtBank(browser, url, 'reject')
      await rejectAtBank()
      await bank.injectFault({ operation: 'getPaymentScaStatus', ...EXPIRED })
      await browser.follow(back)
      expect(await keptStatus(payment)).toBe('Rejected')
      const { status } = await gateway.client.getPaymentApproval({ ...kari, params: { approvalId: id } })
      expect(status).toBe('CANCELLED')
    })

    it('and takes no authorisation of any more is Rejected as soon as one is rejected', async () => {
      const payment = await unsigned()
      await rejectAtBank()
      await bank.injectFault({ operation: 'startPaymentAuthorisation', ...EXPIRED })
      await expect(approve(payment)).rejects.toMatchObject({ status: 409 })
      expect(await keptStatus(payment)).toBe('Rejected')
    })
  })
})

describe('the rows of an approval', () => {
  let context: Context & { readonly database: RecordingDatabase }
  let caller: ConsentCaller
  let paymentId: string
  beforeAll(async () => {
    const { consentId } = await acceptedConsent(gateway)
    const body = domesticPayment(gateway)
    paymentId = (await gateway.client.initiateDomesticPayment({ consentId, psu: PSU, body })).paymentId
    context = { ...gateway.context, database: recordingDatabase(gateway.context.database.pool) }
    const { rows } = await context.database.pool.query<{ id: string }>('select partner_id as id from consents')
    const partnerId = rows[0]?.id ?? ''
    const consent = (await consentOf(context, { partnerId, consentId })) ?? expect.fail('There is no consent')
    caller = { partnerId, partnerName: '', callbackOrigins: [], clientId: '', consent, psu: { ...PSU, headers: {} } }
  })

  it('reads the payments to validate them and again under their leases, and nothing else twice', async () => {
    context.database.takeReads()
    const { sca } = await approvePayments(context, caller, { payments: [paymentId], callbackUrl: CALLBACK })
    const { payments, ...others } = context.database.takeReads()
    expect(payments).toBe(2)
    expect(others).toEqual({
      companies: 1,
      consent_accounts: 1,
      approval_payments: 1,
      sca_sessions: 1,
      approval_baskets: 1,
    })
    const { browser, address } = await loggedInAtBank(sca?.type === 'redirect' ? sca.url : '', KARI)
    const [, partnerId = '', scaSessionId = '', token = ''] =
      /signing\/(.*?)\/(.*?)\/return\/(.*)$/.exec(await browser.post(address, { decision: 'approve' })) ?? []
    const found = await findScaSessionByReturn(context, { partnerId, scaSessionId, token })
    const session = found ?? expect.fail('The browser was not redirected')
    context.database.takeReads()
    const returning = { returnToken: token, query: {}, browserToken: undefined }
    expect(await handleBankReturn(context, approvalScaSubject, session, returning)).toMatchObject({
      outcome: 'success',
    })
    const { sca_sessions: sessions, sca_steps: steps, approvals, payments: orders } = context.database.takeReads()
    // The route has read the session with its steps; what decides and ends it compares its version.
    expect([sessions, steps]).toEqual([undefined, undefined])
    // Before the bank is called, and again once the outcome is claimed.
    expect([approvals, orders]).toEqual([2, 2])
  })
})
