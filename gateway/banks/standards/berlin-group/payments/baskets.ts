/** Creates, authorises and deletes signing baskets, in which several orders get one signature. */

import { isResourceGone } from '../../../connector/bank-error-classification.ts'
import type { BankCaller, BasketProduct, BasketRequest } from '../../../connector/connector.ts'
import type { AuthorisationState } from '../../../connector/sca-authorisation.ts'
import { createAuthorisations } from '../authorisations/authorisations.ts'
import { basketAuthorisationEnd } from '../authorisations/translate-authorisations.ts'
import { dialectOf } from '../dialect.ts'
import type { BankClient } from '../transport/bank-client.ts'
import {
  consentHeader,
  creationHeaders,
  notificationHeaders,
  psuIdentityHeaders,
} from '../transport/request-headers.ts'
import { path, sendAndParse, sendChecked } from '../transport/send-request.ts'
import { parseBasketCreated, parseBasketStatus } from '../wire.ts'

export function basketProduct(line: BankClient): BasketProduct {
  return {
    create: (caller, request) => createBasket(line, caller, request),
    drop: (caller, bankBasketId) => dropBasket(line, caller, bankBasketId),
    authorisations: createAuthorisations(line, {
      name: 'SigningBasket',
      collection: (_caller, bankBasketId) => `${basketPath(bankBasketId)}/authorisations`,
      scope: (bankBasketId) => `PIS:${bankBasketId}`,
      headers: consentHeader,
      readTarget: (caller, bankBasketId) => readEnd(line, caller, bankBasketId),
    }),
  }
}

async function createBasket(
  line: BankClient,
  caller: BankCaller,
  { payments, requestId, back }: BasketRequest,
): ReturnType<BasketProduct['create']> {
  const { basketId } = await sendAndParse(
    line,
    caller,
    {
      operation: 'createSigningBasket',
      purpose: 'basket',
      method: 'POST',
      path: '/signing-baskets',
      requestId,
      headers: {
        ...psuIdentityHeaders(caller),
        ...consentHeader(caller),
        ...creationHeaders(caller, back),
        ...notificationHeaders(back.notification),
      },
      body: { paymentIds: payments.map(({ bankPaymentId }) => bankPaymentId) },
    },
    parseBasketCreated,
  )
  return { bankBasketId: basketId }
}

async function dropBasket(line: BankClient, caller: BankCaller, bankBasketId: string): Promise<void> {
  const where = basketPath(bankBasketId)
  const question = { operation: 'deleteSigningBasket', purpose: 'basket', method: 'DELETE', path: where } as const
  await sendChecked(line.fetch, caller, question).catch((error: unknown) => {
    if (!isResourceGone(error)) {
      throw error
    }
  })
}

async function readEnd(line: BankClient, caller: BankCaller, bankBasketId: string): Promise<AuthorisationState> {
  const question = {
    operation: 'getSigningBasketStatus',
    purpose: 'status',
    method: 'GET',
    path: `${basketPath(bankBasketId)}/status`,
  } as const
  const answer = await sendAndParse(line, caller, question, parseBasketStatus)
  return basketAuthorisationEnd(answer, dialectOf(caller.bank.profile))
}

function basketPath(bankBasketId: string): string {
  return path('signing-baskets', bankBasketId)
}
