/** Takes consents through signing: begins and reads their authorisation, and takes the outcome. */
import type { ConsentStatus } from '../../contract/consents.ts'
import type { BankConsentState } from '../banks/connector/bank-consent.ts'
import { BankRefusal, type BankRefusalKind } from '../banks/connector/bank-error.ts'
import type { BankCaller, ConsentProduct } from '../banks/connector/connector.ts'
import { requireBank } from '../banks/directory/require-bank.ts'
import type { Context } from '../context.ts'
import type { PsuSession } from '../platform/http/operations/psu-session.ts'
import { latestSigning } from '../signing/find-signing.ts'
import {
  consentIdOf,
  type ForgottenState,
  isSigned,
  type Signing,
  type SigningKind,
  type SigningOutcome,
} from '../signing/signing.ts'
import { acceptConsent } from './accept-consent.ts'
import { callerAtBank } from './caller-at-bank.ts'
import { type Consent, cameToNothing, heldConsentId } from './consent.ts'
import { noteRevocation } from './consent-schedule-store.ts'
import { findConsent } from './consent-store.ts'
import { keepConsentTokens } from './consent-tokens.ts'
import { moveConsent } from './consent-transition-store.ts'
import { atBankOrAsked } from './request-bank-consent.ts'
import { partiesTo } from './sca-parties.ts'
import { beginSignIn, completeSignIn, readSignIn } from './tokens/bank-sign-in.ts'

/** Whether somebody left or the time passed is not told apart: `CANCELLED` carries no reason. */
const changeByOutcome = {
  rejected: { status: 'REJECTED', statusReason: 'USER' },
  cancelled: { status: 'CANCELLED' },
} as const

/** How consents take part in signing; a consent that is not kept yet is given. */
export function consentSigning(unkept?: Consent): SigningKind {
  const load = async (context: Context, signing: Pick<Signing, 'partnerId' | 'consentId'>) =>
    unkept?.id === signing.consentId ? unkept : await requireKept(context, signing.partnerId, consentIdOf(signing))
  return {
    begin: async (context, signing, { targetType }, asked) => {
      const consent = await load(context, signing)
      const bank = await requireBank(context.banks, consent.bic)
      if (targetType === 'sign-in') {
        return await beginSignIn(context, bank, asked)
      }
      const held = await atBankOrAsked(context, { bank, consent, psu: signing.psu })
      const { consents, caller } = await atBank(context, held, signing.psu)
      return await consents.authorisations.start(caller, heldConsentId(held), asked)
    },
    read: async (context, signing, { authorisationId, targetType }) => {
      const consent = await load(context, signing)
      if (targetType === 'sign-in') {
        return await readSignIn(context, consent)
      }
      const { consents, caller } = await atBank(context, consent, null)
      return await consents.authorisations.read(caller, heldConsentId(consent), {
        authorisationId,
        partlySigned: false,
      })
    },
    complete: async (context, signing, { authorisationId, targetType }, brought) => {
      const consent = await load(context, signing)
      if (targetType === 'sign-in') {
        return await completeSignIn(context, await requireBank(context.banks, consent.bic), consent, brought)
      }
      const { consents, caller } = await atBank(context, consent, null)
      const begun = { authorisationId, partlySigned: false }
      const tokens = await consents.authorisations.complete(caller, heldConsentId(consent), begun, brought)
      return await keepConsentTokens(context, consent, tokens)
    },
    readForgotten: async (context, signing, { targetType }) => {
      const consent = await load(context, signing)
      if (targetType === 'sign-in') {
        return { state: 'cancelled', scaStatus: 'sign-in given up', text: null }
      }
      const { consents, caller } = await atBank(context, consent, null)
      return await readConsent(consents, caller, heldConsentId(consent))
    },
    ended: async (context, signing, outcome) => takeOutcome(context, await load(context, signing), signing, outcome),
    begunLate: async (context, signing) => {
      const consent = await load(context, signing)
      if (cameToNothing(consent)) {
        await noteRevocation(context.database, consent, context.clock.now())
      }
    },
    summarise: async (context, signing) => await partiesTo(context, signing.partnerId, await load(context, signing)),
  }
}

const CONSENT_GONE: ReadonlySet<BankRefusalKind> = new Set(['consent-invalid', 'unknown-resource', 'expired-resource'])

/** A consent that waits, or is gone, was not accepted in its time. */
async function readConsent(
  consents: ConsentProduct,
  caller: BankCaller,
  bankConsentId: string,
): Promise<ForgottenState> {
  try {
    const { state, bankStatus } = await consents.read(caller, bankConsentId)
    return { state: stateByConsent[state], scaStatus: `forgotten, consent ${bankStatus}`, text: null }
  } catch (error) {
    if (error instanceof BankRefusal && CONSENT_GONE.has(error.kind)) {
      return { state: 'cancelled', scaStatus: 'forgotten with the consent', text: error.message }
    }
    throw error
  }
}

const stateByConsent: Readonly<Record<BankConsentState['state'], ForgottenState['state']>> = {
  pending: 'cancelled',
  valid: 'signed',
  rejected: 'refused',
  revoked: 'cancelled',
  'revoked-by-user': 'cancelled',
  expired: 'cancelled',
}

/** What may be signed at the bank, now or in the moments to come, is ended there when it does not count here. */
async function takeOutcome(
  context: Context,
  consent: Consent,
  { steps }: Signing,
  outcome: SigningOutcome,
): Promise<SigningOutcome> {
  if (outcome === 'success') {
    await acceptConsent(context, consent)
  } else {
    const at = context.clock.now()
    const isToEnd = mayBeSigned(steps)
    const change = { ...changeByOutcome[outcome], at, ...(isToEnd ? { revokeAt: at } : {}) }
    await moveConsent(context.database.query, consent, change)
    if (!isToEnd) {
      await endBegunMeanwhile(context, consent)
    }
  }
  const kept = await findConsent(context, consent)
  return kept === undefined ? outcome : outcomeByStatus[kept.status]
}

function mayBeSigned(steps: Signing['steps']): boolean {
  return steps.some((step) => step.state === 'open' || isSigned(step))
}

/** Whoever had an authorisation begun before the consent was moved saw it waiting still, and left it alone. */
async function endBegunMeanwhile(context: Context, consent: Consent): Promise<void> {
  const { partnerId, id: subjectId } = consent
  const signing = await latestSigning(context, { partnerId, kind: 'consent', subjectId })
  const kept = await findConsent(context, consent)
  if (signing !== undefined && mayBeSigned(signing.steps) && kept !== undefined && cameToNothing(kept)) {
    await noteRevocation(context.database, consent, context.clock.now())
  }
}

/** A consent that has been in force was accepted, whatever became of it since. */
const outcomeByStatus: Readonly<Record<ConsentStatus, SigningOutcome>> = {
  AUTHORIZATION_REQUIRED: 'cancelled',
  ACCEPTED: 'success',
  REJECTED: 'rejected',
  CANCELLED: 'cancelled',
  EXPIRED: 'success',
  REVOKED: 'success',
}

async function requireKept(context: Context, partnerId: string, id: string): Promise<Consent> {
  const consent = await findConsent(context, { partnerId, id })
  if (consent === undefined) {
    throw new Error(`The consent ${id} of a signing is not there`)
  }
  return consent
}

async function atBank(context: Context, consent: Consent, psu: PsuSession | null) {
  const bank = await requireBank(context.banks, consent.bic)
  const consents: ConsentProduct = context.banks.connectorOf(bank).consents
  return { consents, caller: await callerAtBank(context, { bank, consent, psu }) }
}
