/** Creates, authorises and deletes signing baskets, in which several orders get one signature. */
import { isResourceGone } from '../../../connector/bank-error-classification.ts'
import type { BasketProduct } from '../../../connector/connector.ts'
import { createAuthorisations } from '../authorisations/authorisations.ts'
import { basketAuthorisationEnd } from '../authorisations/translate-authorisations.ts'
import { dialectOf } from '../dialect.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { creationHeaders, userHeaders } from '../transport/request-headers.ts'
import { path, sendAndParse, sendChecked } from '../transport/send-request.ts'
import { parseBasketCreated, parseBasketStatus } from '../wire.ts'

export function basketProduct(line: BankClient): BasketProduct {
  return {
    create: async (caller, { payments, requestId, back }) => {
      const question = {
        operation: 'createSigningBasket',
        purpose: 'basket',
        method: 'POST',
        path: '/signing-baskets',
        requestId,
        headers: { ...userHeaders(caller, { withConsent: true }), ...creationHeaders(caller, back) },
        body: { paymentIds: payments.map(({ bankPaymentId }) => bankPaymentId) },
      } as const
      const { basketId } = await sendAndParse(line, caller, question, parseBasketCreated)
      return { bankBasketId: basketId }
    },
    drop: async (caller, bankBasketId) => {
      const where = path('signing-baskets', bankBasketId)
      const question = { operation: 'deleteSigningBasket', purpose: 'basket', method: 'DELETE', path: where } as const
      await sendChecked(line.fetch, caller, question).catch((error: unknown) => {
        if (!isResourceGone(error)) {
          throw error
        }
      })
    },
    authorisations: createAuthorisations(line, {
      name: 'SigningBasket',
      signs: 'order',
      where: (_caller, bankBasketId) => path('signing-baskets', bankBasketId),
      readTarget: async (caller, bankBasketId, begun) => {
        const where = `${path('signing-baskets', bankBasketId)}/status`
        const question = { operation: 'getSigningBasketStatus', purpose: 'status', method: 'GET', path: where } as const
        const answer = await sendAndParse(line, caller, question, parseBasketStatus)
        return basketAuthorisationEnd(answer, dialectOf(caller.bank.profile), begun)
      },
    }),
  }
}
