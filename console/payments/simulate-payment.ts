/** The next steps of a payment at the sandbox bank, as buttons on its page. */
import { html } from 'ghtml'
import { SANDBOX_REJECTION_REASONS } from '../../contract/sandbox/sandbox-bank.ts'
import { isFinal, type PartnerPayment } from '../../gateway/orders/payment.ts'
import { PAYMENT_ROWS } from '../../gateway/orders/views/order-rows.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { simulatePaymentStatus, simulatePaymentStep } from '../../gateway/simulation/simulate-bank-events.ts'
import { requireSandboxBank } from '../../gateway/simulation/simulation.ts'
import { isPermitted } from '../access/console-role.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { Viewer } from '../access/viewer.ts'
import { type ConsoleContext, requireSimulation } from '../console-context.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { consoleText } from '../texts/console-texts.ts'

/** Steps in the netbank, and statuses that the bank reports from then on. */
const STEPS = {
  sign: { step: 'sign' },
  settle: { step: 'settle' },
  cancel: { step: 'cancel' },
  partlySigned: { status: 'PATC' },
} as const
const STEP_NAMES = Object.keys(STEPS) as readonly (keyof typeof STEPS)[]
/** Of a rejection without a reason. */
const NO_REASON = 'none' as const

/** Empty for a final payment, outside the sandbox, and for users who may not act there. */
export function simulationForm(payment: PartnerPayment, { session, token, isSandbox }: Viewer): string {
  if (!isSandbox || isFinal(payment) || !isPermitted(session.roles, 'sandbox')) {
    return ''
  }
  const buttons = STEP_NAMES.map(
    (name) => html`<button class="second" name="step" value="${name}">${consoleText(`simulate.${name}`)}</button>`,
  )
  return html`<h2>${consoleText('simulate.title')}</h2>
<form class="actions" method="post" action="/console/payments/${payment.id}/simulate">!${tokenField(token)}!${buttons.join('\n')}</form>
!${rejectionForm(payment, token)}`
}

/** Every reason that the sandbox bank knows. */
function rejectionForm({ id }: PartnerPayment, token: string): string {
  const options = ([NO_REASON, ...SANDBOX_REJECTION_REASONS] as const).map(
    (reason) => html`<option value="${reason}">${consoleText(`simulate.reasons.${reason}`)}</option>`,
  )
  return html`<form class="filters" method="post" action="/console/payments/${id}/simulate">!${tokenField(token)}
<div class="field"><label for="rejection-reason">${consoleText('simulate.reason')}</label>
<select id="rejection-reason" name="reason">!${options.join('')}</select></div>
<div class="field buttons"><button class="second" name="step" value="reject">${consoleText('simulate.reject')}</button></div>
</form>`
}

/** Executes a step at the bank and shows the payment again. Throws what the bank or the payment's state does not permit. */
export async function simulatePayment(
  context: ConsoleContext,
  { viewer, params: { paymentId: id = '' }, form }: ConsoleRequest,
): Promise<ConsoleAnswer> {
  const key = await requireVisible(context, viewer, PAYMENT_ROWS, id)
  const bank = requireSandboxBank(requireSimulation(context))
  if (form.text('step') === 'reject') {
    await simulatePaymentStatus(context, bank, key, rejectionOf(form.text('reason')))
    return { kind: 'redirect', to: `/console/payments/${id}` }
  }
  const name = STEP_NAMES.find((one) => one === form.text('step'))
  if (name === undefined) {
    throw apiError('bad-request', consoleText('simulate.noStep'))
  }
  const step = STEPS[name]
  await ('step' in step
    ? simulatePaymentStep(context, bank, key, { step: step.step })
    : simulatePaymentStatus(context, bank, key, { transactionStatus: step.status }))
  return { kind: 'redirect', to: `/console/payments/${id}` }
}

function rejectionOf(text: string): Parameters<typeof simulatePaymentStatus>[3] {
  const reason = SANDBOX_REJECTION_REASONS.find((one) => one === text)
  if (reason === undefined) {
    if (text === NO_REASON) {
      return { transactionStatus: 'RJCT' }
    }
    throw apiError('bad-request', consoleText('simulate.noStep'))
  }
  return { transactionStatus: reason === 'cancelled-by-bank' ? 'CANC' : 'RJCT', reason }
}
