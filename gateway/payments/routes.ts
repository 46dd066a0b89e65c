/** Serves the operations on payments and the endpoint for the banks' notifications. */

import type { FastifyInstance } from 'fastify'
import { operations } from '../../contract/operations.ts'
import { validateCallbackUrl } from '../auth/callback-origin.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import { requireBank } from '../banks/directory/bank-directory.ts'
import { type Consent, consentActorOf } from '../consents/consent.ts'
import { isAccountOnConsent } from '../consents/require-consent.ts'
import type { Context } from '../context.ts'
import { abandonCancellation } from '../orders/cancel/get-cancellation.ts'
import { handlePaymentNotification, type NotificationPath } from '../orders/handle-payment-notification.ts'
import { duplicateErrors } from '../orders/instruction.ts'
import { parseListQuery } from '../orders/order-list-query.ts'
import { acceptAccountOfConsent } from '../orders/parse/domestic-rules.ts'
import { parseCrossBorderPayment } from '../orders/parse/parse-cross-border-payment.ts'
import { parseDomesticPayment } from '../orders/parse/parse-domestic-payment.ts'
import { validationContextAt } from '../orders/parse/validation-context.ts'
import { abandonApproval } from '../orders/sign/get-approval.ts'
import { serveNotificationEndpoint } from '../platform/http/notification-endpoint.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import { approvePayments, getPaymentApproval } from './approve-payments.ts'
import { cancelPayment, getPaymentCancellation } from './cancel-payment.ts'
import { initiateCrossBorderPayment } from './initiate-cross-border-payment.ts'
import { initiateDomesticPayment } from './initiate-domestic-payment.ts'
import { getPayment, getPaymentStatus, listPayments } from './read-payments.ts'
import { validateRemittance, validateRemittanceCheck } from './validate-remittance.ts'

export function servePayments(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  serve(operations.initiateDomesticPayment, {
    storesAnswer: true,
    rules: async ({ caller, body }, isValid) => {
      const bank = await requireBank(context.banks, caller.consent.bic)
      const validation = validationContextAt(context.clock, bank, caller.consent)
      const { debtor, errors: found, instruction } = parseDomesticPayment(body, validation, isValid)
      const isOnConsent = () => isAccountOnConsent(context, caller, debtor)
      const errors = await acceptAccountOfConsent(found, isOnConsent)
      return errors.length === 0 && instruction !== undefined ? { parsed: { bank, instruction } } : errors
    },
    handle: async ({ caller, parsed: { bank, instruction }, idempotent }) =>
      await initiateDomesticPayment(context, caller, instruction, { bank, idempotent }),
  })
  serve(operations.initiateCrossBorderPayment, {
    storesAnswer: true,
    rules: async ({ caller, body }, isSoundAt) => {
      const bank = await requireBank(context.banks, caller.consent.bic)
      const validation = validationContextAt(context.clock, bank, caller.consent)
      const parsing = await parseCrossBorderPayment(context, body, validation, { caller, isSoundAt })
      return 'parsed' in parsing ? { parsed: { bank, instruction: parsing.parsed } } : parsing
    },
    handle: async ({ caller, parsed: { bank, instruction }, idempotent }) =>
      await initiateCrossBorderPayment(context, caller, instruction, { bank, idempotent }),
  })
  serve(operations.validateRemittance, {
    rules: ({ body }, isValid) => validateRemittanceCheck(body, isValid),
    handle: async ({ body }) => validateRemittance(body),
  })
  serve(operations.listPayments, {
    rules: ({ caller: { partnerId }, query }, isValid) =>
      parseListQuery(context, { partnerId, list: 'payments' }, query, isValid),
    handle: ({ parsed }) => listPayments(context, parsed),
  })
  serveApprovals(serve, context)
  serve(operations.getPayment, ({ caller, params }) => getPayment(context, caller, params.paymentId))
  serve(operations.getPaymentStatus, ({ caller, params }) => getPaymentStatus(context, caller, params.paymentId))
  serve(operations.cancelPayment, {
    rules: ({ caller, body }, isSound) =>
      isSound('.callbackUrl') ? validateCallbackUrl(context.config, caller, body.callbackUrl) : [],
    handle: ({ caller, body }) => cancelPayment(context, consentActorOf(caller), body),
  })
  serve(operations.getPaymentCancellation, ({ caller, params }) => getPaymentCancellation(context, caller, params.id))
  serve(operations.abandonPaymentCancellation, ({ caller, params }) =>
    abandonCancellation(context, caller, 'payment', params.id),
  )
}

function serveApprovals(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  serve(operations.approvePayments, {
    rules: ({ caller, body }, isSound) => [
      ...(isSound('.payments') ? duplicateErrors('payment', body.payments) : []),
      ...(isSound('.callbackUrl') ? validateCallbackUrl(context.config, caller, body.callbackUrl) : []),
    ],
    handle: ({ caller, body }) => approvePayments(context, caller, body),
  })
  serve(operations.getPaymentApproval, ({ caller, params }) => getPaymentApproval(context, caller, params.approvalId))
  serve(operations.abandonPaymentApproval, ({ caller, params }) =>
    abandonApproval(context, caller, params.approvalId, 'payments'),
  )
}

/** Serves the endpoint to which banks send notifications about payments. */
export function servePaymentNotifications(server: FastifyInstance, context: Context): void {
  serveNotificationEndpoint<NotificationPath>(
    server,
    '/hints/payments/:partnerId/:paymentId/:token',
    context.log,
    (path, body) => handlePaymentNotification(context, path, body),
  )
}
