/** Calls a bank under a consent, and finds out whether the consent has ended when the bank rejects it or its tokens. */

import type { Bank } from '../banks/connector/bank.ts'
import { BankError, UnexplainedTokenRejection } from '../banks/connector/bank-error.ts'
import { isBankError, isConsentGone } from '../banks/connector/bank-error-classification.ts'
import type { BankCaller, BankConsentState } from '../banks/connector/connector.ts'
import type { Context } from '../context.ts'
import type { PsuSession } from '../platform/http/operations/served-operation.ts'
import { type Consent, isSameUser, requireBankConsentId } from './consent.ts'
import type { ConsentTransition } from './consent-schedule-store.ts'
import { findConsent, listConsentsInForce } from './consent-store.ts'
import { type BankTokenKey, deleteGrant, findTokens } from './tokens/bank-token-store.ts'
import { getBankAccessToken, renewRejectedToken } from './tokens/renew-bank-tokens.ts'
import { transitionConsent } from './transition-consent.ts'

/** On whose behalf a bank is called, and what for. */
export type BankCallerRequest = {
  readonly bank: Bank
  readonly consent: Consent
  /** The service of the standard that a call belongs to: accounts and consents (AIS), or orders and baskets (PIS). */
  readonly service: 'AIS' | 'PIS'
  /** Null when the user is not present. */
  readonly psu: PsuSession | null
  /** A payment that may have tokens from its own SCA. */
  readonly paymentId?: string
  /** The payments that the calls are about, which are logged with them. */
  readonly aboutPayments?: readonly string[]
}

/** The bank of a consent. Throws a `BankError` of kind `unavailable` while this installation does not serve it. */
export async function bankOfConsent({ banks }: Context, { bic }: Pick<Consent, 'bic'>): Promise<Bank> {
  const bank = await banks.find(bic)
  if (bank === undefined) {
    throw new BankError('unavailable', `The bank ${bic} is not available in this installation`)
  }
  return bank
}

/**
 * Calls the bank with a valid token, and again where `callWithPaymentTokens` does. Where the bank still rejects the token,
 * or the consent, it is asked for the consent, and its state recorded; the error is thrown.
 */
export async function callBank<Result>(
  context: Context,
  request: BankCallerRequest,
  call: (caller: BankCaller) => Promise<Result>,
): Promise<Result> {
  const work = async () => await call(await bankCallerOf(context, request))
  const { consent, paymentId: subjectId } = request
  try {
    return subjectId === undefined
      ? await work()
      : await callWithPaymentTokens(context, { partnerId: consent.partnerId, subjectId }, work)
  } catch (error) {
    if (isBankError(error, 'token-invalid', 'consent-invalid')) {
      await refreshRejectedConsent(context, request)
    }
    throw error
  }
}

/**
 * A rejected token has been renewed by then, and the renewed one rejected. The call may have begun before the payment had
 * its own tokens: they are deleted only when they are rejected, too, and the bank is called without them, since a bank that
 * rejects a token has done nothing. Tokens that another signature has stored since then stay.
 */
async function callWithPaymentTokens<Result>(
  context: Context,
  key: BankTokenKey,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const grant = isBankError(error, 'token-invalid') ? await findTokens(context.database, key) : undefined
    if (grant === undefined) {
      throw error
    }
    return await work().catch(async (again: unknown) => {
      if (!isBankError(again, 'token-invalid')) {
        throw again
      }
      await deleteGrant(context.database, grant)
      return await work()
    })
  }
}

/**
 * The user, company and access token of bank requests: the token of the payment's own SCA where there is one, otherwise
 * that of the consent, where it is valid for the call. Throws a `BankError` of kind `token-invalid` when the user must sign
 * in again.
 */
export async function bankCallerOf(context: Context, request: BankCallerRequest): Promise<BankCaller> {
  const { bank, consent, psu, paymentId, service, aboutPayments = [] } = request
  const { bankConsentId, id: consentId, organisationNumber, partnerId, userId } = consent
  const about = aboutPayments.length === 0 ? {} : { about: { partnerId, paymentIds: aboutPayments } }
  const caller = { bank, userId, organisationNumber, bankConsentId, psu, ...about }
  const subjectIds =
    bank.profile.oauth === 'none'
      ? []
      : [...(paymentId === undefined ? [] : [paymentId]), ...(usesConsentTokens(bank, service) ? [consentId] : [])]
  for (const subjectId of subjectIds) {
    const key = { partnerId, subjectId }
    const accessToken = await getBankAccessToken(context, bank, key, { isReplaceable: subjectId !== consentId })
    if (accessToken !== null) {
      return { ...caller, accessToken, renewAccessToken: (old) => renewRejectedToken(context, bank, key, old) }
    }
  }
  return { ...caller, accessToken: null }
}

/**
 * Where the SCA is the grant, the tokens of a consent are for its accounts only: a bank rejects an order that arrives
 * with one, whatever the user may do.
 */
export function usesConsentTokens({ profile }: Bank, service: BankCallerRequest['service']): boolean {
  return profile.oauth === 'pre-step' || (profile.oauth === 'integrated' && service === 'AIS')
}

/**
 * A token that the bank rejects even for the consent itself has ended that; at a bank without tokens such an answer says
 * nothing about it, and nowhere does one that names no error. The caller gets the bank's original error, even if this fails.
 */
async function refreshRejectedConsent(context: Context, { bank, consent }: BankCallerRequest): Promise<void> {
  const stored = await findConsent(context, consent)
  // Only a consent in force can be ended; before that its SCA session determines the outcome.
  if (stored?.status !== 'ACCEPTED') {
    return
  }
  try {
    await recordConsentState(context, await readerOf(context, bank, stored), stored)
  } catch (error) {
    const isExplained = isBankError(error, 'token-invalid') && !(error instanceof UnexplainedTokenRejection)
    if (isExplained && usesConsentTokens(bank, 'AIS')) {
      await recordEndedByBank(context, bank, stored)
      return
    }
    context.log.warn({ consentId: consent.id, error }, 'a consent that the bank rejected could not be read')
  }
}

/** Reads a consent in force at its bank, and ends it when the bank has ended it. Throws the bank's error. */
export async function refreshConsent(context: Context, bank: Bank, consent: Consent): Promise<void> {
  const request = { bank, consent, service: 'AIS', psu: null } as const
  await callBank(context, request, (caller) => recordConsentState(context, caller, consent))
}

/** A consent that the bank does not hold is revoked: banks delete ended consents. Throws the bank's error. */
export async function readConsentAtBank(context: Context, bank: Bank, consent: Consent): Promise<BankConsentState> {
  return await readConsent(context, await readerOf(context, bank, consent), consent)
}

async function readerOf(context: Context, bank: Bank, consent: Consent): Promise<BankCaller> {
  return await bankCallerOf(context, { bank, consent, service: 'AIS', psu: null })
}

async function readConsent({ banks }: Context, caller: BankCaller, consent: Consent): Promise<BankConsentState> {
  try {
    return await banks.connectorOf(caller.bank).consents.read(caller, requireBankConsentId(consent))
  } catch (error) {
    if (isConsentGone(error)) {
      return { state: 'revoked', validUntil: null, bankStatus: 'unknown' }
    }
    throw error
  }
}

type End = Pick<ConsentTransition, 'status' | 'statusReason'>

const endByState: Readonly<Record<BankConsentState['state'], End | null>> = {
  pending: null,
  valid: null,
  rejected: { status: 'REVOKED', statusReason: 'BANK' },
  revoked: { status: 'REVOKED', statusReason: 'BANK' },
  'revoked-by-user': { status: 'REVOKED', statusReason: 'USER' },
  expired: { status: 'EXPIRED' },
}

/** Changes the status when the bank reports that the consent has ended, with the reason if known. */
async function recordConsentState(context: Context, caller: BankCaller, consent: Consent): Promise<void> {
  const end = endByState[(await readConsent(context, caller, consent)).state]
  if (end?.statusReason === 'BANK') {
    await recordEndedByBank(context, caller.bank, consent)
  } else if (end !== null) {
    await transitionConsent(context, consent, { ...end, at: context.clock.now() })
  }
}

/**
 * Revokes a consent that its bank has ended without a reason; the reason is the replacement if the same user has a
 * newer one.
 */
async function recordEndedByBank(context: Context, bank: Bank, consent: Consent): Promise<void> {
  const statusReason = (await hasNewer(context, bank, consent)) ? 'REPLACED_BY_NEW_CONSENT' : 'BANK'
  await transitionConsent(context, consent, { status: 'REVOKED', statusReason, at: context.clock.now() })
}

/** Whether the same user has accepted a newer one, of any partner: to the bank we are one third party. */
async function hasNewer(context: Context, bank: Bank, consent: Consent): Promise<boolean> {
  if (bank.profile.consentReplacement === 'none') {
    return false
  }
  const inForce = await listConsentsInForce(context, { bic: bank.bic, organisationNumber: consent.organisationNumber })
  // For a consent in force, `updatedAt` is the time of acceptance.
  return inForce.some(
    (other) =>
      other.id !== consent.id &&
      isSameUser(other, consent) &&
      Temporal.Instant.compare(other.updatedAt, consent.updatedAt) >= 0,
  )
}
