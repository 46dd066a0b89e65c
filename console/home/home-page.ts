/** Shows the overview: what happened, what waits, what fails, and in the sandbox what a developer does first. */
import { html } from 'ghtml'
import type { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import { listCertificateStatuses } from '../../gateway/banks/certificates/certificate-warnings.ts'
import { countConsentsThatExpire } from '../../gateway/consents/expiry/list-expiring-consents.ts'
import type { Context } from '../../gateway/context.ts'
import { countDeadlinesAhead } from '../../gateway/fx/deals/deal-rows.ts'
import { countOpenTasks } from '../../gateway/operators/tasks-of-subject.ts'
import { countPaymentsWithStatus, countStartedApprovals } from '../../gateway/orders/views/order-figures.ts'
import { countDeliveries } from '../../gateway/webhooks/delivery-figures.ts'
import { isPermitted } from '../access/console-role.ts'
import { partnerFilterOf, type Viewer } from '../access/viewer.ts'
import { type ConsoleRoute, get } from '../console-route.ts'
import { formatPercentage } from '../markup/format-money.ts'
import { statusMarkup } from '../markup/status.ts'
import { EXPIRING_CONSENTS_PATH, EXPIRY_DAYS } from '../records/expiring-consents-page.ts'
import { consoleText } from '../texts/console-texts.ts'
import { banksSection } from './banks-section.ts'
import { figuresSection } from './figures-section.ts'
import { FIRST_STEPS_SCRIPTS, firstStepsPartner, firstStepsSection } from './first-steps/first-steps.ts'
import { COUNTED_MAX, counted, labelWithTime, tileSection } from './tiles.ts'

/** The statuses that may need an action. */
const STATUSES = [
  'Unsigned',
  'CustomerActionRequired',
  'InProgress',
  'Rejected',
] as const satisfies readonly PaymentStatusValue[]

export function homeRoutes(context: Context): readonly ConsoleRoute[] {
  return [
    get('session')('/console', async ({ viewer }) => ({
      kind: 'page',
      title: consoleText('home.title'),
      body: (await Promise.all(sectionsOf(context, viewer))).join('\n'),
      scripts: firstStepsPartner(viewer) === null ? [] : FIRST_STEPS_SCRIPTS,
    })),
  ]
}

/** The sections that the user's roles permit. */
function sectionsOf(context: Context, viewer: Viewer): readonly (string | Promise<string>)[] {
  const { roles } = viewer.session
  const partnerId = firstStepsPartner(viewer)
  const isDeveloper = isPermitted(roles, 'developer.read')
  const seesPayments = isPermitted(roles, 'payments.read')
  const isOperator = isPermitted(roles, 'operations.read')
  return [
    ...(isOperator ? [certificateWarnings(context)] : []),
    ...(partnerId === null ? [] : [firstStepsSection(context, viewer, partnerId)]),
    ...(isOperator ? [tasks(context)] : []),
    ...(seesPayments ? [payments(context, viewer), waiting(context, viewer)] : []),
    ...(isDeveloper ? [deliveries(context, viewer)] : []),
    banksSection(context, isOperator),
    ...(seesPayments ? [figuresSection(context, viewer)] : []),
  ]
}

/** Nothing while all certificates are valid for long enough. */
function certificateWarnings({ certificates, clock }: Context): string {
  const warnings = listCertificateStatuses(certificates, clock.real()).flatMap(({ warning }) => warning ?? [])
  const items = warnings.map(
    (warning) => html`<p>${warning}. <a href="/console/banks">${consoleText('home.certificates')}</a></p>`,
  )
  return items.length === 0 ? '' : html`<div class="notice" role="alert">!${items.join('\n')}</div>`
}

async function payments({ database }: Context, viewer: Viewer): Promise<string> {
  const partnerId = partnerFilterOf(viewer)
  const tiles = STATUSES.map(async (status) => ({
    figure: html`${counted(await countPaymentsWithStatus(database, partnerId, status, COUNTED_MAX))}`,
    label: statusMarkup(status),
    path: `/console/payments?status=${status}`,
  }))
  return tileSection(consoleText('home.payments'), await Promise.all(tiles))
}

/** What users must do. */
async function waiting(context: Context, viewer: Viewer): Promise<string> {
  const { database, clock } = context
  const partnerId = partnerFilterOf(viewer)
  const [approvals, exchanges, consents] = await Promise.all([
    countStartedApprovals(database, partnerId, COUNTED_MAX),
    countDeadlinesAhead(database, partnerId, { now: clock.now(), max: COUNTED_MAX }),
    countConsentsThatExpire(context, { partnerId, within: { hours: 24 * EXPIRY_DAYS }, limit: COUNTED_MAX }),
  ])
  return tileSection(consoleText('home.waiting'), [
    {
      figure: html`${counted(approvals.count)}`,
      label: labelWithTime(consoleText('home.approvals'), consoleText('home.since'), approvals.first),
      path: '/console/approvals?status=STARTED',
    },
    {
      figure: html`${counted(exchanges.count)}`,
      label: labelWithTime(consoleText('home.exchanges'), consoleText('home.firstUntil'), exchanges.first),
      path: '/console/exchanges?status=booked',
    },
    {
      figure: html`${counted(consents.count)}`,
      label: labelWithTime(
        consoleText('home.consents', { days: EXPIRY_DAYS }),
        consoleText('home.firstOn'),
        consents.first,
      ),
      path: EXPIRING_CONSENTS_PATH,
    },
  ])
}

async function deliveries({ database, clock }: Context, viewer: Viewer): Promise<string> {
  const since = clock.real().subtract({ hours: 24 })
  const {
    delivered,
    failed,
    waiting: queued,
    oldestWaiting,
  } = await countDeliveries(database, partnerFilterOf(viewer), since)
  const ended = delivered + failed
  const path = '/console/webhooks'
  return tileSection(consoleText('home.deliveries'), [
    {
      figure: html`${ended === 0 ? '–' : formatPercentage(delivered, ended)}`,
      label: html`${ended === 0 ? consoleText('home.noDeliveries') : consoleText('home.deliveriesDone', { count: ended })}`,
      path,
    },
    {
      figure: html`${queued}`,
      label: labelWithTime(
        consoleText('home.deliveriesWaiting', { count: queued }),
        consoleText('home.since'),
        oldestWaiting,
      ),
      path,
    },
  ])
}

async function tasks({ database }: Context): Promise<string> {
  const { count, first } = await countOpenTasks(database)
  const label = labelWithTime(consoleText('home.tasksOpen'), consoleText('home.since'), first)
  return tileSection(consoleText('home.tasks'), [{ figure: html`${count}`, label, path: '/console/tasks' }])
}
