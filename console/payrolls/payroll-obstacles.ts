/** Says what stops a payroll, and what to do about it. */
import { html } from 'ghtml'
import { isFinalStatus } from '../../gateway/orders/payment.ts'
import type { Payroll } from '../../gateway/orders/payroll.ts'
import type { PayrollObstacle } from '../../gateway/orders/views/payroll-details.ts'
import { bankTextMarkup } from '../markup/explained-codes.ts'
import { formatCount } from '../markup/format-money.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import type { PayrollProgress } from './payroll-progress.ts'

type Stopped = {
  readonly payroll: Payroll
  readonly obstacle: PayrollObstacle
  readonly progress: PayrollProgress
  /** Whether its consent is in force: the bank is not read without one. */
  readonly hasConsent: boolean
}

/** What stops it, and what to do; both are markup. */
type Obstacle = { readonly what: string; readonly advice: string }

/** Nothing while nothing stops it. */
export function obstaclesMarkup(stopped: Stopped): string {
  return [...obstaclesOfState(stopped), ...obstaclesAtBank(stopped)]
    .map(({ what, advice }) => html`<div class="notice"><p><strong>!${what}</strong></p><p>!${advice}</p></div>`)
    .join('\n')
}

function obstaclesOfState({ payroll, obstacle }: Stopped): readonly Obstacle[] {
  const what = bankTextMarkup(payroll.stateText) || html`${consoleText(`payroll.states.${payroll.state}`)}`
  switch (payroll.state) {
    case 'submitting':
      return obstaclesOfSubmission(payroll, obstacle)
    case 'failing':
      return [{ what, advice: html`${consoleText('payroll.advice.failing')}` }]
    case 'failed':
      return [{ what, advice: html`${consoleText('payroll.advice.failed')}` }]
    case 'submitted':
      return []
  }
}

function obstaclesOfSubmission(
  { stateText, submitAt, submissionFailedSince }: Payroll,
  { blockedByPayrollId, needsUser }: PayrollObstacle,
): readonly Obstacle[] {
  const what = bankTextMarkup(stateText) || html`${consoleText('payroll.stopped')}`
  if (blockedByPayrollId !== null) {
    const link = html`<a href="/console/payrolls/${blockedByPayrollId}">${consoleText('payroll.otherPayroll')}</a>`
    return [
      {
        what: html`${consoleText('payroll.blocked')}`,
        advice: html`${consoleText('payroll.advice.blocked')} !${link}`,
      },
    ]
  }
  if (needsUser) {
    return [{ what, advice: html`${consoleText('payroll.advice.needsUser')}` }]
  }
  if (submissionFailedSince === null) {
    return []
  }
  const next = submitAt === null ? '' : html`${consoleText('payroll.nextAttempt')}: !${timeMarkup(submitAt)}.`
  return [{ what, advice: html`${consoleText('payroll.advice.retried')} !${next}` }]
}

function obstaclesAtBank({ payroll, progress, hasConsent }: Stopped): readonly Obstacle[] {
  const unknown = {
    what: html`${consoleText('payroll.unknown', { count: formatCount(progress.unknown) })}`,
    advice: html`${consoleText('payroll.advice.unknown')}`,
  }
  const unread = {
    what: html`${consoleText('payroll.consentEnded')}`,
    advice: html`${consoleText('payroll.advice.consentEnded')}`,
  }
  const isUnread = !hasConsent && payroll.state !== 'submitting' && !isFinalStatus(payroll.status)
  return [...(progress.unknown > 0 ? [unknown] : []), ...(isUnread ? [unread] : [])]
}
