/** Tests accepted consents and their end: polled every day, ends are detected, and tokens are revoked eventually. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { requirePartner } from '../auth/list-partners.ts'
import { revokePartnerAccess } from '../auth/revoke-partner-access.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import type { Context } from '../context.ts'
import { hasPolledPayments } from '../orders/store/polled-payment-store.ts'
import { runSweepsUntilIdle } from '../platform/jobs/sweep-runner.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedWithoutBrowser, openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { acceptedConsent, KARI, OLA } from '../testing/payments/sample-payments.ts'
import { acceptConsent } from './accept-consent.ts'
import type { Consent } from './consent.ts'
import { findConsent } from './consent-store.ts'
import { consentSweeps } from './jobs.ts'
import { detectReplacedConsents } from './poll-consent.ts'
import { revokeConsent } from './revoke-consent.ts'
import { transitionConsent } from './transition-consent.ts'

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
  await query('update banks set paused_until = null, failures = 0, failing_since = null')
})

async function query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, [...values])).rows
}

async function stateOf(consentId: string) {
  const { status, statusReason } = await gateway.client.getConsent({ consentId })
  return { status, statusReason }
}

async function found(consentId: string): Promise<Consent> {
  const [row] = await query<{ partner: string }>('select partner_id as partner from consents where id = $1', [
    consentId,
  ])
  return (
    (await findConsent(gateway.context, { partnerId: row?.partner ?? '', id: consentId })) ??
    expect.fail('The consent is not there')
  )
}

async function endAtBank(consentStatus: string): Promise<void> {
  await bank.postControl(`/consents/${(await bank.consents()).at(-1)?.consentId}/status`, { consentStatus })
}

/** The bank no longer knows it by its id. */
async function deleteAtBank(consentId: string): Promise<void> {
  const { partnerId } = await found(consentId)
  const sealed = gateway.context.seal.seal(crypto.randomUUID(), `consent bank consent ${partnerId} ${consentId}`)
  await query('update consents set bank_consent_id_sealed = $1 where id = $2', [sealed, consentId])
}

const aDay = () => passTime(gateway, 'P1DT1M')

describe('an unused consent', () => {
  it('is found within a day to have ended at its bank, and is revoked by the bank where that has deleted it', async () => {
    const ends = [
      ['revokedByPsu', { status: 'REVOKED', statusReason: 'USER' }],
      ['terminatedByTpp', { status: 'REVOKED', statusReason: 'BANK' }],
      ['rejected', { status: 'REVOKED', statusReason: 'BANK' }],
      ['expired', { status: 'EXPIRED', statusReason: undefined }],
      ['deleted', { status: 'REVOKED', statusReason: 'BANK' }],
    ] as const
    // Of a user and a bank each: a newer one would replace it.
    const ofUsers = [KARI, OLA].flatMap((user) =>
      ['FJORNO22', 'FJELNO22', 'VSKYNO22'].map((bic) => [user, bic] as const),
    )
    const accepted: { readonly consentId: string; readonly atBank: string | undefined }[] = []
    for (const [user, bic] of ofUsers.slice(0, ends.length)) {
      const { consentId } = await acceptedConsent(gateway, user, { bic })
      accepted.push({ consentId, atBank: (await bank.consents()).at(-1)?.consentId })
    }
    // An acceptance has older consents of the user polled.
    await gateway.sweep()
    const ended = accepted.map(({ consentId, atBank }, n) => [consentId, atBank, ...(ends[n] ?? [])] as const)
    for (const [consentId, atBank, word] of ended) {
      await (word === 'deleted'
        ? deleteAtBank(consentId)
        : bank.postControl(`/consents/${atBank}/status`, { consentStatus: word }))
    }
    await gateway.sweep()
    for (const [consentId, , word] of ended) {
      expect(await stateOf(consentId), word).toMatchObject({ status: 'ACCEPTED' })
    }
    await aDay()
    for (const [consentId, , word, state] of ended) {
      expect(await stateOf(consentId), word).toEqual(state)
    }
  })

  it('stays accepted while its bank is unavailable, and is polled again when the bank is back', async () => {
    const { consentId } = await acceptedConsent(gateway, OLA)
    await endAtBank('revokedByPsu')
    await bank.injectFault({ operation: '*', effect: 'down' })
    await aDay()
    expect(await stateOf(consentId)).toMatchObject({ status: 'ACCEPTED' })
    await bank.clearFaults()
    await passTime(gateway, 'PT2H')
    expect(await stateOf(consentId)).toMatchObject({ status: 'REVOKED' })
  })

  it('of a partner that was disabled is revoked within a day, also at its bank', async () => {
    const { context } = gateway
    const { consentId } = await acceptedConsent(await gateway.otherPartner(), OLA)
    const { partnerId } = await found(consentId)
    await revokePartnerAccess(context, 'test', await requirePartner(context, partnerId))
    await aDay()
    await gateway.sweep()
    expect(await found(consentId)).toMatchObject({ status: 'REVOKED', statusReason: 'PARTNER' })
    expect((await bank.consents()).at(-1)?.consentStatus).toBe('terminatedByTpp')
  })
})

describe('at a bank that issues no tokens', () => {
  const CODES = ['TOKEN_INVALID', 'TOKEN_UNKNOWN', 'TOKEN_EXPIRED', null]

  it('a rejection with 401 leaves the consent as the bank reports it, whatever the code', async () => {
    const consented = await acceptedConsent(gateway, OLA)
    const rejected = async (code: string | null) => {
      await bank.injectFault({ operation: 'getAccounts', effect: 'status', status: 401, code, times: 1 })
      await expect(gateway.client.listAccounts(consented), `${code}`).rejects.toMatchObject({
        failure: 'INVALID_CONSENT',
      })
      return await stateOf(consented.consentId)
    }
    for (const code of CODES) {
      expect(await rejected(code), `${code}`).toMatchObject({ status: 'ACCEPTED' })
      expect((await gateway.client.listAccounts(consented)).accounts).not.toHaveLength(0)
    }
    await endAtBank('revokedByPsu')
    for (const code of CODES) {
      // The state before Havn has detected the end.
      await query("update consents set status = 'ACCEPTED', status_reason = null where id = $1", [consented.consentId])
      expect(await rejected(code), `${code}`).toEqual({ status: 'REVOKED', statusReason: 'USER' })
    }
  })

  it('a bank that rejects every call with 401 ends no consent, and one that has ended is revoked there later', async () => {
    const consented = await acceptedConsent(gateway, OLA)
    await bank.injectFault({ operation: '*', effect: 'status', status: 401, code: 'TOKEN_INVALID' })
    await aDay()
    expect(await stateOf(consented.consentId)).toMatchObject({ status: 'ACCEPTED' })
    await gateway.client.revokeConsent(consented)
    await gateway.sweep()
    await bank.clearFaults()
    await passTime(gateway, 'PT6H')
    expect((await bank.consents()).at(-1)?.consentStatus).toBe('terminatedByTpp')
  })
})

describe('of two consents of one user', () => {
  it('the one that was accepted here last, and ended at the bank meanwhile, is detected by its own acceptance', async () => {
    const first = await acceptedConsent(gateway, OLA)
    const newer = await acceptedConsent(gateway, OLA)
    // The state when both were accepted at the same time: the newer one did not see the first one as accepted.
    await query("update consents set status = 'ACCEPTED', status_reason = null where id = $1", [first.consentId])
    const consent = await found(first.consentId)
    const at = (await gateway.context.banks.find(consent.bic)) ?? expect.fail('The bank is not there')
    await detectReplacedConsents(gateway.context, at, { ...consent, updatedAt: gateway.context.clock.now() })
    expect(await stateOf(first.consentId)).toMatchObject({ status: 'REVOKED' })
    expect(await stateOf(newer.consentId)).toMatchObject({ status: 'ACCEPTED' })
  })

  it('the older one reports that it was replaced, whichever process detects it', async () => {
    const older = await acceptedConsent(gateway, OLA)
    const theirs = await gateway.otherPartner()
    await acceptedConsent(theirs, OLA)
    await query("update consents set status = 'ACCEPTED', status_reason = null where id = $1", [older.consentId])
    await query('update consents set updated_at = created_at where id = $1', [older.consentId])
    await expect(gateway.client.listAccounts(older)).rejects.toMatchObject({ failure: 'INVALID_CONSENT' })
    expect(await stateOf(older.consentId)).toEqual({ status: 'REVOKED', statusReason: 'REPLACED_BY_NEW_CONSENT' })
  })
})

describe('of concurrent ends and acceptances of a consent', () => {
  it('one wins, and the others change nothing', async () => {
    const consented = await acceptedConsent(gateway, OLA)
    await endAtBank('revokedByPsu')
    const answers = await Promise.allSettled([
      gateway.client.revokeConsent(consented),
      gateway.client.revokeConsent(consented),
      gateway.client.listAccounts(consented),
      gateway.client.listAccounts(consented),
    ])
    const { status, statusReason } = await stateOf(consented.consentId)
    expect([status, ['PARTNER', 'USER'].includes(statusReason ?? '')]).toEqual(['REVOKED', true])
    const reported = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.failure] : []))
    expect(new Set(reported)).toEqual(new Set(['INVALID_CONSENT']))
    const audits = await query("select from audit_log where subject_id = $1 and action = 'consent revoked'", [
      consented.consentId,
    ])
    expect(audits).toHaveLength(statusReason === 'PARTNER' ? 1 : 0)
    await acceptConsent(gateway.context, await found(consented.consentId))
    expect(await stateOf(consented.consentId)).toEqual({ status, statusReason })
  })

  it('exactly one transition happens, of several on as many connections', async () => {
    const consent = await found((await acceptedConsent(gateway, OLA)).consentId)
    const at = gateway.context.clock.now()
    const ends = [
      { status: 'EXPIRED', at },
      { status: 'REVOKED', statusReason: 'USER', at },
      { status: 'REVOKED', statusReason: 'PARTNER', at, revokeAt: at },
    ] as const
    const moved = await Promise.all(ends.map((end) => transitionConsent(gateway.context, consent, end)))
    expect(moved.filter((isMoved) => isMoved)).toHaveLength(1)
    const winner = ends[moved.indexOf(true)]
    const statusReason = winner !== undefined && 'statusReason' in winner ? winner.statusReason : undefined
    expect(await stateOf(consent.id)).toEqual({ status: winner?.status, statusReason })
    const waiting = 'select from consents where id = $1 and (due_at is not null or refresh_at is not null)'
    expect(await query(waiting, [consent.id])).toEqual([])
  })

  it('it is revoked together with the entry in the audit log, or not at all', async () => {
    const consent = await found((await acceptedConsent(gateway, OLA)).consentId)
    const unstorable = 'client \0'
    await expect(revokeConsent(gateway.context, { consent, actor: unstorable })).rejects.toThrow()
    expect(await stateOf(consent.id)).toMatchObject({ status: 'ACCEPTED' })
  })

  it('an acceptance that lost stores no accounts', async () => {
    const { consentId } = await acceptedConsent(gateway, OLA)
    const consent = await found(consentId)
    await query("update consents set status = 'CANCELLED' where id = $1", [consentId])
    await query('delete from consent_accounts where consent_id = $1', [consentId])
    await acceptConsent(gateway.context, { ...consent, status: 'AUTHORIZATION_REQUIRED' })
    expect(await stateOf(consentId)).toMatchObject({ status: 'CANCELLED' })
    expect(await query('select from consent_accounts where consent_id = $1', [consentId])).toEqual([])
  })
})

describe('the tokens of a consent that has ended', () => {
  const tokens = async (consentId: string) =>
    (await query('select from bank_token_subjects where subject_id = $1', [consentId])).length
  const openGrants = async (bic: string) =>
    (await query('select from sandbox_bank.oauth_grants where bank = $1 and ended_at is null', [bic])).length

  it('are revoked at the bank, which then accepts none of them, and deleted here', async () => {
    await query('update sandbox_bank.oauth_grants set ended_at = created_at')
    const consented = await acceptedWithoutBrowser(gateway, PRE_STEP.users[0], PRE_STEP)
    expect([await tokens(consented.consentId), await openGrants(PRE_STEP.bic)]).toEqual([1, 1])
    await gateway.client.revokeConsent(consented)
    await gateway.sweep()
    expect((await bank.consents()).at(-1)).toMatchObject({ consentStatus: 'terminatedByTpp' })
    expect([await tokens(consented.consentId), await openGrants(PRE_STEP.bic)]).toEqual([0, 0])
  })

  it('are deleted and not revoked while their user has another consent, which stays valid', async () => {
    await query('update sandbox_bank.oauth_grants set ended_at = created_at')
    const older = await acceptedWithoutBrowser(gateway, PRE_STEP.users[0], PRE_STEP)
    const newer = await acceptedWithoutBrowser(gateway, PRE_STEP.users[0], PRE_STEP)
    await gateway.client.revokeConsent(older).catch(() => undefined)
    await gateway.sweep()
    expect(await stateOf(older.consentId)).toMatchObject({ status: 'REVOKED' })
    expect([await tokens(older.consentId), await openGrants(PRE_STEP.bic)]).toEqual([0, 2])
    expect((await gateway.client.listAccounts(newer)).accounts.length).toBeGreaterThan(1)
    await gateway.client.revokeConsent(newer)
  })

  it('are deleted at a bank without token revocation', async () => {
    const consented = await acceptedWithoutBrowser(gateway, INTEGRATED.users[0], INTEGRATED)
    await gateway.client.revokeConsent(consented)
    await gateway.sweep()
    expect(await tokens(consented.consentId)).toBe(0)
  })

  it('are stored as long as a payment is polled with them', async () => {
    const consented = await payer.consentOf(PRE_STEP)
    const { paymentId } = await payer.order(PRE_STEP)
    await payer.sign(PRE_STEP, paymentId)
    await gateway.client.revokeConsent(consented)
    await gateway.sweep()
    expect(await tokens(consented.consentId)).toBe(1)
    expect((await payer.settled(paymentId)).status).toBe('Completed')
    await query('update payments set poll_at = null where id = $1', [paymentId])
    await aDay()
    expect(await tokens(consented.consentId)).toBe(0)
  })

  it('are retried while the bank is unavailable, and deleted in the end', async () => {
    const consented = await acceptedWithoutBrowser(gateway, PRE_STEP.users[0], PRE_STEP)
    await gateway.client.revokeConsent(consented)
    let tries = 0
    const away = awayForGrants(() => {
      tries += 1
    })
    const retry = async () => {
      await query('update consents set token_release_at = updated_at where id = $1 and token_release_at is not null', [
        consented.consentId,
      ])
      await runSweepsUntilIdle(consentSweeps(away, hasPolledPayments))
      return await tokens(consented.consentId)
    }
    expect(await retry()).toBe(1)
    // As after eighteen attempts, of twenty.
    await query('update consents set token_release_attempts = 18 where id = $1', [consented.consentId])
    expect([await retry(), await retry(), await retry()]).toEqual([1, 0, 0])
    expect(tries).toBe(3)
  })

  function awayForGrants(tried: () => void): Context {
    const { banks } = gateway.context
    const connectorOf: Context['banks']['connectorOf'] = (at) => {
      const connector = banks.connectorOf(at)
      const revokeGrant = async () => {
        tried()
        throw new BankError('unavailable', 'The server is away')
      }
      return connector.oauth === undefined ? connector : { ...connector, oauth: { ...connector.oauth, revokeGrant } }
    }
    return { ...gateway.context, banks: { ...banks, connectorOf } }
  }
})
