/** Says what an answer carries of an authorisation in the user's app: words for the user, and the code to scan. */
import type { BankContext } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { challengeOf } from './app-code.ts'
import { type Authorisation, isEnded } from './authorisation.ts'
import { appText } from './sca-approach.ts'

/** Nothing when it is signed elsewhere or over; the standard has the method named beside a challenge. */
export function toldOfApp(context: BankContext, bank: BankProfile, authorisation: Authorisation): object {
  if (authorisation.approach !== 'app' || isEnded(authorisation)) {
    return {}
  }
  const challengeData = challengeOf(context, authorisation)
  const psuMessage = appText(bank, challengeData !== null)
  return challengeData === null ? { psuMessage } : { psuMessage, chosenScaMethod, challengeData }
}

const chosenScaMethod = {
  authenticationType: 'PHOTO_OTP',
  authenticationMethodId: 'bankid-app',
  name: 'BankID',
} as const
