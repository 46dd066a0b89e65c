/** Finds a consent for the modules that act at its bank. */
import type { Context } from '../context.ts'
import type { Consent } from './consent.ts'
import { findConsent, listConsentsInForce } from './consent-store.ts'

type Key = { readonly partnerId: string; readonly consentId: string }

/** The consent, whatever its status; undefined when there is none. */
export async function consentOf(
  context: Pick<Context, 'database' | 'seal'>,
  { partnerId, consentId }: Key,
): Promise<Consent | undefined> {
  return await findConsent(context, { partnerId, id: consentId })
}

/**
 * The consent while it is in force, then the same user's newest one that is: operations continue under the renewal. The
 * ended consent if there is none.
 */
export async function activeConsentOf(
  context: Pick<Context, 'database' | 'seal'>,
  key: Key,
): Promise<Consent | undefined> {
  const consent = await consentOf(context, key)
  if (consent === undefined || consent.status === 'ACCEPTED') {
    return consent
  }
  const inForce = await listConsentsInForce(context, consent)
  return inForce.find(({ userId }) => userId === consent.userId) ?? consent
}

/** The consents in force of a partner at a bank for a company, newest first. */
export async function consentsInForce(
  context: Pick<Context, 'database' | 'seal'>,
  filter: Pick<Consent, 'partnerId' | 'bic' | 'countryCode' | 'organisationNumber'>,
): Promise<readonly Consent[]> {
  return await listConsentsInForce(context, filter)
}

/** The consents in force of all partners, or those at one bank, newest first. */
export async function allConsentsInForce(
  context: Pick<Context, 'database' | 'seal'>,
  bic?: string,
): Promise<readonly Consent[]> {
  return await listConsentsInForce(context, bic === undefined ? {} : { bic })
}
