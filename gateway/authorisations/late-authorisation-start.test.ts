/** Tests authorisations that start at the bank while their session ends: a signature given afterwards is found. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consentScaSubject } from '../consents/consent-sca-subject.ts'
import { approvalScaSubject } from '../orders/sign/approval-sca-subject.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { CALLBACK, PSU } from '../testing/payments/sample-payments.ts'
import { startAuthorisationUnderLease } from './authorisation/start-authorisation-under-lease.ts'
import { redirectToBank } from './browser/redirect-to-bank.ts'
import { reloadScaSession } from './find-sca-sessions.ts'
import { completeScaSession } from './refresh-sca-session.ts'
import { currentScaStep, type ScaSession, type ScaSubject } from './sca-session.ts'

/** Its users sign in an app, which asks them whatever Havn does. */
const KATTEGAT = nordicBank('KATTDK22')
const BROWSER = { token: undefined, ipAddress: '127.0.0.1', userAgent: 'test', language: 'en' } as const

let gateway: TestGateway
let bank: SandboxBankControl
let payer: PaymentDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
  payer = openPaymentDriver(gateway)
})
afterAll(() => gateway.close())

const advance = (duration: string) => passTime(gateway, duration)

async function query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(sql, [...values])).rows
}

async function signingOf(subjectId: string): Promise<ScaSession> {
  const sql = 'select partner_id as "partnerId", id from sca_sessions where subject_id = $1'
  const [key] = await query<{ partnerId: string; id: string }>(sql, [subjectId])
  return await reloadScaSession(gateway.context, key ?? expect.fail('There is no such signing'))
}

async function askedApproval(preferredScaMethod: 'Redirect' | 'Qr', at = KATTEGAT) {
  const { paymentId } = await payer.order(at)
  const body = { payments: [paymentId], callbackUrl: CALLBACK, preferredScaMethod }
  const { id } = await gateway.client.approvePayments({ ...(await payer.consentOf(at)), body })
  return { id, paymentId }
}

/** Runs something at the moment when the bank has started the authorisation and Havn has not recorded it yet. */
function whileBeginning(kind: ScaSubject, act: () => Promise<unknown>): ScaSubject {
  return {
    ...kind,
    begin: async (...asked) => {
      const started = await kind.begin(...asked)
      await act()
      return started
    },
  }
}

async function signInApp(): Promise<void> {
  const [latest] = await query<{ id: string }>(
    'select id from sandbox_bank.authorisations order by position desc limit 1',
  )
  await bank.postControl(`/authorisations/${latest?.id}/sign`)
}

/** Banks whose status does not show a signature cannot be used: the authorisation is polled. */
function isFoundLate({ id }: ScaSession): boolean {
  return gateway
    .logLines()
    .some((line) => line.includes(id) && line.includes('accepted a signature after its SCA session had ended'))
}

async function isKnownAsSigned(paymentId: string): Promise<boolean> {
  const [row] = await query<{ signed: boolean }>('select signed from payments where id = $1', [paymentId])
  return row?.signed === true
}

describe('an approval that ends while its authorisation starts', () => {
  it('ends once; a signature that the user gives in the app afterwards is found by the late-signature check', async () => {
    const { id, paymentId } = await askedApproval('Redirect')
    const session = await signingOf(id)
    const kind = approvalScaSubject
    const ending = whileBeginning(kind, async () =>
      completeScaSession(gateway.context, kind, await reloadScaSession(gateway.context, session), 'cancelled'),
    )
    const result = await redirectToBank(gateway.context, ending, session, BROWSER)
    expect(result).toEqual({ to: 'nowhere', why: 'used' })
    expect(await signingOf(id)).toMatchObject({ status: 'ended', outcome: 'cancelled' })
    await signInApp()
    // Its user has used the link, and is asked by the app.
    await advance('PT5S')
    expect([isFoundLate(session), await isKnownAsSigned(paymentId)]).toEqual([true, true])
    expect(await signingOf(id)).toMatchObject({ status: 'ended', outcome: 'cancelled' })
  })

  it('is checked for a late signature, too, when its owner module records the end at that moment', async () => {
    const { id, paymentId } = await askedApproval('Redirect')
    const session = await signingOf(id)
    const kind = approvalScaSubject
    const start = Promise.withResolvers<void>()
    const decided = Promise.withResolvers<void>()
    const telling: ScaSubject = {
      ...kind,
      ended: async (...told) => {
        decided.resolve()
        await start.promise
        return await kind.ended(...told)
      },
    }
    let end: Promise<unknown> = Promise.resolve()
    const ending = whileBeginning(kind, async () => {
      end = completeScaSession(gateway.context, telling, await reloadScaSession(gateway.context, session), 'cancelled')
      await decided.promise
    })
    await redirectToBank(gateway.context, ending, session, BROWSER)
    start.resolve()
    await end
    await signInApp()
    await advance('PT16M')
    expect([isFoundLate(session), await isKnownAsSigned(paymentId)]).toEqual([true, true])
  })

  it('while its QR code is renewed: the newer authorisation is the one that is checked', async () => {
    const { id, paymentId } = await askedApproval('Qr', nordicBank('SKARSESS'))
    const session = await signingOf(id)
    const kind = approvalScaSubject
    const step = currentScaStep(session) ?? expect.fail('There is no step')
    const ending = whileBeginning(kind, async () =>
      completeScaSession(gateway.context, kind, await reloadScaSession(gateway.context, session), 'cancelled'),
    )
    await startAuthorisationUnderLease(gateway.context, ending, session, { step, psu: null })
    await signInApp()
    await advance('PT16M')
    expect([isFoundLate(session), await isKnownAsSigned(paymentId)]).toEqual([true, true])
  })
})

it('a QR code that is renewed while the older one is found to have ended stays in use', async () => {
  const { id, paymentId } = await askedApproval('Qr', nordicBank('VASASESS'))
  const session = await signingOf(id)
  const step = currentScaStep(session) ?? expect.fail('There is no step')
  const reading = whileBeginning(approvalScaSubject, () =>
    query("update sca_steps set state = 'cancelled' where sca_session_id = $1", [session.id]),
  )
  await startAuthorisationUnderLease(gateway.context, reading, session, { step, psu: null })
  await signInApp()
  await advance('PT10S')
  expect(await signingOf(id)).toMatchObject({ status: 'ended', outcome: 'success' })
  expect(await isKnownAsSigned(paymentId)).toBe(true)
})

it('an SCA exemption during the end of the approval counts at once: there is no signature, and nothing waits for a late one', async () => {
  const { id, paymentId } = await askedApproval('Redirect')
  const session = await signingOf(id)
  const kind = approvalScaSubject
  const exempting: ScaSubject = {
    ...kind,
    begin: async (...asked) => {
      const { authorisationId, returnSecret } = await kind.begin(...asked)
      await signInApp()
      await completeScaSession(gateway.context, kind, await reloadScaSession(gateway.context, session), 'cancelled')
      return { authorisationId, returnSecret, approach: { type: 'none' } }
    },
  }
  const result = await redirectToBank(gateway.context, exempting, session, BROWSER)
  expect(result).toEqual({ to: 'nowhere', why: 'used' })
  expect(await isKnownAsSigned(paymentId)).toBe(true)
  expect(await signingOf(id)).toMatchObject({ status: 'ended', outcome: 'cancelled' })
  await advance('PT16M')
  expect(await isKnownAsSigned(paymentId)).toBe(true)
})

it('a consent whose authorisation started while its owner module recorded the end is deleted at the bank', async () => {
  const { bic, organizationNumber, users } = KATTEGAT
  const body = { bic, organizationNumber, userId: users[0], callbackUrl: CALLBACK }
  const { id } = await gateway.client.createConsent({ psu: PSU, body })
  const session = await signingOf(id)
  const kind = consentScaSubject
  const [start, decided] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const telling: ScaSubject = {
    ...kind,
    ended: async (...told) => {
      decided.resolve()
      await start.promise
      return await kind.ended(...told)
    },
  }
  let end: Promise<unknown> = Promise.resolve()
  const ending = whileBeginning(kind, async () => {
    end = completeScaSession(gateway.context, telling, await reloadScaSession(gateway.context, session), 'cancelled')
    await decided.promise
  })
  await redirectToBank(gateway.context, ending, session, BROWSER)
  start.resolve()
  await end
  await gateway.sweep()
  expect((await gateway.client.getConsent({ consentId: id })).status).toBe('CANCELLED')
  expect((await bank.consents()).at(-1)).toMatchObject({ consentStatus: 'terminatedByTpp' })
})

it('a consent that ends while its authorisation starts is deleted at the bank, so that it cannot be accepted there', async () => {
  const { bic, organizationNumber, users } = KATTEGAT
  const body = { bic, organizationNumber, userId: users[0], callbackUrl: CALLBACK }
  const { id } = await gateway.client.createConsent({ psu: PSU, body })
  const session = await signingOf(id)
  const kind = consentScaSubject
  const ending = whileBeginning(kind, async () =>
    completeScaSession(gateway.context, kind, await reloadScaSession(gateway.context, session), 'cancelled'),
  )
  await redirectToBank(gateway.context, ending, session, BROWSER)
  await gateway.sweep()
  expect((await bank.consents()).at(-1)).toMatchObject({ consentStatus: 'terminatedByTpp' })
})
