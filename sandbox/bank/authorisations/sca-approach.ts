/** Chooses the SCA approach: redirect to the bank's pages, decoupled in the user's app, or none. */

import type { BankProfile } from '../fixture.ts'
import type { Country } from '../national/national-rules.ts'
import { scriptedUser } from '../outcomes/scripted-user-lookup.ts'
import type { Xs2aHeaders } from '../xs2a/xs2a-call.ts'
import type { Approach, CodeForm } from './authorisation.ts'

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
