/** Control API for conversions and payments: list them, and simulate events such as failures and returns. */

import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { closed } from '../../../gateway/platform/closed-schema.ts'
import { ControlError, onPost, requireFound } from '../../control-scope.ts'
import type { Sweep } from '../../due-rows.ts'
import { findRow, updateRow } from '../../rows.ts'
import { EVERY_ROW, listRows } from '../books/rows.ts'
import { type Context, inTransaction } from '../context.ts'
import { settleConversion } from '../conversions/advance-conversion.ts'
import { conversionResponse } from '../conversions/conversion-response.ts'
import { parseAmount, requireCurrency } from '../market/market.ts'
import { advancePayment, fail, RETURN_REASON } from '../payouts/advance-payment.ts'
import { paymentResponse } from '../payouts/payment-response.ts'
import type { Payment } from '../tables.ts'

/** Amount that intermediary banks deduct from a returned payment. */
const Kept = Type.Union([closed({ kept: Type.Optional(Type.String({ maxLength: 20 })) }), Type.Null()])
const FAILURE_REASON = 'Rejected by the payment scheme'

type PaymentAction = (step: {
  readonly context: Context
  readonly payment: Payment
  readonly kept: bigint
  readonly at: Temporal.Instant
}) => Promise<void>

const paymentActions: Readonly<Record<'suspend' | 'release' | 'send' | 'fail' | 'return', PaymentAction>> = {
  suspend: async ({ context, payment, at }) => {
    require(payment, ['ready_to_send'])
    await updateRow(context, 'payments', payment, { status: 'suspended', due_at: null, updated_at: at })
  },
  release: async ({ context, payment, at }) => {
    require(payment, ['suspended'])
    const change = { status: 'ready_to_send', due_at: at, updated_at: at } as const
    await updateRow(context, 'payments', payment, change)
  },
  send: async ({ context, payment, at }) => {
    require(payment, ['ready_to_send', 'submitted'])
    if (payment.conversion_id !== null) {
      await settleConversion(context, payment.conversion_id, at)
    }
    const day = at.toZonedDateTimeISO('UTC').toPlainDate()
    await updateRow(context, 'payments', payment, { payment_on: day })
    if (payment.status === 'ready_to_send') {
      await advancePayment(context, payment.id, at)
    }
    await advancePayment(context, payment.id, at)
  },
  fail: async ({ context, payment, kept, at }) => {
    require(payment, ['submitted', 'suspended', 'ready_to_send'])
    if (payment.status === 'submitted') {
      await fail(context, payment, { reason: FAILURE_REASON, kept, at })
    } else {
      const change = { failure_reason: FAILURE_REASON, due_at: null, updated_at: at }
      await updateRow(context, 'payments', payment, { status: 'failed', ...change })
    }
  },
  return: async ({ context, payment, kept, at }) => {
    require(payment, ['submitted', 'completed'])
    await fail(context, payment, { reason: RETURN_REASON, kept, at })
  },
}

export function conversionControl(context: Context, sweep: Sweep, scope: FastifyInstance): void {
  scope.get('/conversions', () => listConversions(context))
  scope.get('/payments', async () => {
    const { rows } = await listRows(context, 'payments', EVERY_ROW)
    return rows.map(paymentResponse)
  })
  scope.get('/notices', async () =>
    context.database.query
      .selectFrom('notices')
      .select(['type', 'status', 'attempts', 'body'])
      .orderBy('position')
      .execute(),
  )
  scope.post<{ Params: { id: string } }>('/conversions/:id/settle', async ({ params: { id } }) => {
    const at = context.clock.now()
    await carryOut(context, sweep, async (context) => {
      const found = await findRow(context, 'conversions', { id }, { lock: true })
      const { status } = requireFound(found, 'The provider has no such conversion')
      if (status !== 'funds_arrived') {
        throw new ControlError(409, `The conversion is ${status}, not funds_arrived`)
      }
      await settleConversion(context, id, at)
    })
    return {}
  })
  for (const [word, act] of Object.entries(paymentActions)) {
    onPost(scope, `/payments/:id/${word}`, Kept, (body, { id }) =>
      applyAction({ context, sweep }, id, act, body?.kept ?? '0'),
    )
  }
}

async function applyAction(
  { context, sweep }: { readonly context: Context; readonly sweep: Sweep },
  id: string,
  act: PaymentAction,
  kept: string,
): Promise<object> {
  const at = context.clock.now()
  await carryOut(context, sweep, async (context) => {
    const payment = requireFound(
      await findRow(context, 'payments', { id }, { lock: true }),
      'The provider has no such payment',
    )
    const minor = parseAmount(kept, requireCurrency(payment.currency))
    if (typeof minor !== 'bigint') {
      throw new ControlError(400, `${JSON.stringify(kept)} is no amount in ${payment.currency}`)
    }
    await act({ context, payment, kept: minor, at })
  })
  const payment = await findRow(context, 'payments', { id })
  return payment === undefined ? {} : paymentResponse(payment)
}

/** Notifications of the change are delivered before the response. */
async function carryOut(context: Context, sweep: Sweep, work: (context: Context) => Promise<void>): Promise<void> {
  await sweep.runExclusive(() => inTransaction(context, work))
  await sweep.runUntilIdle()
}

async function listConversions(context: Context): Promise<readonly object[]> {
  return await inTransaction(context, async (context) => {
    const shown: object[] = []
    for (const row of (await listRows(context, 'conversions', EVERY_ROW)).rows) {
      const isCancelled = row.loss_minor !== null
      shown.push({ ...(await conversionResponse(context, row)), isCancelled, reason: row.reason })
    }
    return shown
  })
}

function require(payment: Payment, statuses: readonly Payment['status'][]): void {
  if (!statuses.includes(payment.status)) {
    throw new ControlError(409, `The payment is ${payment.status}, not ${statuses.join(' or ')}`)
  }
}
