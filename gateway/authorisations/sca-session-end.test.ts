/** Tests how SCA sessions end: with one outcome, the same for all readers, in spite of concurrency and crashes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approvalScaSubject } from '../orders/sign/approval-sca-subject.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { openBrowser, visitBank } from '../testing/browser/bank-user.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI, PSU } from '../testing/payments/sample-payments.ts'
import { disablePaymentPolling } from '../testing/payments/settle-payments.ts'
import { cancelScaSession } from './end-sca-session.ts'
import { findScaSession, reloadScaSession } from './find-sca-sessions.ts'
import { completeScaSession, refreshScaSession } from './refresh-sca-session.ts'
import type { ScaSession } from './sca-session.ts'
import { recordScaDecision, recordScaSessionPolled } from './store/sca-session-store.ts'

let gateway: TestGateway
let bank: SandboxBankControl
let kari: Awaited<ReturnType<typeof acceptedConsent>>
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
  kari = await acceptedConsent(gateway)
})
beforeEach(() => disablePaymentPolling(gateway))
afterAll(() => gateway.close())

async function approve(paymentId: string) {
  const body = { payments: [paymentId], callbackUrl: CALLBACK }
  const { id, sca } = await gateway.client.approvePayments({ ...kari, body })
  return { id, paymentId, url: sca?.type === 'redirect' ? sca.url : '' }
}

async function started() {
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...kari, body: domesticPayment(gateway) })
  return await approve(paymentId)
}

/** The current SCA session behind a link; a reader that keeps it sees outdated state later. */
async function seenAt(url: string): Promise<ScaSession> {
  const [, , partnerId = '', id = ''] = new URL(url).pathname.split('/')
  const session = await findScaSession(gateway.context, { partnerId, id })
  if (session === undefined) {
    throw new Error(`There is no signing at ${url}`)
  }
  return session
}

async function statusOf(approvalId: string): Promise<string> {
  return (await gateway.client.getPaymentApproval({ ...kari, params: { approvalId } })).status
}

async function write(sql: string, values: readonly unknown[] = []): Promise<void> {
  await gateway.context.database.pool.query(sql, [...values])
}

/** The state when the bank was polled. */
async function markSigned(session: ScaSession): Promise<void> {
  const { clock, database } = gateway.context
  const [step] = session.steps
  const read = { position: 0, state: 'signed', scaStatus: 'finalised', isOver: false, at: clock.real() } as const
  const report = { ...read, authorisationId: step?.authorisationId ?? '' }
  await recordScaSessionPolled(database, session, { at: clock.now(), dueAt: session.expiresAt, report })
}

async function latestAuthorisation(): Promise<string> {
  return (await bank.payments()).at(-1)?.authorisations.at(-1)?.authorisationId ?? ''
}

describe('an end that was decided from outdated state', () => {
  it('does not happen once the browser has left for the bank', async () => {
    const { id, url } = await started()
    const seen = await seenAt(url)
    await fetch(url, { method: 'POST', redirect: 'manual' })
    expect(await completeScaSession(gateway.context, approvalScaSubject, seen, 'cancelled')).toBeUndefined()
    expect(await statusOf(id)).toBe('STARTED')
  })

  it('does not happen once a signature was read: the deadline then finds the signature', async () => {
    const { id, url } = await started()
    const seen = await seenAt(url)
    await markSigned(seen)
    expect(await completeScaSession(gateway.context, approvalScaSubject, seen, 'cancelled')).toBeUndefined()
    const state = await refreshScaSession(
      gateway.context,
      approvalScaSubject,
      await reloadScaSession(gateway.context, seen),
    )
    expect(state).toMatchObject({ at: 'end', outcome: 'success' })
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('does not happen by leaving once all is signed', async () => {
    const { id, url } = await started()
    await fetch(url, { method: 'POST', redirect: 'manual' })
    await markSigned(await seenAt(url))
    const seen = await seenAt(url)
    expect(await cancelScaSession(gateway.context, approvalScaSubject, seen)).toBe('success')
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('adds no step between the decision and recording the outcome', async () => {
    const { url } = await started()
    const seen = await seenAt(url)
    const at = gateway.context.clock.now()
    await recordScaDecision(gateway.context.database, seen, { outcome: 'cancelled', at, notificationLeaseUntil: at })
    await markSigned(seen)
    expect((await seenAt(url)).steps).toMatchObject([{ state: 'open' }])
  })

  it('is not shown to a user who returns: the page shows the decided outcome', async () => {
    const { url } = await started()
    const seen = await seenAt(url)
    await completeScaSession(gateway.context, approvalScaSubject, seen, 'rejected')
    expect(await cancelScaSession(gateway.context, approvalScaSubject, seen)).toBe('rejected')
  })
})

it('two ends at one moment: one is claimed, and approval and SCA session agree on it', async () => {
  const { id, url } = await started()
  const seen = await seenAt(url)
  const ends = await Promise.all(
    (['success', 'cancelled'] as const).map((outcome) =>
      completeScaSession(gateway.context, approvalScaSubject, seen, outcome),
    ),
  )
  const { status, outcome } = await seenAt(url)
  expect(ends.filter((end) => end !== undefined)).toMatchObject([{ at: 'end', outcome }])
  expect(status).toBe('ended')
  expect(await statusOf(id)).toBe(outcome === 'success' ? 'ACCEPTED' : 'CANCELLED')
})

it('an approval that is void, because the payment is not what was shown, is cancelled at the partner too', async () => {
  const { id, url } = await started()
  await write("update approval_payments set order_digest = 'another' where approval_id = $1", [id])
  expect((await visitBank(url)).searchParams.get('status')).toBe('cancelled')
  expect(await statusOf(id)).toBe('CANCELLED')
})

it('an outcome that was claimed by a process that crashed is recorded by the sweep', async () => {
  const { id, url } = await started()
  const now = gateway.context.clock.now().toString()
  const session = await seenAt(url)
  await write("update sca_sessions set status = 'decided', outcome = 'rejected', due_at = $1 where id = $2", [
    now,
    session.id,
  ])
  await gateway.sweep()
  expect(await seenAt(url)).toMatchObject({ status: 'ended', outcome: 'rejected' })
  expect(await statusOf(id)).toBe('REJECTED')
})

describe('an authorisation that the bank has deleted', () => {
  const forget = async () => {
    await write('delete from sandbox_bank.authorisations where id = $1', [await latestAuthorisation()])
  }

  it('cancels the approval once it has expired, and the payment can be approved again', async () => {
    const { id, paymentId } = await started()
    await forget()
    await passTime(gateway, 'PT9M')
    expect(await statusOf(id)).toBe('STARTED')
    await passTime(gateway, 'PT2M')
    expect(await statusOf(id)).toBe('CANCELLED')
    const again = await approve(paymentId)
    expect((await visitBank(again.url)).searchParams.get('status')).toBe('success')
  })

  it('counts as signed when the order has progressed', async () => {
    const { id } = await started()
    await bank.postControl(`/authorisations/${await latestAuthorisation()}/sign`)
    await forget()
    await passTime(gateway, 'PT11M')
    expect(await statusOf(id)).toBe('ACCEPTED')
  })

  it('cancels the approval when the order no longer exists either', async () => {
    const { id } = await started()
    const held = (await bank.payments()).at(-1)
    await forget()
    await write('delete from sandbox_bank.payments where id = $1', [held?.paymentId])
    await passTime(gateway, 'PT11M')
    expect(await statusOf(id)).toBe('CANCELLED')
  })

  it.each([
    ['that was not accepted', { usesLink: true, accepts: false }, 'CANCELLED'],
    ['that the user accepted on their own', { usesLink: false, accepts: true }, 'ACCEPTED'],
    ['that was accepted once the browser was back', { usesLink: true, accepts: true }, 'CANCELLED'],
  ])('ends a consent (%s) by its status at the bank', async (_what, { usesLink, accepts }, status) => {
    const body = { bic: 'FJORNO22', organizationNumber: '987654325', userId: KARI, callbackUrl: CALLBACK }
    const { id, sca } = await gateway.client.createConsent({ psu: PSU, body })
    const held = (await bank.consents()).at(-1)
    const authorisationId = held?.authorisations.at(-1)?.authorisationId
    if (usesLink) {
      await comeBackAtOnce(sca.type === 'redirect' ? sca.url : '', authorisationId)
    }
    if (accepts) {
      await bank.postControl(`/authorisations/${authorisationId}/sign`)
    }
    await write('delete from sandbox_bank.authorisations where id = $1', [authorisationId])
    await passTime(gateway, 'PT16M')
    const [shown] = (await gateway.client.listConsents({})).filter((consent) => consent.id === id)
    expect(shown?.status).toBe(status)
  })

  /** The browser that left for the bank is back, with no more information than before. */
  async function comeBackAtOnce(link: string, authorisationId: string | undefined): Promise<void> {
    const browser = openBrowser()
    await browser.post(link, {})
    const { rows } = await gateway.context.database.pool.query<{ back: string }>(
      'select redirect_uri as back from sandbox_bank.authorisations where id = $1',
      [authorisationId],
    )
    expect(await browser.get(rows[0]?.back ?? '')).toContain('Waiting for your bank')
  }
})

it('a signature that the bank accepted after the approval was closed is recorded on the payment, whose status cannot show it', async () => {
  const payer = openPaymentDriver(gateway)
  const at = nordicBank('AURAFIHH')
  const { paymentId } = await payer.order(at)
  const consent = await payer.consentOf(at)
  const { id } = await gateway.client.approvePayments({
    ...consent,
    body: { payments: [paymentId], callbackUrl: CALLBACK },
  })
  const { rows } = await gateway.context.database.pool.query<{ id: string }>(
    "update sandbox_bank.authorisations set due_at = due_at + interval '1 hour' where outcome is null returning id",
  )
  await passTime(gateway, 'PT11M')
  const read = () => gateway.client.getPaymentApproval({ ...consent, params: { approvalId: id } })
  expect(await read()).toMatchObject({ status: 'CANCELLED' })
  await bank.postControl(`/authorisations/${rows.at(-1)?.id}/sign`)
  await passTime(gateway, 'PT6M')
  expect((await payer.statusOf(paymentId)).status).toBe('InProgress')
  expect(await read()).toMatchObject({ status: 'CANCELLED' })
})
