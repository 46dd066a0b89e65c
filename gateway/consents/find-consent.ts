/** Finds a consent for the rooms that act at its bank. */
import type { Context } from '../context.ts'
import type { Consent } from './consent.ts'
import { findConsent } from './consent-store.ts'

/** The consent, whatever its status; undefined when there is none. */
export async function consentOf(
  context: Pick<Context, 'database' | 'seal'>,
  key: { readonly partnerId: string; readonly consentId: string },
): Promise<Consent | undefined> {
  return await findConsent(context, { partnerId: key.partnerId, id: key.consentId })
}
