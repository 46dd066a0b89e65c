/** Decides how an authorisation is signed: in a browser on the bank's pages, in the user's own app, or not at all here. */

import type { BankProfile } from '../fixture.ts'
import type { Country } from '../national/national-rules.ts'
import { scriptedUser } from '../outcomes/scripted-user-lookup.ts'
import type { Xs2aHeaders } from '../xs2a/xs2a-call.ts'
import type { Approach, CodeForm } from './authorisation.ts'

/** The standard's words for it. */
export const approachNames: Readonly<Record<Approach, 'REDIRECT' | 'DECOUPLED' | 'EMBEDDED'>> = {
  redirect: 'REDIRECT',
  app: 'DECOUPLED',
  embedded: 'EMBEDDED',
}

/** The way for a user: what the third party prefers where the bank has both, and the only one where it has one. */
export function approachFor({ signing }: BankProfile, headers: Xs2aHeaders, userId: string | null): Approach {
  if (scriptedUser(userId)?.wantsPassword === true) {
    return 'embedded'
  }
  if (signing.app === 'none') {
    return 'redirect'
  }
  return signing.redirect === 'none' || prefersApp(headers) ? 'app' : 'redirect'
}

/** Whether a creation begins the signing: unless the third party wants to do that itself, and the bank lets it. */
export function beginsAtOnce({ signing }: BankProfile, { explicitAuthorisation }: Xs2aHeaders): boolean {
  return signing.redirect === 'implicit' || !explicitAuthorisation
}

/** A third party that says nothing gets a redirect. */
function prefersApp({ redirectPreferred, decoupledPreferred, qrCodeRequired }: Xs2aHeaders): boolean {
  return redirectPreferred === null ? decoupledPreferred || qrCodeRequired : !redirectPreferred
}

/** How the user's app learns of an authorisation; null where the bank notifies it. */
export function codeFormFor({ signing }: BankProfile, headers: Xs2aHeaders): CodeForm | null {
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

/** What the bank has the third party say to a user who signs in an app. */
export function appText({ country }: BankProfile, toScan: boolean): string {
  return (toScan ? scanTexts : openTexts)[country](appNames[country])
}
