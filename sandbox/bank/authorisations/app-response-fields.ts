/** Renders the response fields of an authorisation in the user's app: the message, and the code to scan. */
import type { BankContext } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { renderChallengeData } from './app-code.ts'
import { type Authorisation, isEnded } from './authorisation.ts'
import { appInstruction } from './sca-approach.ts'
import { awaitsMethod, SCA_METHODS } from './sca-methods.ts'

/** Empty when it is authorised elsewhere or has ended. The standard requires the method together with a challenge. */
export function appResponseFields(context: BankContext, bank: BankProfile, authorisation: Authorisation): object {
  if (authorisation.approach !== 'app' || isEnded(authorisation)) {
    return {}
  }
  if (awaitsMethod(authorisation)) {
    return { scaMethods: SCA_METHODS }
  }
  const challengeData = renderChallengeData(context, authorisation)
  const psuMessage = appInstruction(bank, challengeData !== null)
  return challengeData === null ? { psuMessage } : { psuMessage, chosenScaMethod, challengeData }
}

const chosenScaMethod = {
  authenticationType: 'PHOTO_OTP',
  authenticationMethodId: 'bankid-app',
  name: 'BankID',
} as const
