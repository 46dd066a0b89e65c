/** Ends a basket that nobody signed in time: its payments are free again, each for itself. */
import { isEnded } from '../authorisations/authorisation.ts'
import { authorisationsOf } from '../authorisations/authorisation-store.ts'
import { endAuthorisation } from '../authorisations/end-authorisation.ts'
import type { BankTransaction } from '../bank-context.ts'
import type { Notice } from '../push-notifications.ts'
import { lockBasket, lockPaymentsIn, untie, updateBasket } from './basket-store.ts'

/** Ends it when it is due at an instant; one that somebody has signed waits for the others as its payments do. */
export async function expireBasket(
  transaction: BankTransaction,
  id: string,
  at: Temporal.Instant,
): Promise<readonly Notice[]> {
  const basket = await lockBasket(transaction, id)
  if (basket?.due_at?.equals(at) !== true) {
    return []
  }
  if (basket.status !== 'RCVD') {
    await updateBasket(transaction, id, { due_at: null })
    return []
  }
  await lockPaymentsIn(transaction, id)
  const notices: Notice[] = []
  for (const authorisation of await authorisationsOf(transaction, 'basket', id)) {
    if (!isEnded(authorisation)) {
      notices.push(...(await endAuthorisation(transaction, authorisation, basket, 'expired')))
    }
  }
  await untie(transaction, id)
  await updateBasket(transaction, id, { status: 'RJCT', due_at: null })
  const { notification_uri: uri, notification_content: content } = basket
  const body = { basketId: id, transactionStatus: 'RJCT' }
  return [...notices, { uri, content, kind: 'PROCESS', last: true, body }]
}
