/** Serves the operations on payments, and the addresses at which banks hint that one changed. */
import type { FastifyInstance } from 'fastify'
import { operations } from '../../contract/operations.ts'
import { bankOf } from '../accounts/require-account.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { companyFinder } from '../companies/company-finder.ts'
import type { Consent } from '../consents/consent.ts'
import { accountFinder } from '../consents/find-account.ts'
import type { Context } from '../context.ts'
import { serveHint } from '../foundation/http/hints.ts'
import type { FxContext } from '../fx/fx-context.ts'
import { situationAt } from '../orders/instructions/validation-context.ts'
import { initiationStatements } from '../orders/submission/submission-store.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import { initiateCrossBorderPayment } from './cross-border/initiate-cross-border-payment.ts'
import { judgeCrossBorderPayment } from './cross-border/judge-cross-border-payment.ts'
import { domesticPaymentProblems } from './domestic/domestic-payment-validation.ts'
import { initiateDomesticPayment } from './initiate-domestic-payment.ts'
import { listPayments, paymentListProblems } from './list-payments.ts'
import { withoutOverruled } from './overruled.ts'
import { showPayment, showPaymentStatus } from './show-payment.ts'
import { type HintAddress, takePaymentHint } from './take-hint.ts'
import { remittanceCheckProblems, validateRemittance } from './validate-remittance.ts'

export function servePayments(serve: Serve<PartnerCaller, Consent>, context: FxContext): void {
  const shared = {
    ...initiationStatements(context.database),
    findCompany: companyFinder(context),
    findAccount: accountFinder(context),
  }
  serve(operations.initiateDomesticPayment, {
    keepsAnswer: true,
    rules: async ({ caller, body }, isSound) => {
      const situation = situationAt(context.clock, await bankOf(context, caller), caller.consent)
      const problems = domesticPaymentProblems(body, situation, isSound)
      return await withoutOverruled(shared.findAccount, caller, body, problems)
    },
    handle: async ({ caller, body, idempotent }) => {
      const bank = await bankOf(context, caller)
      return await initiateDomesticPayment(context, caller, body, { ...shared, bank, idempotent })
    },
  })
  serve(operations.initiateCrossBorderPayment, {
    keepsAnswer: true,
    rules: async ({ caller, body }, isSoundAt) => {
      const situation = situationAt(context.clock, await bankOf(context, caller), caller.consent)
      const { findAccount } = shared
      return await judgeCrossBorderPayment(context, caller, body, { situation, findAccount, isSoundAt })
    },
    handle: async ({ caller, body, idempotent }) => {
      const initiation = { ...shared, bank: await bankOf(context, caller), idempotent }
      return await initiateCrossBorderPayment(context, caller, body, initiation)
    },
  })
  serve(operations.validateRemittance, {
    rules: ({ body }, isSound) => remittanceCheckProblems(body, isSound),
    handle: async ({ body }) => validateRemittance(body),
  })
  serve(operations.listPayments, {
    rules: ({ caller, query }, isSound) => paymentListProblems(context, caller, query, isSound),
    handle: ({ caller, query }) => listPayments(context, caller, query),
  })
  serve(operations.getPayment, ({ caller, params }) => showPayment(context, caller, params.paymentId))
  serve(operations.getPaymentStatus, ({ caller, params }) => showPaymentStatus(context, caller, params.paymentId))
}

/** Where banks hint that a payment changed. */
export function servePaymentHints(server: FastifyInstance, context: Context): void {
  serveHint<HintAddress>(server, '/hints/payments/:partnerId/:paymentId/:token', context.log, (address, body) =>
    takePaymentHint(context, address, body),
  )
}
