/** Submits domestic and cross-border payments and reads their status. */

import type { ResponseParser } from '../../../../platform/http/response-parser.ts'
import { BankError, UnusableOrderIdError } from '../../../connector/bank-error.ts'
import type { DomesticOrder, InitiationRequest, InitiationResult } from '../../../connector/bank-order.ts'
import type { BankCaller, CrossBorderPaymentProduct, DomesticPaymentProduct } from '../../../connector/connector.ts'
import { type CrossBorderDialect, dialectOf } from '../dialect.ts'
import { toInitiationObservation } from '../translate-payment-status.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { creationHeaders, unattendedHeaders, userHeaders } from '../transport/request-headers.ts'
import { type BerlinGroupRequest, parseAnswer, sendRequest } from '../transport/send-request.ts'
import {
  type PaymentCreated,
  parseCreatedId,
  parseIdentifier,
  parsePaymentCreated,
  parsePaymentDetails,
} from '../wire.ts'
import { crossBorderBody, toCrossBorderOrderShownByBank } from './cross-border-body.ts'
import { paymentBody, toOrderShownByBank } from './order-body.ts'
import { createOrderOperations } from './order-operations.ts'

const SINGLE = { service: 'payments', read: parsePaymentCreated } as const

export function domesticPaymentProduct(line: BankClient): DomesticPaymentProduct {
  return {
    initiate: async (caller, order, request) => {
      const product = productFor(caller, order)
      const body = paymentBody(order, dialectOf(caller.bank.profile))
      return (await initiateOrder(line, caller, request, { ...SINGLE, product, body })).result
    },
    ...createOrderOperations(line, {
      service: 'payments',
      read: parsePaymentDetails,
      name: productFor,
      held: (shown, submitted, { bank }) => toOrderShownByBank(shown, submitted, bank.countryCode),
    }),
  }
}

export function crossBorderPaymentProduct(line: BankClient): CrossBorderPaymentProduct {
  return {
    initiate: async (caller, order, request) => {
      const crossBorder = crossBorderAt(caller)
      const body = crossBorderBody(order, dialectOf(caller.bank.profile), crossBorder)
      return (await initiateOrder(line, caller, request, { ...SINGLE, product: crossBorder.product, body })).result
    },
    ...createOrderOperations(line, {
      service: 'payments',
      read: parsePaymentDetails,
      name: (caller) => crossBorderAt(caller).product,
      held: (shown, submitted, { bank }) => toCrossBorderOrderShownByBank(shown, submitted, bank.countryCode),
    }),
  }
}

/** Some banks have one product per rail. */
export function productFor({ bank }: BankCaller, { rail }: Pick<DomesticOrder, 'rail'>): string {
  const product = dialectOf(bank.profile).products[rail]
  if (product === undefined) {
    throw new BankError('unsupported-product', `${bank.name} does not offer payments of the rail ${rail}`)
  }
  return product
}

function crossBorderAt({ bank }: BankCaller): CrossBorderDialect {
  const { crossBorder } = dialectOf(bank.profile)
  if (crossBorder === undefined) {
    throw new BankError('unsupported-product', `${bank.name} does not offer cross-border payments`)
  }
  return crossBorder
}

/** The most that an operator is shown of an id. */
const QUOTED_CHARACTERS_MAX = 200

/** The body of an order, and the parser of its answer. */
type OrderToInitiate<Created extends PaymentCreated> = {
  readonly service: 'payments' | 'bulk-payments'
  readonly product: string
  readonly body: NonNullable<BerlinGroupRequest['body']>
  readonly read: ResponseParser<Created>
}

/** Returns the result and the parsed answer. Throws `BankError`. */
export async function initiateOrder<Created extends PaymentCreated>(
  line: BankClient,
  caller: BankCaller,
  { requestId, notification }: InitiationRequest,
  { service, product, body, read }: OrderToInitiate<Created>,
): Promise<{ readonly result: InitiationResult; readonly created: Created }> {
  const dialect = dialectOf(caller.bank.profile)
  const question = {
    operation: service === 'payments' ? 'initiatePayment' : 'initiateBulkPayment',
    purpose: 'initiation',
    method: 'POST',
    path: `/${service}/${product}`,
    query: dialect.initiationQuery ?? {},
    requestId,
    headers: {
      ...(caller.psu === null ? unattendedHeaders(caller, line.tppIpAddress) : {}),
      ...userHeaders(caller, { withConsent: true, isInitiation: true }),
      ...creationHeaders(caller, { ...line.home, notification }),
    },
    body,
  } as const
  const response = await sendRequest(line.fetch, caller, question)
  const created = parseAnswer(
    line,
    { bank: caller.bank, question, response },
    (body, report) => read(body, report) ?? rejectUnusableId(body),
  )
  return {
    result: { bankPaymentId: created.paymentId, observation: toInitiationObservation(created, dialect) },
    created,
  }
}

/** An order under an id such as `..` exists, and every call about it would be about something else. */
function rejectUnusableId(body: string): undefined {
  const id = parseCreatedId(body)?.paymentId
  if (id !== undefined && parseIdentifier(id) === undefined) {
    const text = 'The bank acknowledged the order under an id that cannot be used in a path'
    throw new UnusableOrderIdError(text, quote(id))
  }
}

/** Invisible characters are shown as escapes. */
function quote(id: string): string {
  return JSON.stringify(id.toWellFormed().slice(0, QUOTED_CHARACTERS_MAX)).replace(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
