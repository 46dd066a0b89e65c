/** Implements SCA for consents: starts and reads their authorisation, and applies the outcome. */

import type { ConsentStatus } from '../../contract/consents.ts'
import { findLatestScaSession } from '../authorisations/find-sca-sessions.ts'
import {
  isSigned,
  requireConsentIdOf,
  type ScaOutcome,
  type ScaSession,
  type ScaStep,
  type ScaSubject,
  type TargetScaState,
} from '../authorisations/sca-session.ts'
import type { BankConsentState, ConsentProduct } from '../banks/connector/connector.ts'
import type { AuthorisationRequest, StartedAuthorisation } from '../banks/connector/sca-authorisation.ts'
import type { Context } from '../context.ts'
import type { PsuSession } from '../platform/http/operations/served-operation.ts'
import { acceptConsent } from './accept-consent.ts'
import { bankCallerOf, bankOfConsent, readConsentAtBank } from './call-bank.ts'
import { type Consent, requireBankConsentId, wasNeverAccepted } from './consent.ts'
import { scaPartiesOf } from './consent-lookup.ts'
import { recordBankRevocation } from './consent-schedule-store.ts'
import { findConsent } from './consent-store.ts'
import { ensureBankConsent } from './request-bank-consent.ts'
import { beginSignIn, completeSignIn, readSignIn } from './tokens/bank-sign-in.ts'
import { storeConsentTokens } from './tokens/consent-tokens.ts'
import { transitionConsent } from './transition-consent.ts'

/** Leaving and timing out are not distinguished: `CANCELLED` has no reason. */
const changeByOutcome = {
  rejected: { status: 'REJECTED', statusReason: 'USER' },
  cancelled: { status: 'CANCELLED' },
} as const

/** The SCA operations of consents. */
export const consentScaSubject: ScaSubject = {
  begin: async (context, session, { targetType }, request) =>
    await beginConsentAuthorisation(context, await load(context, session), { targetType, psu: session.psu, request }),
  read: async (context, session, { authorisationId, targetType }) => {
    const consent = await load(context, session)
    if (targetType === 'sign-in') {
      return await readSignIn(context, consent)
    }
    const { consents, caller } = await atBank(context, consent, null)
    return await consents.authorisations.read(caller, requireBankConsentId(consent), {
      authorisationId,
      partlySigned: false,
    })
  },
  selectMethod: async (context, session, { authorisationId }, methodId) => {
    const consent = await load(context, session)
    const { consents, caller } = await atBank(context, consent, session.psu)
    return await consents.authorisations.selectMethod?.(
      caller,
      requireBankConsentId(consent),
      { authorisationId },
      methodId,
    )
  },
  complete: async (context, session, { authorisationId, targetType }, callback) => {
    const consent = await load(context, session)
    if (targetType === 'sign-in') {
      return await completeSignIn(context, await bankOfConsent(context, consent), consent, callback)
    }
    const { consents, caller } = await atBank(context, consent, null)
    const begun = { authorisationId, partlySigned: false }
    const tokens = await consents.authorisations.complete(caller, requireBankConsentId(consent), begun, callback)
    return await storeConsentTokens(context, consent, tokens)
  },
  readTargetState: async (context, session, { targetType }) => {
    const consent = await load(context, session)
    if (targetType === 'sign-in') {
      return { state: 'cancelled', scaStatus: 'sign-in given up', text: null }
    }
    const bank = await bankOfConsent(context, consent)
    const { state, bankStatus } = await readConsentAtBank(context, bank, consent)
    // A code is renewed, which a text prevents, while the consent may still be accepted.
    const text = state === 'pending' ? null : bankStatus
    return { state: stateByConsent[state], scaStatus: `deleted, consent ${bankStatus}`, text }
  },
  ended: async (context, session, outcome) => applyScaOutcome(context, await load(context, session), session, outcome),
  onLateStart: async (context, session) => {
    const consent = await load(context, session)
    if (wasNeverAccepted(consent)) {
      await recordBankRevocation(context.database, consent, context.clock.now())
    }
  },
  partiesOfSession: scaPartiesOf,
}

/** What is authorised, by which user. */
type ConsentAuthorisationStart = Pick<ScaStep, 'targetType'> & {
  readonly psu: PsuSession | null
  readonly request: AuthorisationRequest
}

/** Starts the sign-in or the authorisation of a consent, which need not be stored yet. */
export async function beginConsentAuthorisation(
  context: Context,
  consent: Consent,
  { targetType, psu, request }: ConsentAuthorisationStart,
): Promise<StartedAuthorisation> {
  const bank = await bankOfConsent(context, consent)
  if (targetType === 'sign-in') {
    return await beginSignIn(context, bank, request)
  }
  const bankConsent = await ensureBankConsent(context, { bank, consent, psu })
  const { consents, caller } = await atBank(context, bankConsent, psu)
  return await consents.authorisations.start(caller, requireBankConsentId(bankConsent), request)
}

async function load(context: Context, session: Pick<ScaSession, 'partnerId' | 'consentId'>): Promise<Consent> {
  const id = requireConsentIdOf(session)
  const consent = await findConsent(context, { partnerId: session.partnerId, id })
  if (consent === undefined) {
    throw new Error(`The consent ${id} of an SCA session does not exist`)
  }
  return consent
}

/** A consent that is pending or deleted was not accepted in time. */
const stateByConsent: Readonly<Record<BankConsentState['state'], TargetScaState['state']>> = {
  pending: 'cancelled',
  valid: 'signed',
  rejected: 'rejected',
  revoked: 'cancelled',
  'revoked-by-user': 'cancelled',
  expired: 'cancelled',
}

/** An authorisation that may be signed at the bank is revoked there when it does not count here. */
async function applyScaOutcome(
  context: Context,
  consent: Consent,
  { steps }: ScaSession,
  outcome: ScaOutcome,
): Promise<ScaOutcome> {
  if (outcome === 'success') {
    await acceptConsent(context, consent)
  } else {
    const at = context.clock.now()
    const needsRevocation = mayBeSigned(steps)
    const change = { ...changeByOutcome[outcome], at, ...(needsRevocation ? { revokeAt: at } : {}) }
    await transitionConsent(context, consent, change)
    if (!needsRevocation) {
      await revokeIfStartedMeanwhile(context, consent)
    }
  }
  const stored = await findConsent(context, consent)
  return stored === undefined ? outcome : outcomeByStatus[stored.status]
}

function mayBeSigned(steps: ScaSession['steps']): boolean {
  return steps.some((step) => step.state === 'open' || isSigned(step))
}

/** An authorisation may have started before the transition; the process that started it saw a pending consent. */
async function revokeIfStartedMeanwhile(context: Context, consent: Consent): Promise<void> {
  const { partnerId, id: subjectId } = consent
  const session = await findLatestScaSession(context, { partnerId, kind: 'consent', subjectId })
  const stored = await findConsent(context, consent)
  if (session !== undefined && mayBeSigned(session.steps) && stored !== undefined && wasNeverAccepted(stored)) {
    await recordBankRevocation(context.database, consent, context.clock.now())
  }
}

/** A consent that has been in force was accepted, whatever its status is now. */
const outcomeByStatus: Readonly<Record<ConsentStatus, ScaOutcome>> = {
  AUTHORIZATION_REQUIRED: 'cancelled',
  ACCEPTED: 'success',
  REJECTED: 'rejected',
  CANCELLED: 'cancelled',
  EXPIRED: 'success',
  REVOKED: 'success',
}

async function atBank(context: Context, consent: Consent, psu: PsuSession | null) {
  const bank = await bankOfConsent(context, consent)
  const consents: ConsentProduct = context.banks.connectorOf(bank).consents
  return { consents, caller: await bankCallerOf(context, { bank, consent, service: 'AIS', psu }) }
}
