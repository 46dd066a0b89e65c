/** Chooses the SCA approach: redirect to the bank's pages, decoupled in the user's app, or none. */

import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { updateRow } from '../../rows.ts'
import type { Context } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import type { Country } from '../national/national-rules.ts'
import type { Xs2aHeaders } from '../xs2a/xs2a-call.ts'
import { requireBody, xs2aError } from '../xs2a-error.ts'
import { issueAppCode } from './app-code.ts'
import type { Approach, Authorisation, CodeForm } from './authorisation.ts'
import { changeAuthorisation } from './lock-authorisation.ts'
import { decisionDueAt, scriptedUser } from './scripted-user-lookup.ts'

/** The standard's names. */
export const approachNames: Readonly<Record<Approach, 'REDIRECT' | 'DECOUPLED' | 'EMBEDDED'>> = {
  redirect: 'REDIRECT',
  app: 'DECOUPLED',
  embedded: 'EMBEDDED',
}

/** The approach for a user: the third party's preference where the bank has both, otherwise the bank's only one. */
export function chooseScaApproach({ signing }: BankProfile, headers: Xs2aHeaders, userId: string | null): Approach {
  if (scriptedUser(userId)?.wantsPassword === true) {
    return 'embedded'
  }
  if (signing.app === 'none') {
    return 'redirect'
  }
  return signing.redirect === 'none' || prefersApp(headers) ? 'app' : 'redirect'
}

/** Creation starts the authorisation, unless the third party requests explicit start and the bank supports it. */
export function isStartedImplicitly({ signing }: BankProfile, { explicitAuthorisation }: Xs2aHeaders): boolean {
  return signing.redirect === 'implicit' || !explicitAuthorisation
}

/** Without a preference of the third party the redirect approach applies. */
function prefersApp({ redirectPreferred, decoupledPreferred, qrCodeRequired }: Xs2aHeaders): boolean {
  return redirectPreferred === null ? decoupledPreferred || qrCodeRequired : !redirectPreferred
}

/** How the user's app receives the order; null where the bank notifies it. */
export function chooseCodeForm({ signing }: BankProfile, headers: Xs2aHeaders): CodeForm | null {
  switch (signing.app) {
    case 'image':
    case 'start-token':
      return signing.app
    case 'image-link':
      return headers.qrCodeRequired ? 'image-link' : 'start-token'
    default:
      return null
  }
}

const appNames: Readonly<Record<Country, string>> = { NO: 'BankID', SE: 'BankID', DK: 'MitID', FI: 'bank' }
const openTexts: Readonly<Record<Country, (app: string) => string>> = {
  NO: (app) => `Åpne ${app}-appen og godkjenn`,
  SE: (app) => `Öppna ${app}-appen och skriv under`,
  DK: (app) => `Åbn ${app}-appen og godkend`,
  FI: (app) => `Avaa ${app}-sovellus ja vahvista`,
}
const scanTexts: Readonly<Record<Country, (app: string) => string>> = {
  NO: (app) => `Åpne ${app}-appen og skann koden`,
  SE: (app) => `Öppna ${app}-appen och skanna koden`,
  DK: (app) => `Åbn ${app}-appen og scan koden`,
  FI: (app) => `Avaa ${app}-sovellus ja lue koodi`,
}

/** The instruction for a user who authorises in an app. */
export function appInstruction({ country }: BankProfile, toScan: boolean): string {
  return (toScan ? scanTexts : openTexts)[country](appNames[country])
}

/** In the standard's form; the last one cannot be used here. */
export const SCA_METHODS = [
  { authenticationType: 'PUSH_OTP', authenticationMethodId: 'app', name: 'App on your phone' },
  {
    authenticationType: 'PHOTO_OTP',
    authenticationMethodId: 'code',
    name: 'QR code',
    explanation: 'You scan a code with the app.',
  },
  { authenticationType: 'SMS_OTP', authenticationMethodId: 'sms', name: 'SMS to +47 *** ** 123' },
] as const

const choiceCheck = Compile(Type.Object({ authenticationMethodId: Type.String() }))

/** Whether the user of a new authorisation has to choose a method first. */
export function hasMethodsToChoose(approach: Approach, userId: string | null): boolean {
  return approach === 'app' && scriptedUser(userId)?.choosesMethod === true
}

/** An app authenticates its user only together with the signature: before it, the status means an open choice. */
export function awaitsMethod({ approach, sca_status, outcome }: Authorisation): boolean {
  return approach === 'app' && sca_status === 'psuAuthenticated' && outcome === null
}

/**
 * Selects the method that the third party names, and returns it with the authorisation; undefined when this or its target
 * was deleted.
 */
export async function selectMethod(context: Context, found: Authorisation, body: unknown) {
  const { authenticationMethodId: named } = requireBody(choiceCheck, body)
  const method = SCA_METHODS.find(({ authenticationMethodId: id }) => id === named)
  if (method === undefined || method.authenticationType === 'SMS_OTP') {
    throw xs2aError(400, 'SCA_METHOD_UNKNOWN', 'The user cannot sign with this method', 'authenticationMethodId')
  }
  const dueAt = decisionDueAt(found.psu_id, context.clock.now())
  return await changeAuthorisation(context, found, async (context, { authorisation }) => {
    if (!awaitsMethod(authorisation)) {
      throw xs2aError(409, 'STATUS_INVALID', 'The authorisation requires no choice of a method any more')
    }
    const chosen = await updateRow(context, 'authorisations', authorisation, {
      sca_status: 'scaMethodSelected',
      ...(dueAt === undefined ? {} : { due_at: dueAt.toString() }),
      ...(method.authenticationType === 'PHOTO_OTP' ? issueAppCode(context, 'image') : {}),
    })
    return { chosen, method }
  })
}
