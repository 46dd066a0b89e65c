/** Reads a consent in force at its bank, and takes it out of force when the bank has ended it. */
import type { ConsentStatus, ConsentStatusReason } from '../../contract/consents.ts'
import type { Bank } from '../banks/bank.ts'
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { BankConsentState } from '../banks/connector.ts'
import type { Context } from '../context.ts'
import { callerAtBank } from './caller-at-bank.ts'
import { type Consent, heldConsentId } from './consent.ts'
import { moveConsent } from './consent-store.ts'
import { withLiveTokens } from './with-live-tokens.ts'

type End = { readonly status: ConsentStatus; readonly statusReason?: ConsentStatusReason }

const endByState: Readonly<Record<BankConsentState['state'], End | null>> = {
  pending: null,
  valid: null,
  rejected: { status: 'REVOKED', statusReason: 'BANK' },
  revoked: { status: 'REVOKED', statusReason: 'BANK' },
  expired: { status: 'EXPIRED' },
}

/** Moves the consent when the bank says that it has ended; `because` is the reason when it is known. */
export async function checkAtBank(
  context: Context,
  bank: Bank,
  consent: Consent,
  because?: ConsentStatusReason,
): Promise<void> {
  const caller = await callerAtBank(context, { bank, consent, psu: null })
  const { state } = await context.banks.connectorOf(bank).consents.read(caller, heldConsentId(consent))
  const end = endByState[state]
  if (end !== null) {
    const reason = end.statusReason === undefined ? {} : { statusReason: because ?? end.statusReason }
    await moveConsent(context.database.query, consent, { status: end.status, ...reason, at: context.clock.now() })
  }
}

/** Does something at the bank with a consent; when the bank says that the consent is no good, its state is read; one whose tokens have ended has ended. */
export async function withConsentAtBank<Result>(
  context: Context,
  bank: Bank,
  consent: Consent,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await withLiveTokens(context, { partnerId: consent.partnerId, consentId: consent.id }, work)
  } catch (error) {
    if (error instanceof BankRefusal && error.kind === 'consent-invalid') {
      await checkAtBank(context, bank, consent).catch((reason: unknown) => {
        context.log.warn({ consentId: consent.id, error: reason }, 'a consent that the bank refused could not be read')
      })
    }
    throw error
  }
}
