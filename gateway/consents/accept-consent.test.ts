/** Tests the lifecycle of a consent: decision, deadlines, end here and at the bank, and encryption. */
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { HavnClient } from '../../sdk/index.ts'
import { findLatestScaSession } from '../authorisations/find-sca-sessions.ts'
import { tryRefreshScaSession } from '../authorisations/refresh-sca-session.ts'
import type { Context } from '../context.ts'
import { runSweepsUntilIdle } from '../platform/jobs/sweep-runner.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { openBrowser, visitBank } from '../testing/browser/bank-user.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, KARI, OLA, PSU } from '../testing/payments/sample-payments.ts'
import { consentScaSubject } from './consent-sca-subject.ts'
import { consentSweeps } from './jobs.ts'

let gateway: TestGateway
let bank: SandboxBankControl
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
})
afterAll(() => gateway.close())
beforeEach(async () => {
  await bank.clearFaults()
  await gateway.context.database.pool.query('update banks set paused_until = null, failures = 0, failing_since = null')
})

async function startedConsent(userId = KARI): Promise<{ consentId: string; url: string }> {
  const body = { bic: 'FJORNO22', organizationNumber: '987654325', userId, callbackUrl: CALLBACK }
  const { id, sca } = await gateway.client.createConsent({ psu: PSU, body })
  return { consentId: id, url: sca.type === 'redirect' ? sca.url : '' }
}

async function stateOf(consentId: string, client: HavnClient = gateway.client) {
  const { status, statusReason } = await client.getConsent({ consentId })
  return { status, statusReason }
}

/** Where the installation serves no bank. */
function withoutBanks(): Context {
  return { ...gateway.context, banks: { ...gateway.context.banks, find: async () => undefined } }
}

/** The user has signed at the bank; the browser returns when the result is called. */
async function signedInBrowser(url: string): Promise<() => Promise<URL>> {
  const browser = openBrowser()
  await browser.get(url)
  const page = await browser.post(url, {})
  await browser.post(page, { userId: KARI })
  const back = await browser.post(page, { decision: 'approve' })
  return () => browser.follow(back)
}

describe('the user’s decision', () => {
  it.each([
    ['approve', 'success', { status: 'ACCEPTED', statusReason: undefined }],
    ['reject', 'rejected', { status: 'REJECTED', statusReason: 'USER' }],
    ['cancel', 'cancelled', { status: 'CANCELLED', statusReason: undefined }],
  ] as const)('%s at the bank is %s for the partner', async (decision, reported, state) => {
    const { consentId, url } = await startedConsent()
    expect((await visitBank(url, { decision })).searchParams.get('status')).toBe(reported)
    expect(await stateOf(consentId)).toEqual(state)
  })

  it('before the bank, on our own page, is cancelled', async () => {
    const { consentId, url } = await startedConsent()
    const answer = await fetch(`${url}/leave`, { method: 'POST', redirect: 'manual' })
    expect(answer.headers.get('location')).toBe(`${CALLBACK}?status=cancelled`)
    expect(await stateOf(consentId)).toMatchObject({ status: 'CANCELLED' })
  })

  it('is awaited while its bank is not served here', async () => {
    const { consentId, url } = await startedConsent()
    await openBrowser().post(url, {})
    const { context } = gateway
    const text = 'select partner_id as "partnerId" from consents where id = $1'
    const { rows } = await context.database.pool.query<{ partnerId: string }>(text, [consentId])
    const subject = { partnerId: rows[0]?.partnerId ?? '', kind: 'consent', subjectId: consentId } as const
    const session = (await findLatestScaSession(context, subject)) ?? expect.fail('There is no SCA session')
    const refreshed = await tryRefreshScaSession(withoutBanks(), consentScaSubject, session)
    expect([refreshed.at, await stateOf(consentId)]).toMatchObject(['open', { status: 'AUTHORIZATION_REQUIRED' }])
  })

  it('is not success when the bank rejects what the user has signed', async () => {
    const { consentId, url } = await startedConsent()
    const browser = openBrowser()
    await browser.post(url, {})
    const held = (await bank.consents()).at(-1)
    const signed = await bank.postControl(`/authorisations/${held?.authorisations.at(-1)?.authorisationId}/sign`)
    await bank.postControl(`/consents/${held?.consentId}/status`, { consentStatus: 'rejected' })
    const { redirect } = Value.Parse(Type.Object({ redirect: Type.String() }), signed)
    expect((await browser.follow(redirect)).searchParams.get('status')).toBe('rejected')
    expect(await stateOf(consentId)).toEqual({ status: 'REJECTED', statusReason: 'BANK' })
  })

  it.each([
    [403, 'at once', 'PT0S'],
    [500, 'once the time of the user is over', 'PT16M'],
  ])('counts where the bank answers %s instead of the accounts, %s', async (status, _when, time) => {
    const { consentId, url } = await startedConsent()
    await bank.injectFault({ operation: 'getAccounts', effect: 'status', status })
    await (await signedInBrowser(url))()
    await passTime(gateway, time)
    expect(await stateOf(consentId)).toMatchObject({ status: 'ACCEPTED' })
  })

  it('does not count where the bank does not let the consent be read in time, and is deleted there', async () => {
    const { consentId, url } = await startedConsent()
    const comeBack = await signedInBrowser(url)
    await bank.injectFault({ operation: 'getConsent', effect: 'status', status: 401, code: 'TOKEN_INVALID' })
    await comeBack()
    expect(await stateOf(consentId)).toMatchObject({ status: 'AUTHORIZATION_REQUIRED' })
    await passTime(gateway, 'PT16M')
    expect(await stateOf(consentId)).toMatchObject({ status: 'CANCELLED' })
    expect((await bank.consents()).at(-1)).toMatchObject({ consentStatus: 'terminatedByTpp' })
  })

  it('does not count when no browser returns in time: it may be another person’s, and is deleted at the bank', async () => {
    const { consentId, url } = await startedConsent()
    await openBrowser().post(url, {})
    const atTheBank = (await bank.consents()).at(-1)
    await bank.postControl(`/authorisations/${atTheBank?.authorisations.at(-1)?.authorisationId}/sign`)
    await passTime(gateway, 'PT16M')
    expect(await stateOf(consentId)).toMatchObject({ status: 'CANCELLED' })
    expect((await bank.consents()).at(-1)).toMatchObject({ consentStatus: 'terminatedByTpp' })
  })

  it('counts although no browser has used the link: no user was redirected to the bank by it', async () => {
    const { consentId } = await startedConsent()
    const atTheBank = (await bank.consents()).at(-1)
    await bank.postControl(`/authorisations/${atTheBank?.authorisations.at(-1)?.authorisationId}/sign`)
    await passTime(gateway, 'PT16M')
    expect(await stateOf(consentId)).toMatchObject({ status: 'ACCEPTED' })
  })

  it('is awaited where the bank requires no signature: unconfirmed, it is cancelled, and is deleted at the bank', async () => {
    const { consentId } = await startedConsent()
    const exempted = "update sca_steps set state = 'exempt', approach = 'none' where target_id = $1"
    await gateway.context.database.pool.query(exempted, [consentId])
    const valid = (await bank.consents()).at(-1)
    await bank.postControl(`/authorisations/${valid?.authorisations.at(-1)?.authorisationId}/sign`)
    await passTime(gateway, 'PT16M')
    expect(await stateOf(consentId)).toMatchObject({ status: 'CANCELLED' })
    expect((await bank.consents()).at(-1)).toMatchObject({ consentStatus: 'terminatedByTpp' })
  })
})

describe('a deadline', () => {
  it('cancels an undecided consent after fifteen minutes, not before', async () => {
    const { consentId, url } = await startedConsent()
    await passTime(gateway, 'PT14M')
    expect(await stateOf(consentId)).toMatchObject({ status: 'AUTHORIZATION_REQUIRED' })
    await passTime(gateway, 'PT1M30S')
    expect(await stateOf(consentId)).toEqual({ status: 'CANCELLED', statusReason: undefined })
    expect((await fetch(url)).status).toBe(410)
  })

  it('expires an accepted consent at validUntil, and rejects its use with the reason', async () => {
    const consent = await acceptedConsent(gateway)
    const end = gateway.context.clock.now().add({ hours: 48 })
    // The bank's end would be half a year ahead, in which each day has its stop.
    await gateway.context.database.pool.query('update consents set valid_until = $2, due_at = now() where id = $1', [
      consent.consentId,
      end.toString(),
    ])
    await gateway.client.moveSandboxClock({ body: { set: end.subtract({ minutes: 2 }).toString() } })
    expect(await stateOf(consent.consentId)).toMatchObject({ status: 'ACCEPTED' })
    await gateway.client.moveSandboxClock({ body: { set: end.toString() } })
    expect(await stateOf(consent.consentId)).toMatchObject({ status: 'EXPIRED' })
    const { updatedAt } = await gateway.client.getConsent(consent)
    // The clock stops at its end, and goes on while a busy machine processes what is due.
    const late = Temporal.Instant.from(updatedAt).since(end).total('seconds')
    expect(late).toBeGreaterThanOrEqual(0)
    expect(late).toBeLessThan(10)
    await expect(gateway.client.listAccounts(consent)).rejects.toMatchObject({
      status: 400,
      failure: 'INVALID_CONSENT',
      message: expect.stringContaining('EXPIRED'),
    })
  })
})

describe('revoking', () => {
  it('takes effect here at once, and at the bank with the next sweep once that is available', async () => {
    const consent = await acceptedConsent(gateway)
    await bank.injectFault({ operation: 'deleteConsent', effect: 'drop-request' })
    await gateway.client.revokeConsent(consent)
    expect(await stateOf(consent.consentId)).toEqual({ status: 'REVOKED', statusReason: 'PARTNER' })
    await expect(gateway.client.listAccounts(consent)).rejects.toMatchObject({ failure: 'INVALID_CONSENT' })
    await gateway.client.moveSandboxClock({ body: { advance: 'PT1H' } })
    expect((await bank.consents()).at(-1)).toMatchObject({ consentStatus: 'valid' })
    expect(await stateOf(consent.consentId)).toMatchObject({ status: 'REVOKED' })
    await bank.clearFaults()
    await passTime(gateway, 'PT1H')
    expect((await bank.consents()).at(-1)).toMatchObject({ consentStatus: 'terminatedByTpp' })
    const { rows } = await gateway.context.database.pool.query(
      'select revoke_at as again, revoke_attempts as attempts from consents where id = $1',
      [consent.consentId],
    )
    expect(rows[0]).toMatchObject({ again: null })
    expect(rows[0]?.attempts).toBeGreaterThan(2)
  })
})

describe('a newer consent of the same user', () => {
  it('ends the older one, of the same partner or of another, and only that of the same user', async () => {
    const { client } = await gateway.otherPartner()
    const ofOla = await acceptedConsent(gateway, OLA)
    const theirs = await acceptedConsent({ client })
    const older = await acceptedConsent(gateway)
    // Another partner is notified of the reason and nothing else.
    const replaced = { status: 'REVOKED', statusReason: 'REPLACED_BY_NEW_CONSENT' }
    expect(await stateOf(theirs.consentId, client)).toEqual(replaced)
    const newer = await acceptedConsent(gateway)
    expect(await stateOf(older.consentId)).toEqual(replaced)
    expect(await stateOf(newer.consentId)).toMatchObject({ status: 'ACCEPTED' })
    expect(await stateOf(ofOla.consentId)).toMatchObject({ status: 'ACCEPTED' })
  })

  it('is accepted although the older one could not be read', async () => {
    const older = await acceptedConsent(gateway)
    const { url, consentId } = await startedConsent()
    await gateway.context.database.pool.query('update consents set bank_consent_id_sealed = $1 where id = $2', [
      gateway.context.seal.seal('nowhere', `consent bank consent ${await partnerId()} ${older.consentId}`),
      older.consentId,
    ])
    await visitBank(url)
    expect(await stateOf(consentId)).toMatchObject({ status: 'ACCEPTED' })
  })

  async function partnerId(): Promise<string> {
    const { rows } = await gateway.context.database.pool.query<{ id: string }>(
      "select id from partners where name = 'Demo partner'",
    )
    return rows[0]?.id ?? ''
  }
})

describe('a change of a consent at the bank', () => {
  it.each([
    ['revokedByPsu', { status: 'REVOKED', statusReason: 'USER' }],
    ['terminatedByTpp', { status: 'REVOKED', statusReason: 'BANK' }],
    ['expired', { status: 'EXPIRED', statusReason: undefined }],
  ])('is detected when the consent is next used: %s', async (word, state) => {
    const consent = await acceptedConsent(gateway)
    await endAtBank(word)
    await expect(gateway.client.listAccounts(consent)).rejects.toMatchObject({ failure: 'INVALID_CONSENT' })
    expect(await stateOf(consent.consentId)).toEqual(state)
  })

  it('is detected for the older ones although the process crashed right after the newer one was stored', async () => {
    const older = await acceptedConsent(gateway)
    await endAtBank('terminatedByTpp')
    const newer = await acceptedConsent(gateway, OLA)
    const { pool } = gateway.context.database
    await pool.query("update consents set status = 'ACCEPTED', status_reason = null where id = $1", [older.consentId])
    await pool.query('update consents set due_at = accepted_at where id = $1', [newer.consentId])
    await gateway.sweep()
    expect(await stateOf(older.consentId)).toEqual({ status: 'REVOKED', statusReason: 'BANK' })
    expect(await stateOf(newer.consentId)).toMatchObject({ status: 'ACCEPTED' })
  })

  it.each(['terminatedByTpp', 'deleted'])('ends a consent that was signed and is %s at the bank', async (word) => {
    const { consentId, url } = await startedConsent()
    const comeBack = await signedInBrowser(url)
    await (word === 'deleted'
      ? bank.injectFault({ operation: 'getConsent', effect: 'status', status: 403, code: 'CONSENT_UNKNOWN' })
      : endAtBank(word))
    await comeBack()
    expect(await stateOf(consentId)).toEqual({ status: 'REJECTED', statusReason: 'BANK' })
  })

  it('does not stop a revocation: a bank that is unavailable for a while gets it later', async () => {
    const consent = await acceptedConsent(gateway)
    const { pool } = gateway.context.database
    await gateway.client.revokeConsent(consent)
    await runSweepsUntilIdle(consentSweeps(withoutBanks(), async () => false))
    const { rows } = await pool.query('select revoke_at as again from consents where id = $1', [consent.consentId])
    expect(rows[0]?.again).not.toBeNull()
    await passTime(gateway, 'PT10M')
    expect((await bank.consents()).at(-1)).toMatchObject({ consentStatus: 'terminatedByTpp' })
  })

  async function endAtBank(consentStatus: string): Promise<void> {
    const newest = (await bank.consents()).at(-1)
    await bank.postControl(`/consents/${newest?.consentId}/status`, { consentStatus })
  }
})

describe('the user’s id and the bank’s consent id', () => {
  it('are encrypted: no column of any table contains them, as text or as bytes', async () => {
    await acceptedConsent(gateway)
    const { pool } = gateway.context.database
    const { rows: tables } = await pool.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    )
    const texts = await Promise.all(
      tables.map(async ({ name }) => (await pool.query<{ row: string }>(`select t::text as row from ${name} t`)).rows),
    )
    const everything = texts
      .flat()
      .map(({ row }) => row)
      .join('\n')
    const ids = [KARI, ...(await bank.consents()).map(({ consentId }) => consentId)]
    expect(ids.length).toBeGreaterThan(1)
    expect(everything).toContain('•••••••••45')
    const found = ids.flatMap((id) => [id, Buffer.from(id).toString('hex')]).filter((id) => everything.includes(id))
    expect(found).toEqual([])
    expect(ids.filter((id) => gateway.logLines().join('').includes(id))).toEqual([])
  })
})
