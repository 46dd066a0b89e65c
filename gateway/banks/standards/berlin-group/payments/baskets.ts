/** Signing baskets at a bank: several orders under one signature, tied together, signed and untied. */

import { isGone } from '../../../connector/bank-error.ts'
import type { BankCaller, BasketAsked, BasketProduct } from '../../../connector/connector.ts'
import type { AuthorisationState } from '../../../connector/sca-authorisation.ts'
import { authorisationsOf } from '../authorisations/authorisations.ts'
import { basketEndedWith } from '../authorisations/translate-authorisations.ts'
import { dialectOf } from '../dialect.ts'
import type { Line } from '../transport/bank-client.ts'
import {
  ask,
  consentHeader,
  creationHeaders,
  identityHeaders,
  notificationHeaders,
  path,
  send,
} from '../transport/send-request.ts'
import { readBasketCreated, readBasketStatus } from '../wire.ts'

/** The basket product over one line. */
export function basketProduct(line: Line): BasketProduct {
  return {
    create: (caller, asked) => createBasket(line, caller, asked),
    drop: (caller, bankBasketId) => dropBasket(line, caller, bankBasketId),
    authorisations: authorisationsOf(line, {
      name: 'SigningBasket',
      collection: (_caller, bankBasketId) => `${basketPath(bankBasketId)}/authorisations`,
      scope: (bankBasketId) => `PIS:${bankBasketId}`,
      headers: consentHeader,
      readTarget: (caller, bankBasketId) => readEnd(line, caller, bankBasketId),
    }),
  }
}

async function createBasket(
  line: Line,
  caller: BankCaller,
  { payments, requestId, back }: BasketAsked,
): ReturnType<BasketProduct['create']> {
  const { basketId } = await ask(
    line.fetch,
    caller,
    {
      operation: 'createSigningBasket',
      purpose: 'basket',
      method: 'POST',
      path: '/signing-baskets',
      requestId,
      headers: {
        ...identityHeaders(caller),
        ...consentHeader(caller),
        ...creationHeaders(caller, back),
        ...notificationHeaders(back.notification),
      },
      body: { paymentIds: payments.map(({ bankPaymentId }) => bankPaymentId) },
    },
    readBasketCreated,
  )
  return { bankBasketId: basketId }
}

async function dropBasket(line: Line, caller: BankCaller, bankBasketId: string): Promise<void> {
  const where = basketPath(bankBasketId)
  const question = { operation: 'deleteSigningBasket', purpose: 'basket', method: 'DELETE', path: where } as const
  await send(line.fetch, caller, question).catch((error: unknown) => {
    if (!isGone(error)) {
      throw error
    }
  })
}

async function readEnd(line: Line, caller: BankCaller, bankBasketId: string): Promise<AuthorisationState> {
  const question = {
    operation: 'getSigningBasketStatus',
    purpose: 'status',
    method: 'GET',
    path: `${basketPath(bankBasketId)}/status`,
  } as const
  const answer = await ask(line.fetch, caller, question, readBasketStatus)
  return basketEndedWith(answer, dialectOf(caller.bank.profile))
}

function basketPath(bankBasketId: string): string {
  return path('signing-baskets', bankBasketId)
}
