/** Pages about authorisations in apps: finds them by code, renders their fields, and expires those never scanned. */

import type { FailingRows } from '../../due-rows.ts'
import { findRow } from '../../rows.ts'
import type { Context } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { isCodeExpired, matchesAppCode, parseCodeToken, renderChallengeData } from './app-code.ts'
import { type Authorisation, isEnded } from './authorisation.ts'
import { authorisationsWithExpiredCode, nextCodeExpiry } from './authorisation-store.ts'
import { endAuthorisation } from './end-authorisation.ts'
import { changeAuthorisation } from './lock-authorisation.ts'
import { appInstruction, awaitsMethod, SCA_METHODS } from './sca-approach.ts'

const CODE = 'code'

/** The order of a code; undefined when the bank has none. */
export async function findAuthorisationByAppCode(context: Context, code: string): Promise<Authorisation | undefined> {
  const token = parseCodeToken(code)
  const found = token === undefined ? undefined : await findRow(context, 'authorisations', { code_token: token })
  return found !== undefined && matchesAppCode(code, found) ? found : undefined
}

/** Expires every order whose code was not scanned in time; returns when the next code expires, null if there is none. */
export async function expireUnscannedAuthorisations(
  context: Context,
  failing: FailingRows,
): Promise<Temporal.Instant | null> {
  const [setAside, now] = [failing.setAside(CODE), context.clock.real()]
  const expiresAt = await nextCodeExpiry(context, setAside)
  if (expiresAt === null || Temporal.Instant.compare(expiresAt, now) > 0) {
    return expiresAt
  }
  for (const found of await authorisationsWithExpiredCode(context, now, setAside)) {
    await failing.attempt({ kind: CODE, id: found.id }, () => endIfCodeExpired(context, found))
  }
  return await nextCodeExpiry(context, failing.setAside(CODE))
}

/** Expires the code of an order now; false when it can no longer be scanned anyway. */
export async function expireUnscannedAuthorisation(context: Context, found: Authorisation): Promise<boolean> {
  if (found.code_expires_at === null || isEnded(found)) {
    return false
  }
  return await endIfCodeExpired(context, found, Temporal.Instant.from(found.code_expires_at))
}

async function endIfCodeExpired(
  context: Context,
  found: Authorisation,
  at: Temporal.Instant = context.clock.real(),
): Promise<boolean> {
  const isEndedNow = await changeAuthorisation(context, found, async (context, { authorisation, target }) => {
    const isToEnd = !isEnded(authorisation) && isCodeExpired(authorisation, at)
    if (isToEnd) {
      await endAuthorisation(context, authorisation, target.resource, 'lapsed')
    }
    return isToEnd
  })
  return isEndedNow === true
}

/** Empty when it is authorised elsewhere or has ended. The standard requires the method together with a challenge. */
export function appResponseFields(context: Context, bank: BankProfile, authorisation: Authorisation): object {
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
