/** Ends an authorisation whose time has run out. */
import type { BankTransaction } from '../context.ts'
import type { Notice } from '../push.ts'
import { isEnded } from './authorisation.ts'
import { endAuthorisation } from './end-authorisation.ts'
import type { LockedAuthorisation } from './target.ts'

/** Ends it unless somebody was quicker. */
export async function expireAuthorisation(
  transaction: BankTransaction,
  { authorisation, target }: LockedAuthorisation,
): Promise<readonly Notice[]> {
  return isEnded(authorisation) ? [] : await endAuthorisation(transaction, authorisation, target, 'expired')
}
