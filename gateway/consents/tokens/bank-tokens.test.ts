/** Tests banks' tokens: refreshed once and in time, expired ones replaced, and deleted when no longer needed. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { banksOfEachKind } from '../../../sandbox/testing/tested-banks.ts'
import { listOrdersFinalBefore } from '../../orders/store/polled-payment-store.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { type NordicBank, nordicBank } from '../../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { type Browser, openBrowser } from '../../testing/browser/bank-user.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedWithoutBrowser, openPaymentDriver, type PaymentDriver } from '../../testing/payments/payment-driver.ts'
import { CALLBACK, PSU } from '../../testing/payments/sample-payments.ts'
import { disablePaymentPolling } from '../../testing/payments/settle-payments.ts'
import { findConsent } from '../consent-store.ts'
import { orderTokenRetentionSweep } from '../jobs.ts'
import { ensureBankConsent } from '../request-bank-consent.ts'
import { type StoredTokens, updateTokens } from './bank-token-store.ts'
import { decryptTokens, encryptTokens } from './bank-tokens.ts'
import { releaseConsentTokens } from './consent-tokens.ts'

/** A user who is present, as banks require of a new consent. */
const PRESENT = { ipAddress: '192.0.2.1', userAgent: 'test', headers: {} }
const INTEGRATED = nordicBank('ELVANO22')
const PRE_STEP = nordicBank('NORDSESS')

let gateway: TestGateway
let bank: SandboxBankControl
let payer: PaymentDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
})
afterAll(() => gateway.close())
beforeEach(async () => {
  payer = openPaymentDriver(gateway)
  await bank.clearFaults()
  await disablePaymentPolling(gateway)
})

async function query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, [...values])).rows
}

const TOKENS_OF = '(select token_id from bank_token_subjects where subject_id = $1)'

/** An hour of wall time passes for its access token. */
async function hourPassed(subjectId: string): Promise<void> {
  const past = Temporal.Instant.from('2026-01-01T00:00Z').toString()
  await query(`update bank_tokens set expires_at = $2, lease_until = null where id in ${TOKENS_OF}`, [subjectId, past])
}

/** The bank revokes every grant that it has issued until now. */
async function bankEndsGrants(): Promise<void> {
  await query('update sandbox_bank.oauth_grants set ended_at = now() where ended_at is null')
}

async function tokensOf(subjectId: string): Promise<number> {
  return (await query(`select 1 from bank_tokens where id in ${TOKENS_OF}`, [subjectId])).length
}

/** Refresh tokens that were used up at the bank. */
async function renewals(): Promise<number> {
  return (await query(`select 1 from sandbox_bank.oauth_tokens where kind = 'refresh' and used_at is not null`)).length
}

type Consented = Awaited<ReturnType<PaymentDriver['consentOf']>>

/** A request for the accounts, by the user. */
const useOf = async (consented: Consented) => (await gateway.client.listAccounts(consented)).accounts

async function consentAt(at: NordicBank): Promise<string> {
  return (await payer.consentOf(at)).consentId
}

async function statusOf(consentId: string): Promise<string> {
  return (await gateway.client.getConsent({ consentId })).status
}

describe('an SCA session whose tokens were lost', () => {
  it('ends when it expires, and the consent is revoked by the bank', async () => {
    const consent = await payer.consentOf(PRE_STEP)
    const { paymentId } = await payer.order(PRE_STEP)
    const body = { payments: [paymentId], callbackUrl: CALLBACK }
    const { id, sca } = await gateway.client.approvePayments({ ...consent, body })
    await openBrowser().post(sca?.type === 'redirect' ? sca.url : '', {})
    await bankEndsGrants()
    await passTime(gateway, 'PT10S')
    expect(await statusOf(consent.consentId)).toBe('REVOKED')
    await passTime(gateway, 'PT20M')
    const renewed = await acceptedWithoutBrowser(gateway, PRE_STEP.users[0], PRE_STEP)
    const approval = await gateway.client.getPaymentApproval({ ...renewed, params: { approvalId: id } })
    expect(approval.status).toBe('CANCELLED')
    expect((await gateway.client.approvePayments({ ...renewed, body })).status).toBe('STARTED')
  })
})

describe('signing in', () => {
  it('leaves no tokens when the consent is not accepted', async () => {
    const { id, browser, back } = await signedInAt(PRE_STEP)
    await browser.follow(back.href)
    expect(await tokensOf(id)).toBe(1)
    await passTime(gateway, 'PT16M')
    await gateway.sweep()
    expect(await statusOf(id)).toBe('CANCELLED')
    expect(await tokensOf(id)).toBe(0)
  })

  it('keeps its grant while the tokens of an older consent of the same user are revoked', async () => {
    await bankEndsGrants()
    const older = await payer.consentOf(PRE_STEP)
    const { id, browser, back } = await signedInAt(PRE_STEP)
    await browser.follow(back.href)
    expect([await statusOf(id), await tokensOf(id)]).toEqual(['AUTHORIZATION_REQUIRED', 1])
    await gateway.client.revokeConsent(older)
    await gateway.sweep()
    expect(await tokensOf(older.consentId)).toBe(0)
    expect(await query('select from sandbox_bank.oauth_grants where ended_at is null')).toHaveLength(2)
  })

  it('shows a way back where the bank rejects the consent after it', async () => {
    const { browser, back } = await signedInAt(PRE_STEP)
    await browser.follow(back.href)
    const rejection = { effect: 'status', status: 400, code: 'CONSENT_UNKNOWN', times: 1 }
    await bank.postControl('/faults', { bank: PRE_STEP.bic, operation: 'createConsent', ...rejection })
    const answer = await browser.ask(`${back.origin}${back.pathname}/next`, {})
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('/leave"')])
  })

  it('leaves no consent at the bank that was requested there while it was cancelled here', async () => {
    const { id, browser, back } = await signedInAt(PRE_STEP)
    await browser.follow(back.href)
    const cancelled = "status = 'CANCELLED', bank_consent_id_sealed = null"
    const cancel = `update consents set ${cancelled} where id = $1 returning partner_id as "partnerId", id`
    const [key] = await query<{ partnerId: string; id: string }>(cancel, [id])
    const { context } = gateway
    const consent = (key && (await findConsent(context, key))) ?? expect.fail('There is no consent')
    const at = (await context.banks.find(PRE_STEP.bic)) ?? expect.fail('There is no bank')
    // Its authorisation need not start.
    await ensureBankConsent(context, { bank: at, consent, psu: PRESENT })
    await gateway.sweep()
    expect((await bank.consents()).at(-1)).toMatchObject({ consentStatus: 'terminatedByTpp' })
  })

  it('keeps its tokens assigned to the consent until they are deleted together', async () => {
    const { id, browser, back } = await signedInAt(PRE_STEP)
    await browser.follow(back.href)
    const sealed = "status = 'CANCELLED', bank_consent_id_sealed = null"
    const cancel = `update consents set ${sealed} where id = $1 returning partner_id as "partnerId", id`
    const [key] = await query<{ partnerId: string; id: string }>(cancel, [id])
    await query("update sca_sessions set status = 'ended' where subject_id = $1", [id])
    await query('create table pinned (p uuid, id uuid, foreign key (p, id) references bank_tokens (partner_id, id))')
    await query(`insert into pinned select partner_id, id from bank_tokens where id in ${TOKENS_OF}`, [id])
    const release = () =>
      releaseConsentTokens(gateway.context, key ?? expect.fail('There is no consent'), async () => false)
    await expect(release()).rejects.toThrow('pinned')
    expect(await tokensOf(id)).toBe(1)
    await query('drop table pinned')
    await release()
    expect(await tokensOf(id)).toBe(0)
  })

  it('that has succeeded is not undone by a denial from another tab', async () => {
    const { id, browser, back } = await signedInAt(PRE_STEP)
    await browser.follow(back.href)
    const denied = new URL(back)
    denied.searchParams.delete('code')
    denied.searchParams.set('error', 'access_denied')
    await browser.follow(denied.href)
    expect(await statusOf(id)).toBe('AUTHORIZATION_REQUIRED')
    const page = await browser.post(`${back.origin}${back.pathname}/next`, {})
    await browser.post(page, { userId: PRE_STEP.users[0] })
    const returned = await browser.follow(await browser.post(page, { decision: 'approve' }))
    expect([returned.search, await statusOf(id)]).toEqual(['?status=success', 'ACCEPTED'])
  })

  it('is not rejected by a forged callback URL', async () => {
    const { id, back } = await signedInAt(PRE_STEP)
    const forged = new URL(back)
    forged.search = new URLSearchParams({ error: 'access_denied' }).toString()
    await openBrowser().get(forged.href)
    expect(await statusOf(id)).toBe('AUTHORIZATION_REQUIRED')
  })
})

describe.each(banksOfEachKind([PRE_STEP], [INTEGRATED]))('the tokens of a consent at $bic', (at) => {
  let consented: Consented
  let consentId: string
  beforeAll(async () => {
    consented = await openPaymentDriver(gateway).consentOf(at)
    consentId = consented.consentId
  })

  it('are refreshed when their hour is over, again and again', async () => {
    for (let hour = 0; hour < 2; hour += 1) {
      await hourPassed(consentId)
      await useOf(consented)
    }
    expect(await statusOf(consentId)).toBe('ACCEPTED')
  })

  it('that are valid for a minute serve more than one request', async () => {
    const before = await renewals()
    const soon = gateway.context.clock.real().add({ seconds: 55 }).toString()
    await query(`update bank_tokens set expires_at = $2 where id in ${TOKENS_OF}`, [consentId, soon])
    await useOf(consented)
    expect(await renewals()).toBe(before)
  })

  it('are refreshed once, however many requests need them at the same time', async () => {
    await hourPassed(consentId)
    const before = await renewals()
    await bank.postControl('/faults', { bank: at.bic, operation: '*', effect: 'slow', milliseconds: 100, times: 2 })
    await Promise.all([1, 2, 3, 4].map(() => useOf(consented)))
    expect((await renewals()) - before).toBe(1)
    expect(await statusOf(consentId)).toBe('ACCEPTED')
  })

  it('are refreshed by the next request when the process that had started crashed before calling the bank', async () => {
    await hourPassed(consentId)
    const dead = `update bank_tokens set lease_until = now() - interval '1 second' where id in ${TOKENS_OF}`
    await query(dead, [consentId])
    await useOf(consented)
    expect(await statusOf(consentId)).toBe('ACCEPTED')
  })

  it('are refreshed once when the bank rejects them before their hour is over, and the request is answered', async () => {
    const before = await renewals()
    await bank.postControl('/tokens/expire', { bank: at.bic, kind: 'access' })
    expect(await useOf(consented)).not.toHaveLength(0)
    expect((await renewals()) - before).toBe(1)
    expect(await statusOf(consentId)).toBe('ACCEPTED')
  })

  it('that the bank rejects for one operation only do not end the consent, whatever its code', async () => {
    for (const code of ['TOKEN_INVALID', 'TOKEN_UNKNOWN', 'TOKEN_EXPIRED', null]) {
      const fault = { bank: at.bic, operation: 'getAccounts', effect: 'status', status: 401, code, times: 2 }
      await bank.postControl('/faults', fault)
      await expect(useOf(consented), `${code}`).rejects.toMatchObject({ failure: 'INVALID_CONSENT' })
      expect([code, await statusOf(consentId)]).toEqual([code, 'ACCEPTED'])
      expect(await useOf(consented)).not.toHaveLength(0)
    }
  })

  it('that a gateway in front of the bank rejects without a reason, for every call, do not end the consent', async () => {
    await bank.postControl('/faults', { bank: at.bic, operation: '*', effect: 'status', status: 401, code: null })
    await expect(useOf(consented)).rejects.toMatchObject({ failure: 'INVALID_CONSENT' })
    expect(await statusOf(consentId)).toBe('ACCEPTED')
  })
})

describe.each(banksOfEachKind([PRE_STEP], [INTEGRATED]))('the tokens of a consent at $bic', (at) => {
  it('without one to refresh them are used until their end', async () => {
    const { context } = gateway
    const consented = await payer.consentOf(at)
    const columns = 'partner_id as "partnerId", id, tokens_sealed as "tokensSealed", expires_at as "expiresAt"'
    const text = `select ${columns} from bank_tokens where id in ${TOKENS_OF}`
    const [stored = expect.fail('There are no tokens')] = await query<StoredTokens>(text, [consented.consentId])
    const tokens = { ...decryptTokens(context, stored), refreshToken: null }
    const inAMoment = { ...tokens, expiresAt: context.clock.real().add({ seconds: 50 }) }
    await updateTokens(context.database, encryptTokens(context, stored, inAMoment))
    expect(await useOf(consented)).not.toHaveLength(0)
    gateway.passWallTime(51)
    await expect(useOf(consented)).rejects.toMatchObject({ failure: 'INVALID_CONSENT' })
    expect(await statusOf(consented.consentId)).toBe('REVOKED')
  })

  it('that the bank no longer refreshes have ended the consent', async () => {
    const consented = await payer.consentOf(at)
    await bankEndsGrants()
    await hourPassed(consented.consentId)
    await expect(useOf(consented)).rejects.toMatchObject({ status: 400 })
    expect(await statusOf(consented.consentId)).toBe('REVOKED')
  })

  it('that the bank has ended end the consent at once', async () => {
    const consented = await payer.consentOf(at)
    await bankEndsGrants()
    await expect(useOf(consented)).rejects.toMatchObject({ failure: 'INVALID_CONSENT' })
    expect(await statusOf(consented.consentId)).toBe('REVOKED')
  })
})

describe('an authorisation server with unreadable answers', () => {
  it('is treated as an unavailable bank and not as an error of ours, and the consent stays accepted', async () => {
    const consentId = await consentAt(PRE_STEP)
    await hourPassed(consentId)
    const broken = `update bank_tokens set tokens_sealed = $2 where id in ${TOKENS_OF}`
    const [row] = await query<{ id: string; partner: string; sealed: Buffer }>(
      `select id, partner_id as partner, tokens_sealed as sealed from bank_tokens where id in ${TOKENS_OF}`,
      [consentId],
    )
    const { id, partner, sealed } = row ?? expect.fail('There are no tokens')
    const purpose = `bank tokens ${partner} ${id}`
    const tokens = JSON.parse(gateway.context.seal.open(sealed, purpose))
    const moved = { ...tokens, server: { ...tokens.server, issuer: `${tokens.server.issuer}/moved` } }
    await query(broken, [consentId, gateway.context.seal.seal(JSON.stringify(moved), purpose)])
    await expect(payer.order(PRE_STEP)).rejects.toMatchObject({ status: 503 })
    expect(await statusOf(consentId)).toBe('ACCEPTED')
    await query(broken, [consentId, sealed])
    await payer.order(PRE_STEP)
  })
})

describe('a payment’s own tokens', () => {
  it('that have ended end no consent, and no token of a consent goes along in their place', async () => {
    const paymentId = await signedPayment()
    await bankEndsGrants()
    await hourPassed(paymentId)
    const renewed = await acceptedWithoutBrowser(gateway, INTEGRATED.users[0], INTEGRATED)
    const cancelled = gateway.client.cancelPayment({ ...renewed, body: { paymentId, callbackUrl: CALLBACK } })
    await expect(cancelled).rejects.toMatchObject({ failure: 'INVALID_CONSENT' })
    expect(await tokensOf(paymentId)).toBe(0)
    expect(await statusOf(renewed.consentId)).toBe('ACCEPTED')
  })

  it('are refreshed when the bank rejects them before their hour is over', async () => {
    const paymentId = await signedPayment()
    const [stored] = await query<{ id: string }>('select bank_payment_id as id from payments where id = $1', [
      paymentId,
    ])
    await bank.postControl(`/payments/${stored?.id}/settle`)
    await bank.postControl('/tokens/expire', { bank: INTEGRATED.bic, kind: 'access' })
    await poll(paymentId)
    expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'Completed' })
    expect(await tokensOf(paymentId)).toBe(1)
  })

  it('are deleted when the bank still rejects them after that', async () => {
    const paymentId = await signedPayment()
    const consentId = await consentAt(INTEGRATED)
    await query("update sandbox_bank.oauth_grants set ended_at = now() where scope like 'PIS:%'")
    await poll(paymentId)
    expect(await tokensOf(paymentId)).toBe(0)
    expect(await statusOf(consentId)).toBe('ACCEPTED')
  })

  it('are deleted 90 days after the order became final, and not while something needs them', async () => {
    const [needed, ended] = [await signedPayment(), await signedPayment()]
    const final = (days: number) =>
      gateway.context.clock
        .now()
        .subtract({ hours: days * 24 })
        .toString()
    const purge = () => runSweepsUntilIdle([orderTokenRetentionSweep(gateway.context, listOrdersFinalBefore)])
    const ending = 'update payments set final_since = $2, poll_at = $3 where id = $1'
    await query(ending, [ended, final(89), null])
    await query(ending, [needed, final(91), final(-1)])
    await purge()
    expect([await tokensOf(needed), await tokensOf(ended)]).toEqual([1, 1])
    await query(ending, [ended, final(91), null])
    await purge()
    expect([await tokensOf(needed), await tokensOf(ended)]).toEqual([1, 0])
    expect(await tokensOf(await consentAt(INTEGRATED))).toBe(1)
  })
})

/** As the worker does when it is due. */
async function poll(paymentId: string): Promise<void> {
  await query('update payments set poll_at = $2 where id = $1', [paymentId, gateway.context.clock.now().toString()])
  await gateway.sweep()
}

async function signedPayment(): Promise<string> {
  const { paymentId } = await payer.order(INTEGRATED)
  await payer.sign(INTEGRATED, paymentId)
  expect(await tokensOf(paymentId)).toBe(1)
  return paymentId
}

/** Signed in at the bank; the browser has not loaded the callback URL. */
async function signedInAt({ bic, organizationNumber, users }: NordicBank): Promise<SignedIn> {
  const [userId] = users
  const body = { bic, organizationNumber, userId, callbackUrl: CALLBACK }
  const { id, sca } = await gateway.client.createConsent({ psu: PSU, body })
  const browser = openBrowser()
  const page = await browser.follow(await browser.post(sca.type === 'redirect' ? sca.url : '', {}))
  const out = await browser.post(page.href, { userId, decision: 'approve' })
  return { id, browser, back: new URL(out) }
}

type SignedIn = { readonly id: string; readonly browser: Browser; readonly back: URL }
