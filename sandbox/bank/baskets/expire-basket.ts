/** Expires an unsigned basket and releases its payments. */
import { isEnded } from '../authorisations/authorisation.ts'
import { authorisationsOf } from '../authorisations/authorisation-store.ts'
import { endAuthorisation } from '../authorisations/end-authorisation.ts'
import type { BankTransaction } from '../bank-context.ts'
import type { PushNotification } from '../push-notifications.ts'
import { lockBasket, lockPaymentsIn, removePaymentsFromBasket, updateBasket } from './basket-store.ts'

/** Expires a basket that is due at an instant; a partly signed one awaits further signatures as its payments do. */
export async function expireBasket(
  transaction: BankTransaction,
  id: string,
  at: Temporal.Instant,
): Promise<readonly PushNotification[]> {
  const basket = await lockBasket(transaction, id)
  if (basket?.due_at?.equals(at) !== true) {
    return []
  }
  if (basket.status !== 'RCVD') {
    await updateBasket(transaction, id, { due_at: null })
    return []
  }
  await lockPaymentsIn(transaction, id)
  const notifications: PushNotification[] = []
  for (const authorisation of await authorisationsOf(transaction, 'basket', id)) {
    if (!isEnded(authorisation)) {
      notifications.push(...(await endAuthorisation(transaction, authorisation, basket, 'expired')))
    }
  }
  await removePaymentsFromBasket(transaction, id)
  await updateBasket(transaction, id, { status: 'RJCT', due_at: null })
  const { notification_uri: uri, notification_content: content } = basket
  const body = { basketId: id, transactionStatus: 'RJCT' }
  return [...notifications, { uri, content, kind: 'PROCESS', last: true, body }]
}
